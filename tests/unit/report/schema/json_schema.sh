#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# SLOW
#
# annot report --json-schema: what --json writes of each trace, the recorded ones and those that other tests make,
# fits it, and nothing broken does. TAP.
set -u

cd "$(dirname "$0")/../../../.." || exit
annot=${ANNOT:-build/annot}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# shellcheck source=tests/lib/tap.sh
. tests/lib/tap.sh
# shellcheck source=tests/lib/refused.sh
. tests/lib/refused.sh
# shellcheck source=tests/lib/two_regions.sh
. tests/lib/two_regions.sh
output_is_failure=true

# What these tests ask of annot report --json, with all of their options.
keep_asked() {
	local test
	for test in report pmu/measured slow_instances smt_sharing pmu/load_latency; do
		KEEP=$work/kept KEEP_ANNOT=$(realpath "$annot") ANNOT=tests/unit/report/schema/keep_reports \
			"tests/unit/report/$test.sh" >"$work/out" 2>&1 || cat "$work/out"
	done
}

keep_recorded() {
	local trace
	for trace in tests/data/*.dat; do
		"$annot" report --json "$trace" >"$work/kept/${trace##*/}.json" 2>/dev/null || echo "$trace: no report"
	done
}

keep_made() {
	make_two_regions
	"$annot" report --json --region solve:1 "$work/made.dat" >"$work/kept/made.json"
}

mkdir "$work/kept"
"$annot" report --json-schema >"$work/schema"
check "other tests, for their traces" keep_asked
check "recorded traces" keep_recorded
check "a made trace" keep_made
tests/unit/report/schema/json_schema.py "$work/schema" "$work"/kept/*.json || failed=1
check "each interval holds its figure" tests/unit/report/schema/intervals.py "$work"/kept/*.json
check "with a trace" refused 2 "--json-schema stands alone" "$annot" report --json-schema tests/data/scene-quiet.dat
check "with another option" refused 2 "--json-schema stands alone" "$annot" report --json --json-schema
exit $failed
