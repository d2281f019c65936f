# SPDX-License-Identifier: GPL-2.0
# BOOT: -s 2 -T single -t 300
# SERIES: 6.12
# FILES: build/tests/vm/clock_lost
#
# The clock of the records goes back, and is lost.

# shellcheck source=tests/lib/tap.sh
. /test/tap.sh

insmod annot.ko || exit 1
./clock_lost clock_faults.ko || failed=1
check "annot.ko unloads" rmmod annot
exit $failed
