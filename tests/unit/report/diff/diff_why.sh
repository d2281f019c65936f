#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# annot diff tells why tasks take longer, of traces in which each does so for one reason, by a known time. TAP.
set -uo pipefail

cd "$(dirname "$0")/../../../.." || exit
annot=${ANNOT:-build/annot}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
# shellcheck source=tests/lib/tap.sh
. tests/lib/tap.sh
output_is_failure=true
told=tests/unit/report/slow_instances.py

make_traces() {	# HOW
	local seed
	for seed in 1 2; do
		"$told" usual "$1" $seed | tests/lib/script_trace.py "$work/usual$seed.dat" || echo "no trace"
		"$told" slowed "$1" 1$seed | tests/lib/script_trace.py "$work/slowed$seed.dat" || echo "no trace"
	done
}

tells_why() {	# HOW
	make_traces "$1"
	"$annot" diff --json "$work/usual1.dat" "$work/slowed1.dat" >"$work/diff.json" || echo "no report"
	"$told" why "$1" "$work/diff.json"
	"$annot" diff --json "$work"/usual?.dat -- "$work"/slowed?.dat >"$work/diff.json" || echo "no report"
	"$told" why "$1" "$work/diff.json"
}

# Of the last traces, in which nothing is counted.
says() {	# PATTERN FILE
	grep -q -- "$1" "$2" || { echo "no $1:"; cat "$2"; }
}

tells_people() {
	local sides=("$work"/usual?.dat -- "$work"/slowed?.dat)
	for form in text html; do
		if [ $form = text ]; then
			"$annot" diff "${sides[@]}" >"$work/out"
		else
			"$annot" diff --html "${sides[@]}" | sed 's/<[^>]*>/ /g' >"$work/out"
		fi
		says 'crowd .* +2.00ms *+2.00ms preempted' "$work/out"
		says 'late .* +2.10ms *+2.00ms woken late, +100us blocked' "$work/out"
		says 'spin .* +2.00ms *+2.00ms spinning' "$work/out"
		says '+80.0ms .*preempted in crowd' "$work/out"
	done
	"$annot" diff "$work/usual1.dat" "$work/usual2.dat" >"$work/out"
	! grep -e WHY -e PATH "$work/out" || echo "of what did not change"
}

# 4 spans, of which each begins on one CPU and ends on another as often as is said.
make_moves() {	# NAME MOVES
	python3 -c 'import sys
now, cpu = 1000000, 0
def tell(words, tid=100):
    print(f"{now} {cpu} {tid} {words}")
tell("switch next_pid=100 next_comm=prog", 0)
for span in range(4):
    tell("marker buf=\"B|100|hop\"")
    for move in range(int(sys.argv[1])):
        now += 1000
        tell("switch prev_state=0 next_pid=0")
        cpu = 1 - cpu
        now += 1000
        tell("switch next_pid=100 next_comm=prog", 0)
    now += 1000
    tell("marker buf=\"E|100\"")
tell("switch prev_state=16 next_pid=0")' "$2" | tests/lib/script_trace.py "$work/$1.dat"
}

migrations() {
	make_moves moves1 1
	make_moves moves3 3
	"$annot" diff --json "$work/moves1.dat" "$work/moves3.dat" | python3 -c 'import json, sys
(row,) = json.load(sys.stdin)["why"]
if (row["before_migrations"], row["after_migrations"], row["difference_ns"], row["preempted_ns"]) != (1, 3, 4000, 2000):
    print(row)'
	"$annot" diff --all "$work/moves1.dat" "$work/moves3.dat" >"$work/out"
	says 'migrations, were 1' "$work/out"
}

check "instructions, misses, siblings, frequency, interrupts, waits: each its part" tells_why BOTH
check "user code and the kernel counted apart: the same" tells_why APART
check "nothing counted: useful time is one part" tells_why BARE
check "text and page" tells_people
check "migrations" migrations
exit $failed
