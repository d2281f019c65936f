# SPDX-License-Identifier: GPL-2.0
# BOOT: -s 2 -T single -t 300
# FILES: build/tests/vm/clock_lost
#
# The clock of the records goes back, and is lost.

insmod annot.ko || exit 1
./clock_lost clock_faults.ko || failed=1
if rmmod annot; then echo "ok - annot.ko unloads"; else echo "not ok - annot.ko unloads"; failed=1; fi
exit ${failed-0}
