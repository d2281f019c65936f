# SPDX-License-Identifier: GPL-2.0
# BOOT: -s 2 -T single -t 580
# SERIES: 6.1
# MORE: arm64 riscv64
# FILES: build/tests/vm/attack_stacks
#
# Tables for walking stacks, from whom they must not come and as they must not be; and stacks that are
# none, under samples.

# shellcheck source=tests/lib/tap.sh
. /test/tap.sh

insmod annot.ko || exit 1
chgrp 100 /dev/annot/*
./attack_stacks || failed=1
check "annot.ko unloads" rmmod annot
exit $failed
