# SPDX-License-Identifier: GPL-2.0
# BOOT: -s 2 -T single -t 300
# SERIES: 6.1
# FILES: build/tests/vm/calls
#
# Annotations by ANNOT_IOC_RECORD: what it takes, whose they are, what they count.

# shellcheck source=tests/lib/tap.sh
. /test/tap.sh

insmod annot.ko || exit 1
./calls check || failed=1
check "annot.ko unloads" rmmod annot
exit ${failed-0}
