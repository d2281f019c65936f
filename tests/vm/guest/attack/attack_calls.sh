# SPDX-License-Identifier: GPL-2.0
# BOOT: -s 2 -T single -t 300
# SERIES: 6.12
# FILES: build/tests/vm/attack_calls
#
# System calls as odd programs make them.

# shellcheck source=tests/lib/tap.sh
. /test/tap.sh

insmod annot.ko || exit 1
./attack_calls || failed=1
check "annot.ko unloads" rmmod annot
exit $failed
