#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# annot report --stacks: the call stack that a program says itself, inlined functions and lines of source included, in
# a trace that has it in all the ways in which stacks are told. TAP.
set -uo pipefail

cd "$(dirname "$0")/../../.." || exit
annot=${ANNOT:-build/annot}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
unset DEBUGINFOD_URLS

# shellcheck source=tests/lib/tap.sh
. tests/lib/tap.sh
# shellcheck source=tests/lib/told_stacks.sh
. tests/lib/told_stacks.sh
output_is_failure=true

line_of() {	# FUNCTION
	sed -n "s/^line $1 //p" "$work/said"
}

# "THREAD CAUSE WEIGHT COUNT FRAME:LINE;..." of each stack; frames of the kernel and inlined ones are marked.
stacks() {	# WHAT OPTION...
	"$annot" report --json --stacks "$@" "$work/trace.dat" | python3 -c '
import json, sys
for stack in json.load(sys.stdin)["stacks"]:
    frames = ["{}{}{}:{}".format("*" * frame["inlined"], frame["function"], "!" * frame["kernel"],
                                 (frame["line"] or "-").split(":")[-1]) for frame in stack["frames"]]
    print(stack["thread"], stack.get("cause", ""), stack.get("time_ns", stack.get("events")), stack["count"], ";".join(frames))
'
}

chain() {
	echo "main:$(line_of main);outer:$(line_of outer);middle:$(line_of middle);*inner:$(line_of inner)"
}

off_cpu() {
	diff <(stacks off-cpu) - <<-EOF
	prog futex 4000 1 $(chain);__x64_sys_futex!:-;futex_wait_queue!:-;schedule!:-
	prog None 1000 1 $(chain)
	EOF
}

# Until the first sample, from each to the next, and to the switch: all have a stack, but that which is lost.
on_cpu() {
	diff <(stacks on-cpu) - <<-EOF
	prog  2000 2 $(chain)
	prog  1000 1 [stack is not in the trace]:-
	prog  2000 1 $(chain);__x64_sys_futex!:-;futex_wait_queue!:-;schedule!:-
	prog  500 1 $(chain)
	EOF
}

misses() {
	diff <(stacks misses --event miss) - <<-EOF
	prog  2000 2 $(chain)
	prog  1000 1 [stack is not in the trace]:-
	EOF
}

# Of instructions, whose samples are no counts, there are samples.
of_instructions() {
	sed "s/mode=sample/mode=sample pmu=ibs_op/" "$work/script" >"$work/instructions"
	tests/lib/script_trace.py -k "$work/kallsyms" "$work/trace.dat" <"$work/instructions" || return
	diff <(stacks misses --event miss) - <<-EOF
	prog  2 2 $(chain)
	prog  1 1 [stack is not in the trace]:-
	EOF
	tests/lib/script_trace.py -k "$work/kallsyms" "$work/trace.dat" <"$work/script"
}

# The futex's wait ends as another thread wakes it up; by whom the one after it is ended, is not known.
wakers() {
	sed -e "s/^10000 0 0 switch next_pid=100/9000 1 0 switch next_pid=200 next_comm=other\n9500 1 200 annot:annot_waking pid=100 stack=7\n9501 1 200 wakeup comm=prog pid=100 target_cpu=0\n&/" \
		"$work/script" >"$work/woken"
	tests/lib/script_trace.py -k "$work/kallsyms" "$work/trace.dat" <"$work/woken" || return
	diff <(stacks wakers) <(echo "prog futex 3501 1 $(chain)")
	tests/lib/script_trace.py -k "$work/kallsyms" "$work/trace.dat" <"$work/script"
}

as_text() {
	diff <("$annot" report --stacks off-cpu "$work/trace.dat") - <<-'EOF'
	Time off the CPU, blocked, by call stack:
	5.00us in 2 waits.

	 SHARE     TIME     WAITS    FUNCTION
	 80.0%   4.00us         1  - futex
	 80.0%   4.00us         1    - main  program
	 80.0%   4.00us         1      outer
	 80.0%   4.00us         1      middle
	 80.0%   4.00us         1      (inlined) inner
	 80.0%   4.00us         1      __x64_sys_futex  [kernel]
	 80.0%   4.00us         1      futex_wait_queue
	 80.0%   4.00us         1      schedule
	 20.0%   1.00us         1  - unknown
	 20.0%   1.00us         1    - main  program
	 20.0%   1.00us         1      outer
	 20.0%   1.00us         1      middle
	 20.0%   1.00us         1      (inlined) inner
	EOF
	diff <("$annot" report --stacks misses --threshold 50 "$work/trace.dat") - <<-'EOF'
	Samples by call stack, of miss:
	3000 in 3 samples.
	Besides, 1000 (25.0 % of all) without a stack.

	 SHARE   EVENTS   SAMPLES    FUNCTION
	 66.7%     2000         2  - main  program
	 66.7%     2000         2    outer
	 66.7%     2000         2    middle
	 66.7%     2000         2    (inlined) inner
	                            (1 more, each less than 50 %: --threshold 0)
	EOF
}

# Offsets in the file stand in place of names: they are short, as addresses in the process are not.
without_symbols() {
	rm "$work/program"
	"$annot" report --stacks misses "$work/trace.dat" 2>"$work/err" >"$work/out" || return
	grep -q '2000         2  [- ] \[program+0x[0-9a-f]\{1,5\}\]' "$work/out" || cat "$work/out"
	grep -q "its symbols are not known" "$work/err" || echo "no warning"
}

refuses() {	# OPTION...
	"$annot" report "$@" "$work/trace.dat" >"$work/out" 2>&1 && echo "not refused: $*"
	[ "$(wc -l <"$work/out")" = 1 ] || cat "$work/out"
}

refusals() {
	refuses --stacks off-cpu --csv
	refuses --stacks off-cpu --by symbol
	refuses --stacks off-cpu --event miss
	refuses --stacks misses --event other
	refuses --stacks sideways
	tests/lib/script_trace.py "$work/none.dat" <<-'EOF'
	1000 0 0 switch next_pid=100 next_comm=prog
	2000 0 100 switch prev_state=1
	EOF
	"$annot" report --stacks off-cpu "$work/none.dat" >"$work/out" 2>&1
	grep -q 'has no call stacks' "$work/out" || echo "no stacks, no word"
}

# The same samples, of a clock: of what lies between them nothing is known.
profile() {
	sed "s/name=miss mode=sample/name=cpu_clock mode=sample type=0x1 config=0x0/" "$work/script" >"$work/profile"
	echo "11800 0 0 state event=0 state=5 value=3" >>"$work/profile"
	tests/lib/script_trace.py -k "$work/kallsyms" "$work/trace.dat" <"$work/profile" || return
	diff <(stacks on-cpu) - <<-EOF
	prog  2000 2 $(chain)
	prog  1000 1 [stack is not in the trace]:-
	EOF
	diff <("$annot" report --stacks on-cpu --threshold 50 "$work/trace.dat") - <<-'EOF'
	Time on a CPU by call stack:
	3.00us in 3 samples.
	Besides, 1.00us (25.0 % of all) without a stack.
	3 samples of all programs are missing: the time is longer than that.

	 SHARE     TIME   SAMPLES    FUNCTION
	 66.7%   2.00us         2  - main  program
	 66.7%   2.00us         2    outer
	 66.7%   2.00us         2    middle
	 66.7%   2.00us         2    (inlined) inner
	                            (1 more, each less than 50 %: --threshold 0)
	EOF
	"$annot" report --json --stacks on-cpu "$work/trace.dat" | grep -c '"profile": true\|"lost_samples": 3' | diff - <(echo 2)
	diff <(stacks off-cpu | wc -l) <(echo 2)
	tests/lib/script_trace.py -k "$work/kallsyms" "$work/trace.dat" <"$work/script"
}

check "a program says what its stack is" told_stacks
check "time off the CPU, by cause and stack" off_cpu
check "time on a CPU" on_cpu
check "samples" misses
check "samples of instructions" of_instructions
check "a profile" profile
check "who ended the time off the CPU" wakers
check "as a tree of callers" as_text
check "what cannot be is refused" refusals
check "a program that is gone" without_symbols
check "a trace of another byte order" told_stacks -m big,8,6
check "... tells the same" off_cpu
exit $failed
