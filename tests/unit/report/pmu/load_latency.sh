#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# annot report of samples that tell how long loads took: by task, and what misses cost by them; and of samples that do not. TAP.
set -u

cd "$(dirname "$0")/../../../.." || exit
annot=${ANNOT:-build/annot}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# shellcheck source=tests/lib/tap.sh
. tests/lib/tap.sh
output_is_failure=true
told=tests/unit/report/pmu/load_latency.py

tells() {	# HOW
	"$told" story "$1" | tests/lib/script_trace.py "$work/trace.dat" || echo "no trace"
	"$annot" report --json "$work/trace.dat" >"$work/report.json" || echo "no report"
	"$told" check "$1" "$work/report.json"
}

text_has() {	# LINE
	"$told" story sampled | tests/lib/script_trace.py "$work/trace.dat" || echo "no trace"
	"$annot" report --show load_latency "$work/trace.dat" >"$work/text" || echo "no report"
	grep -Eq "$1" "$work/text" || cat "$work/text"
}

# A thread is last by 30 ms, and has a million misses more: 5 ms by the constant, 47 ms as loads were sampled. Load: hit in L2.
last_thread() {	# SAMPLES REASON
	{
		cat <<-'EOF'
		1000 0 0 config text='event=0 name=l1_cache_miss mode=count user=1 kernel=1'
		1000 0 0 config text='event=1 name=load_latency:3 mode=sample type=0x4 config=0x1cd config1=0x3 period=1000 user=1 precise=2'
		1000 0 0 switch next_pid=100 next_comm=loop
		1000 0 100 marker buf='annot|session'
		1100 0 100 fork pid=101 comm=loop clone_flags=0x10000
		1200 1 0 switch next_pid=101 next_comm=loop
		1300 0 100 begin name=loop tgid=100
		1300 1 101 begin name=loop tgid=100
		EOF
		for i in $(seq "$1"); do
			echo "$((2000 + i * 1000)) 0 100 sample event=1 period=1000 ip=0x401136 has=0x17 addr=$((i * 64)) data_src=$((2 | 1 << 6 | 1 << 10)) weight=140 precise=2"
		done
		cat <<-'EOF'
		10000000 1 101 end tgid=100
		10000000 1 101 counts counts=200000
		10000000 1 101 switch prev_state=16
		40000000 0 100 end tgid=100
		40000000 0 100 counts counts=1800000
		40000000 0 100 switch prev_state=16
		EOF
	} | tests/lib/script_trace.py "$work/trace.dat" || echo "no trace"
	"$annot" report --show regions "$work/trace.dat" >"$work/text" || echo "no report"
	grep -q "behind: $2 (" "$work/text" || cat "$work/text"
}

check "a region's last thread: what misses cost is assumed" last_thread 20 "more work"
check "and by samples" last_thread 60 "more misses"
check "enough samples: costs by them" tells sampled
check "few samples of the line: its cost is assumed" tells few
check "no sample tells: said, and costs are assumed" tells silent
check "text: the task, its percentiles and the level" text_has '^load_latency:3:u +walk +250 +20 .* L2 '
check "text: what a line costs that is taken" text_has '^taken line +11[0-9] .* samples +400 '
exit $failed
