# SPDX-License-Identifier: GPL-2.0
# BOOT: -s 2 -T single -t 300
# SERIES: arm64 riscv64
# DEBUG: no, it is for other machines
# FILES: build/tests/vm/linked_stacks
#
# Stacks of a program for a machine where a call leaves the return address in a register.

# shellcheck source=tests/lib/tap.sh
. /test/tap.sh

sleeps_are_recorded() {	# NAME [ROWS]
	name=$1
	shift
	trace-cmd record -q -b 4096 -o "/out/$name.dat" -e sched:sched_switch -e annot:annot_blocked \
		-e annot:annot_stack ./linked_stacks "$@" >"/out/$name.said"
}

insmod annot.ko || exit 1
check "a program that sleeps is recorded" sleeps_are_recorded tables linked_stacks.rows
check "... without tables" sleeps_are_recorded no_tables
check "annot.ko unloads" rmmod annot
exit "$failed"
