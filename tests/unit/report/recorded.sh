#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# SLOW
#
# annot report on each recorded trace: its figures against what the programs said of themselves, and its forms against
# what is promised of them. TAP.
set -u	# no pipefail: grep -q ends before who writes to it does

cd "$(dirname "$0")/../../.." || exit
annot=${ANNOT:-build/annot}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# shellcheck source=tests/lib/tap.sh
. tests/lib/tap.sh
# shellcheck source=tests/lib/fits.sh
. tests/lib/fits.sh
output_is_failure=true

# Each finding of the JSON has a line that begins with what it cost; that there is none is told.
findings() {	# TRACE JSON
	local found told
	found=$(sed -n '/^\t"findings": \[$/,/^\t]/p' "$2" | grep -c '^[[:blank:]]*"kind":')
	"$annot" report "$1" >"$work/out" 2>/dev/null
	told=$(awk '/^ *LOST / { on = 1; next } on && !NF { exit } on && $2 ~ /%$/ { n++ } END { print n + 0 }' "$work/out")
	[ "$found" -eq "$told" ] || echo "$told of $found findings"
	[ "$found" -gt 0 ] || grep -q "^Nothing found" "$work/out" || echo "nothing told"
}

# Analyses are computed on several cores at once, or one after the other.
same_on_one_core() {
	local first trace
	first=$(taskset -pc $$ | sed 's/.*: \([0-9]*\).*/\1/')
	for trace in tests/data/*.dat; do
		"$annot" report --json --all "$trace" >"$work/all" 2>&1
		taskset -c "$first" "$annot" report --json --all "$trace" >"$work/one" 2>&1
		cmp "$work/all" "$work/one"
	done 2>&1
}

for trace in tests/data/*.dat; do
	name=$(basename "$trace" .dat)
	# What was recorded elsewhere has no programs here, of which some findings would name parts.
	if ! "$annot" report --json "$trace" >"$work/report.json" 2>"$work/err" ||
		grep -v 'its symbols are not known' "$work/err" >"$tap_log"; then
		fail "$name: report --json"
		continue
	fi
	"$annot" report --csv "$trace" >"$work/report.csv"
	tests/unit/report/check_report.py "$name" "$work/report.json" "$work/report.csv" "tests/data/$name.truth.json"
	check "$name: the text fits 100 columns" fits 100 "$trace"
	check "$name: findings are printed" findings "$trace" "$work/report.json"
done
check "the same on one core as on all" same_on_one_core
exit $failed
