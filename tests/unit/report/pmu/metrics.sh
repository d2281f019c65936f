#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# annot report --metrics: what is said where a directory is wrong, which file and which metric. Values are in
# unit/analysis/topdown/test_metrics.
set -euo pipefail
cd "$(dirname "$0")/../../../.."
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
. tests/lib/tap.sh
trace=tests/data/scene-polluter.dat
mkdir "$work/cpu"

says() {	# EXPECTED ARGUMENT...: on stderr, with a status of failure
	local expected=$1 status=0
	shift
	build/annot report "$@" "$trace" >/dev/null 2>"$work/err" || status=$?
	[ "$status" -ne 0 ] && diff <(echo "annot: $expected") "$work/err"
}

metrics() {	# JSON
	echo "$1" >"$work/cpu/metrics.json"
}

check 'no directory' says "$work/none: no *.json in it has a metric" --metrics "$work/none"
check 'an empty directory' says "$work/cpu: no *.json in it has a metric" --metrics "$work/cpu"
metrics '[{"MetricName": "a"'
check 'no JSON' says "$work/cpu/metrics.json: not JSON" --metrics "$work/cpu"
metrics '{"MetricName": "a", "MetricExpr": "1"}'
check 'no list' says "$work/cpu/metrics.json: not a list of events and metrics" --metrics "$work/cpu"
metrics '[{"MetricName": "a", "MetricExpr": "1 / (2 + b"}]'
check 'a wrong formula' \
	says "$work/cpu/metrics.json: metric 'a': its formula is wrong: ')' is missing at its end" --metrics "$work/cpu"
metrics '[{"MetricName": "a", "MetricExpr": "1"}, {"MetricName": "A", "MetricExpr": "2"}]'
check 'the same twice' says "$work/cpu: metric 'A' is there twice" --metrics "$work/cpu"
metrics '[{"MetricName": "per_uop", "MetricExpr": "1 / uops.any"}]'
check 'nothing of it was counted' \
	sh -c "build/annot report --metrics '$work/cpu' $trace | grep -qF 'of no metric all events were counted'"
check 'not with --by' says "report: --metrics needs the report, without --by, --stacks and --csv" \
	--metrics "$work/cpu" --by task
check 'not without metrics in --show' says "report: --metrics needs metrics in the list of --show" \
	--metrics "$work/cpu" --show topdown
exit "$failed"
