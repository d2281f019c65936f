# SPDX-License-Identifier: GPL-2.0
# BOOT: -s 2 -T single -t 400
# SERIES: 6.12
# FILES: build/tests/vm/ring_identity
#
# An annotation bears the thread that made it.

# shellcheck source=tests/lib/tap.sh
. /test/tap.sh

insmod annot.ko || exit 1
./ring_identity || exit 1
check "annot.ko unloads" rmmod annot
