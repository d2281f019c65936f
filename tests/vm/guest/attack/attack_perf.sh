# SPDX-License-Identifier: GPL-2.0
# BOOT: -s 2 -T single -t 300
# SERIES: 6.1
# FILES: build/tests/vm/attack_perf
#
# Who may have our events by perf and BPF.

# shellcheck source=tests/lib/tap.sh
. /test/tap.sh

insmod annot.ko || exit 1
chgrp 100 /dev/annot/*
./attack_perf || failed=1
check "annot.ko unloads" rmmod annot
exit $failed
