#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# annot report --show slow_instances of a trace in which each slow instance is so for a known reason. TAP.
set -u

cd "$(dirname "$0")/../../.." || exit
annot=${ANNOT:-build/annot}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# shellcheck source=tests/lib/tap.sh
. tests/lib/tap.sh
# shellcheck source=tests/lib/refused.sh
. tests/lib/refused.sh
output_is_failure=true
told=tests/unit/report/slow_instances.py

tells_reasons() {	# HOW
	"$told" story "$1" | tests/lib/script_trace.py "$work/trace.dat" || echo "no trace"
	"$annot" report --json --show slow_instances "$work/trace.dat" >"$work/report.json" || echo "no report"
	"$told" check "$1" "$work/report.json"
}

meets_deadlines() {
	"$told" story BOTH | tests/lib/script_trace.py "$work/trace.dat" || echo "no trace"
	"$annot" report --json --deadline crowd=2ms --deadline lock=1us --deadline code=1s "$work/trace.dat" >"$work/report.json" ||
		echo "no report"
	"$told" deadlines "$work/report.json"
}

has_several_deadlines() {
	"$annot" report --json --deadline crowd=2ms --deadline crowd=1us --deadline crowd=2000us "$work/trace.dat" >"$work/report.json" ||
		echo "no report"
	"$told" several "$work/report.json"
}

refuses() {	# STATUS WORDS OPTION...
	refused "$1" "$2" "$annot" report "${@:3}" "$work/trace.dat"
}

check "instructions, misses, siblings, frequency, interrupts, waits: each its part" tells_reasons BOTH
check "user code and the kernel counted apart: the same" tells_reasons APART
check "nothing counted: useful time is one part" tells_reasons BARE
check "deadlines: how many miss them, and why" meets_deadlines
check "two deadlines of a task: each has its own" has_several_deadlines
check "a deadline of no task" refuses 1 "has no task 'lok'; did you mean 'lock'?" --deadline lok=1ms
check "a deadline of waits" refuses 1 "'barrier' is a task of kind wait, where one of kind work is needed" --deadline barrier=1ms
check "no deadline" refuses 2 "not TASK=TIME" --deadline lock
check "no time" refuses 2 "not a time" --deadline lock=soon
check "a time without a unit" refuses 2 "not a time with its unit" --deadline lock=5
check "a time since the start" refuses 2 "not a time with its unit" --deadline lock=+5ms
check "a time below what is recorded" refuses 2 "less than 1ns" --deadline lock=0.5ns
check "no time at all" refuses 2 "less than 1ns" --deadline lock=0ms
check "a deadline and --csv" refuses 2 "either --deadline or --csv" --deadline lock=1ms --csv
exit $failed
