# SPDX-License-Identifier: GPL-2.0
# BOOT: -s 2 -T single -t 300
# SERIES: 6.1
# FILES: build/tests/vm/full_rings
#
# What the library does when a ring is full in spite of all.

# shellcheck source=tests/lib/tap.sh
. /test/tap.sh

insmod annot.ko || exit 1
echo 16384 >/sys/kernel/tracing/buffer_size_kb
./full_rings || exit 1
check "annot.ko unloads" rmmod annot
