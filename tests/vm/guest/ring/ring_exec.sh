# SPDX-License-Identifier: GPL-2.0
# BOOT: -s 2 -T single -t 400
# SERIES: 6.12
# FILES: build/tests/vm/ring_exec
#
# Who executes a program leaves its rings behind, whoever else has them.

# shellcheck source=tests/lib/tap.sh
. /test/tap.sh

insmod annot.ko || exit 1
./ring_exec || exit 1
check "annot.ko unloads" rmmod annot
