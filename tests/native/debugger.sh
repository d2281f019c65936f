#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# SLOW
#
# gdb goes over annotated lines in each way it can, and comes to an end; what it steps over is
# annotated once. TAP.
set -uo pipefail

cd "$(dirname "$0")/../.." || exit
if ! command -v gdb >/dev/null; then
	echo "1..0 # SKIP gdb is not installed"
	exit
fi

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
# shellcheck source=tests/lib/tap.sh
. tests/lib/tap.sh
output_is_failure=true
mkdir -p "$work/tracefs/events"
echo 1 >"$work/tracefs/tracing_on"
echo 1 >"$work/tracefs/events/enable"
unset ANNOT_BATCHES ANNOT_DEBUG
export ANNOT_BACKEND=marker ANNOT_TRACEFS=$work/tracefs
limit=120 # seconds; without an end to restarting, no time is enough
ulimit -c 0

# A point that fails shows what gdb said, too.
check_gdb() {	# NAME FUNCTION
	local had_failed=$failed
	failed=0
	check "$1" "$2"
	[ $failed -eq 0 ] || sed 's/^/# | /' "$work/gdb" 2>/dev/null
	failed=$((failed | had_failed))
}

builds() {
	${CC:-cc} -std=gnu11 -O0 -g -Wall -Wextra -Werror -D_GNU_SOURCE -Iinclude \
		tests/native/debugged.c tests/lib/anon_rings.c build/libannot/libannot.a -lpthread \
		-o "$work/debugged"
}
check_gdb "a program to debug" builds
first=$(grep -n '/\* first line \*/' tests/native/debugged.c | cut -d : -f 1)
last=$(grep -n '/\* last line \*/' tests/native/debugged.c | cut -d : -f 1)

# gdb's commands on standard input, after the program has come to the first line again; what gdb says
# is in gdb.
debug() {	# [VARIABLE=VALUE...]
	: >"$ANNOT_TRACEFS/trace_marker"
	{
		echo "set debuginfod enabled off"
		echo "set confirm off"
		echo "set width 0"
		echo "break debugged.c:$first if nr_times == 1"
		echo "run"
		cat
	} >"$work/commands"
	env "$@" timeout $limit gdb -q -batch -x "$work/commands" "$work/debugged" \
		</dev/null >"$work/gdb" 2>&1
	[ $? -ne 124 ] || echo "gdb was still at it after $limit s"
}

said() {	# PATTERN
	grep -q -- "$1" "$work/gdb" || echo "gdb did not say '$1'"
}

# In the rings, and in trace_marker what did not come into them.
annotated() {	# NUMBER
	local stored written
	stored=$(sed -n 's/^stored \([0-9]*\)$/\1/p' "$work/gdb")
	written=$(grep -o 'I|[0-9]*|stepped' "$ANNOT_TRACEFS/trace_marker" | wc -l)
	[ $((stored + written)) -eq "$1" ] ||
		echo "${stored:-no} annotations in rings and $written written, not $1"
}

steps_over_lines() {
	debug <<-'EOF'
		next
		next
		next
		next
		print watched * 100
		continue
	EOF
	said '^.1 = 200$'
	annotated 4
}
check_gdb "next over annotated lines" steps_over_lines

steps_instructions() {
	debug <<-EOF
		python
		for nr in range(20000):
		    gdb.execute("stepi", to_string=True)
		    if gdb.newest_frame().name() == "annotate" and gdb.newest_frame().find_sal().line == $last:
		        print("at the last line after %d instructions" % nr)
		        break
		end
		continue
	EOF
	said '^at the last line after [0-9]* instructions$'
	annotated 4
}
check_gdb "stepi through annotated lines" steps_instructions

watches() {	# can-use-hw-watchpoints
	debug <<-EOF
		set can-use-hw-watchpoints $1
		watch watched
		continue
		continue
		continue
		delete
		continue
	EOF
	said '^New value = 2$'
	said '^New value = 3$'
	annotated 4
}

watches_by_hardware() {
	watches 1
	said '^Hardware watchpoint 2: watched$'
}
watches_by_stepping() {
	watches 0
	said '^Watchpoint 2: watched$'
}
check_gdb "a watchpoint in software" watches_by_stepping
annotated_whole() {
	debug <<-EOF
		watch watched
		continue
	EOF
	said '^Hardware watchpoint 2: watched$'
	annotated 4
}
# The debug registers of some virtual machines never fire: then gdb stops in no program.
fires_without_annotations() {
	${CC:-cc} -O0 -g -x c - -o "$work/plain" <<-'EOF'
		static volatile int watched;
		int main(void) { watched = 1; watched = 2; return 0; }
	EOF
	timeout $limit gdb -q -batch -ex "break main" -ex run -ex "watch watched" -ex continue \
		"$work/plain" </dev/null 2>&1 | grep -q '^New value = 1$'
}
check_hardware() {
	local refusal
	if ! fires_without_annotations; then
		check_gdb "a watchpoint in hardware, which never fires here, ends as without annotations" \
			annotated_whole
		return
	fi
	debug <<-EOF
		watch watched
		continue
	EOF
	refusal=$(grep -i 'not insert hardware\|cannot set hardware' "$work/gdb")
	if [ -n "$refusal" ]; then
		skip "a watchpoint in hardware" "gdb: $refusal"
	else
		check_gdb "a watchpoint in hardware" watches_by_hardware
	fi
}
check_hardware

goes_back() {	# [VARIABLE=VALUE...]
	debug "$@" <<-'EOF'
		record full
		next
		next
		next
		next
		print watched * 100
		reverse-step
		reverse-next
		reverse-continue
		print 1000 - watched
		record stop
		delete
		continue
	EOF
}

# gdb must know each instruction that it records: the C library is told to do without those that
# gdb 13 does not know.
no_avx=GLIBC_TUNABLES=glibc.cpu.hwcaps=-AVX2,-AVX,-AVX512F,-EVEX,-ERMS,-AVX_Fast_Unaligned_Load,-XSAVEC,-XSAVE

records() {
	goes_back LD_BIND_NOW=1 $no_avx
	said '^.1 = 200$'
	said '^No more reverse-execution history'
	said '^.2 = 997$'
	said '^Process record is stopped'
	# What went back in time goes the same way again.
	annotated 6
}
check_gdb "record full, and back by reverse-step, reverse-next, reverse-continue" records

# Without that, it says at which instruction it ends, wherever that is: annot(3) has the cure.
says_why_not() {
	goes_back
	grep -q '^.2 = 997$' "$work/gdb" && return
	said '^Process record does not support instruction 0x'
	grep -q '^\(__str\|__mem\|_dl_\|clock_gettime\)' "$work/gdb" || echo "and not in the C library"
}
if [ "$(uname -m)" = x86_64 ]; then
	check_gdb "record full without help: it works, or gdb names the C library's instruction" says_why_not
	sed -n 's/^Process record does not support/# gdb: &/p' "$work/gdb" | sort -u
fi
