# SPDX-License-Identifier: GPL-2.0
# BOOT: -s 1 -T count -t 400
# SERIES: 6.12
# FILES: build/tests/vm/stack_again
#
# Stacks of a program that sleeps where its registers are as they were, but its callers are not.

# shellcheck source=tests/lib/tap.sh
. /test/tap.sh

sleeps_are_recorded() {
	annot record -q --why --call-stacks -o /out/again.dat -- ./stack_again >/out/again.said
}

insmod annot.ko || exit 1
check "a program that sleeps is recorded" sleeps_are_recorded
check "annot.ko unloads" rmmod annot
exit "$failed"
