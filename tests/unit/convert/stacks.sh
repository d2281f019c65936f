#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# NEEDS: npm-packages
#
# annot convert --folded, --pprof and --speedscope: the call stack that a program says itself (../report/stacks_program.c),
# to the letter. Profiles are decoded by the fields' numbers alone; go tool pprof reads them, too, where there is one.
# Files of speedscope fit the schema that it has of them. TAP.
set -uo pipefail

cd "$(dirname "$0")/../../.." || exit
annot=${ANNOT:-build/annot}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
unset DEBUGINFOD_URLS
schema=${ANNOT_BUILD:-build}/tests/npm/node_modules/speedscope/dist/release/file-format-schema.json

# shellcheck source=tests/lib/tap.sh
. tests/lib/tap.sh
# shellcheck source=tests/lib/told_stacks.sh
. tests/lib/told_stacks.sh
output_is_failure=true

convert() {	# OPTION...
	"$annot" convert "$@" -o "$work/out" "$work/trace.dat" >/dev/null
}

folded() {	# WHAT
	convert --folded "$1" && diff "$work/out" -
}

as_folded() {
	local chain="main;outer;middle;inner"
	folded off-cpu <<-EOF
	prog;[futex];$chain;__x64_sys_futex;futex_wait_queue;schedule 4000
	prog;[unknown];$chain 1000
	EOF
	folded on-cpu <<-EOF
	prog;$chain 2500
	prog;[stack is not in the trace] 1000
	prog;$chain;__x64_sys_futex;futex_wait_queue;schedule 2000
	EOF
	folded misses <<-EOF
	prog;$chain 2000
	prog;[stack is not in the trace] 1000
	EOF
}

# A part of the first wait, and the second.
of_a_part() {
	convert --folded off-cpu --from +8us
	diff "$work/out" - <<-EOF
	prog;[futex];main;outer;middle;inner;__x64_sys_futex;futex_wait_queue;schedule 1000
	prog;[unknown];main;outer;middle;inner 1000
	EOF
}

place() {	# FUNCTION
	echo "$1@stacks_program.c:$(sed -n "s/^line $1 //p" "$work/said") in program"
}

as_pprof() {
	local chain
	chain="$(place inner) < $(place middle) < $(place outer) < $(place main)"
	convert --pprof off-cpu
	diff <(tests/unit/convert/read_pprof.py "$work/out") - <<-EOF
	type waits count
	type off-cpu nanoseconds
	duration 10750
	1 4000 {thread=prog,tid=100,cause=futex} schedule@:0 in [kernel] < futex_wait_queue@:0 in [kernel] < __x64_sys_futex@:0 in [kernel] < $chain
	1 1000 {thread=prog,tid=100,cause=unknown} $chain
	EOF
	convert --pprof misses --event miss
	diff <(tests/unit/convert/read_pprof.py "$work/out") - <<-EOF
	type samples count
	type miss count
	period 1000 miss
	duration 10750
	2 2000 {thread=prog,tid=100} $chain
	1 1000 {thread=prog,tid=100} [stack is not in the trace]@:0 in no file
	EOF
}

speedscope() {	# WHAT OPTION...
	convert --speedscope "$@"
	tests/unit/convert/read_speedscope.py "$schema" "$work/out"
}

named() {	# FUNCTION
	echo "$1@stacks_program.c:$(sed -n "s/^line $1 //p" "$work/said")"
}

as_speedscope() {
	local chain
	chain="$(named main);$(named outer);$(named middle);$(named inner)"
	diff <(speedscope off-cpu) - <<-EOF
	prog (100): 5000 nanoseconds
	4000 [futex];$chain;__x64_sys_futex;futex_wait_queue;schedule
	1000 [unknown];$chain
	EOF
	diff <(speedscope on-cpu) - <<-EOF
	prog (100): 5500 nanoseconds
	2000 $chain
	1000 [stack is not in the trace]
	2000 $chain;__x64_sys_futex;futex_wait_queue;schedule
	500 $chain
	EOF
	diff <(speedscope misses --event miss) - <<-EOF
	prog (100): 3000 none
	2000 $chain
	1000 [stack is not in the trace]
	EOF
}

# Each of two has its own profile; a name that is no UTF-8, and one that has all that JSON escapes.
of_two_threads() {
	sed 's/bad/a\xff/' >"$work/script" <<-'EOF'
	1000 0 0 switch next_pid=100 next_comm="bad"
	1000 1 0 switch next_pid=101 next_comm='"<\>'
	2000 0 100 switch prev_state=1
	2001 0 100 user_stack tgid=100 caller=0x401000 common_flags=1
	2500 1 101 switch prev_state=1
	2501 1 101 user_stack tgid=100 caller=0x401000,0x402001 common_flags=1
	5000 0 0 switch next_pid=100
	6000 1 0 switch next_pid=101
	EOF
	PYTHONIOENCODING=utf-8:surrogateescape tests/lib/script_trace.py "$work/trace.dat" <"$work/script"
	diff <(speedscope off-cpu --all) - <<-'EOF'
	a\ufffd (100): 3000 nanoseconds
	3000 [unknown];[0x401000]
	"<\> (101): 3500 nanoseconds
	3500 [unknown];[0x402000];[0x401000]
	EOF
}

# A name that would end a frame, a line or a string.
awkward_names() {
	tests/lib/script_trace.py "$work/trace.dat" <<-'EOF'
	1000 0 0 switch next_pid=100 next_comm="a;b"
	2000 0 100 switch prev_state=1 prev_comm="a;b"
	2001 0 100 user_stack tgid=100 caller=0x401000,0x402001 common_flags=1
	5000 0 0 switch next_pid=100 next_comm="a;b"
	6000 0 100 switch prev_state=0 prev_comm="a;b"
	EOF
	folded off-cpu <<-'EOF'
	a:b;[unknown];[0x402000];[0x401000] 3000
	EOF
	sed 's/a;b/a\xff/g' >"$work/script" <<-'EOF'
	1000 0 0 switch next_pid=100 next_comm="a;b"
	2000 0 100 switch prev_state=1 prev_comm="a;b"
	2001 0 100 user_stack tgid=100 caller=0x401000 common_flags=1
	5000 0 0 switch next_pid=100 next_comm="a;b"
	EOF
	PYTHONIOENCODING=utf-8:surrogateescape tests/lib/script_trace.py "$work/trace.dat" <"$work/script"
	convert --pprof off-cpu
	tests/unit/convert/read_pprof.py "$work/out" | grep -q '^1 3000 {thread=a?,tid=100,' ||
		tests/unit/convert/read_pprof.py "$work/out"
}

go_reads_it() {
	convert --pprof off-cpu
	go tool pprof -raw "$work/out" >"$work/raw" 2>&1 && grep -q '__x64_sys_futex' "$work/raw" || cat "$work/raw"
}

check "a program says what its stack is" told_stacks
check "folded text" as_folded
check "of a part of the trace" of_a_part
check "pprof, decoded by itself" as_pprof
check "speedscope" as_speedscope
if command -v go >/dev/null; then
	check "go tool pprof reads it" go_reads_it
fi
check "awkward names" awkward_names
check "speedscope: of two threads" of_two_threads
exit $failed
