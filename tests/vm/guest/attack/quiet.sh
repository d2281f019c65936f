# SPDX-License-Identifier: GPL-2.0
# BOOT: -s 2 -T single -t 300
# FILES: build/tests/vm/quiet
#
# CPUs and recordings that have nothing to do with annotations are left in peace.

insmod annot.ko || exit 1
mkdir /sys/kernel/tracing/instances/other /sys/kernel/tracing/instances/calls || exit 1
./quiet || failed=1
if rmmod annot; then echo "ok - annot.ko unloads"; else echo "not ok - annot.ko unloads"; failed=1; fi
exit ${failed-0}
