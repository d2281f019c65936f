# SPDX-License-Identifier: GPL-2.0
# BOOT: -s 2 -T single -t 300
# SERIES: 6.1-rt 6.12 7
# FILES: build/tests/vm/attack_memory
#
# The memory of rings belongs to the kernel: whatever system call an ordinary user finds.

# shellcheck source=tests/lib/tap.sh
. /test/tap.sh

insmod annot.ko || exit 1
chgrp 100 /dev/annot/*
ip link set lo up 2>/dev/null || ifconfig lo up
./attack_memory || exit 1
check "annot.ko unloads" rmmod annot
