#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# SLOW
# TIMED
#
# Call stacks of user code by ftrace's option userstacktrace, with the kernel's by annot record --why: a program that
# waits at the ends of two known chains of calls, and measures for how long. TAP.
# shellcheck disable=SC2154,SC2317	# record.bash assigns; checks are called by name
set -u

cd "$(dirname "$0")/../.." || exit
if [ "$(uname -m)" != x86_64 ]; then
	echo "1..0 # SKIP the program makes system calls of x86-64"
	exit
fi
# shellcheck source=tests/lib/folded_chains.sh
. tests/lib/folded_chains.sh
# shellcheck source=tests/native/record.bash
. tests/native/record.bash

build() {
	cc -g -O2 -fno-omit-frame-pointer -fno-optimize-sibling-calls -pthread -o stack_waits "$here/tests/workloads/stack_waits.c"
}

# Its stacks are in the trace, as are the kernel's of --why.
record_waits() {
	cat >run.sh <<-EOF
		echo 1 >"\${ANNOT_TRACEFS:-$tracefs}/options/userstacktrace"
		exec ./stack_waits "\${ANNOT_TRACEFS:-$tracefs}/trace_marker"
	EOF
	record 0 -q --why -o waits.dat -- sh run.sh
	echo 0 >$tracefs/options/userstacktrace
}

differences() {
	"$annot" convert --folded off-cpu -o folded waits.dat >/dev/null 2>err || cat err
	folded_chain folded "pipe read" "main;serve;fetch;read_pipe" "$(sed -n 's/^read //p' out)" 2
	folded_chain folded "sleep" "main;idle;nap;sleep_ns" "$(sed -n 's/^sleep //p' out)" 2
}

# A busy machine loses switches: one of three recordings has to be whole.
tells_chains() {
	local found
	for _ in 1 2 3; do
		record_waits
		found=$(differences)
		[ -n "$found" ] || return 0
	done
	printf '%s\n' "$found"
	head -20 folded
}

as_tree() {
	record_waits
	"$annot" report --stacks off-cpu waits.dat >tree 2>err || cat err
	for name in serve fetch read_pipe idle nap sleep_ns; do
		grep -qw "$name" tree || echo "no $name in the tree"
	done
}

check "the program builds" build
check_afresh "chains of calls, and the time that belongs to them" tells_chains
check_afresh "the tree of callers" as_tree
exit $failed
