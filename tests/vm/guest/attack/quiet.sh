# SPDX-License-Identifier: GPL-2.0
# BOOT: -s 2 -T single -t 300
# SERIES: 6.12
# FILES: build/tests/vm/quiet
#
# CPUs and recordings that have nothing to do with annotations are left in peace.

# shellcheck source=tests/lib/tap.sh
. /test/tap.sh

insmod annot.ko || exit 1
mkdir /sys/kernel/tracing/instances/other /sys/kernel/tracing/instances/calls || exit 1
./quiet || failed=1
check "annot.ko unloads" rmmod annot
exit $failed
