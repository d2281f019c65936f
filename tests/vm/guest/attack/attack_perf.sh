# SPDX-License-Identifier: GPL-2.0
# BOOT: -s 2 -T single -t 300
# FILES: build/tests/vm/attack_perf
#
# Who may have our events by perf and BPF.

insmod annot.ko || exit 1
chgrp 100 /dev/annot/*
./attack_perf || failed=1
if rmmod annot; then echo "ok - annot.ko unloads"; else echo "not ok - annot.ko unloads"; failed=1; fi
exit ${failed-0}
