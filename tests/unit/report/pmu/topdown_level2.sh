#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# The tables of level 2 of top-down: in JSON and text what was counted, and no table of what was not. TAP.
set -uo pipefail

cd "$(dirname "$0")/../../../.." || exit
annot=${ANNOT:-build/annot}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# shellcheck source=tests/lib/tap.sh
. tests/lib/tap.sh
output_is_failure=true

names=(slots topdown-retiring topdown-bad-spec topdown-fe-bound topdown-be-bound topdown-mem-bound
	topdown-fetch-lat topdown-br-mispredict topdown-heavy-ops)
# Of 1000 slots in each of 20 slices of 1 ms.
counts=(1000 400 200 300 100 60 250 150 100)

# Of the first NR events.
make_trace() {	# NR
	local i
	for ((i = 0; i < $1; i++)); do
		echo "0 0 0 config text='event=$i name=${names[i]} mode=count user=1'"
	done
	echo "0 0 0 switch next_pid=100 next_comm=program"
	echo "1 0 100 marker buf='annot|session'"
	echo "2 0 100 begin name=work tgid=100"
	for ((i = 1; i <= 20; i++)); do
		echo "${i}000000 0 100 counts counts=$(IFS=,; echo "${counts[*]:0:$1}")"
	done
	echo "20000000 0 100 end tgid=100"
	echo "20000001 0 100 switch prev_state=1"
}

make_trace 9 | tests/lib/script_trace.py "$work/all.dat"
make_trace 6 | tests/lib/script_trace.py "$work/some.dat"

figures() {	# TRACE
	"$annot" report --json --show topdown "$1" | python3 -c '
import json, sys
topdown = json.load(sys.stdin)["topdown"]
keys = ("light_operations", "heavy_operations", "branch_mispredicts", "machine_clears", "fetch_latency", "fetch_bandwidth")
for table in ("level2_tasks", "level2_threads", "level2_regions"):
    for row in topdown[table]:
        print(table, *[format(row[key + end + "_pct"], ".1f") for key in keys for end in ("", "_low", "_high")], row["doubt"])'
}

all_in_json() {
	diff <(figures "$work/all.dat") - <<-'EOF_FIGURES'
		level2_tasks 30.0 30.0 30.0 10.0 10.0 10.0 15.0 15.0 15.0 5.0 5.0 5.0 25.0 25.0 25.0 5.0 5.0 5.0 None
		level2_threads 30.0 30.0 30.0 10.0 10.0 10.0 15.0 15.0 15.0 5.0 5.0 5.0 25.0 25.0 25.0 5.0 5.0 5.0 None
	EOF_FIGURES
}

all_in_text() {
	"$annot" report --show topdown "$work/all.dat" >"$work/text"
	diff <(grep -A1 'HEAVY' "$work/text" | sed 's/  */ /g; s/^ //') - <<-'EOF_TEXT'
		TASK ON CPU LIGHT HEAVY MISPREDICTS CLEARS FETCH LATENCY FETCH BANDWIDTH +/- MEASURED
		work 20.0ms 30.0 10.0 15.0 5.00 25.0 5.00 0 100
		--
		THREAD ON CPU LIGHT HEAVY MISPREDICTS CLEARS FETCH LATENCY FETCH BANDWIDTH +/- MEASURED
		program 20.0ms 30.0 10.0 15.0 5.00 25.0 5.00 0 100
	EOF_TEXT
}

none() {
	figures "$work/some.dat"
	"$annot" report --show topdown "$work/some.dat" | grep -e HEAVY -e LATENCY
	"$annot" report --show topdown "$work/some.dat" | grep -q RETIRING || echo "no table at all"
}

check "all figures, with their intervals, in JSON" all_in_json
check "the same in text" all_in_text
check "what was not counted has no table" none
exit $failed
