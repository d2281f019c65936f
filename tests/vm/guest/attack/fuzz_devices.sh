# SPDX-License-Identifier: GPL-2.0
# BOOT: -s 2 -m 1536M -T single -t 580
# SERIES: 6.12
# FILES: build/tests/vm/fuzz_devices build/tests/vm/honest
#
# What nobody would do with the devices, beside one who uses them as is meant. A debug kernel, which
# tells what code was reached and lets allocations fail, is given half an hour.

# shellcheck source=tests/lib/tap.sh
. /test/tap.sh

seconds=${FUZZ_SECONDS:-30}
[ -z "$SLOWDOWN" ] || seconds=${FUZZ_SECONDS:-1800}
insmod annot.ko || exit 1
chgrp 1000 /dev/annot/* && chmod 660 /dev/annot/*
echo 1 >/proc/sys/vm/unprivileged_userfaultfd
# Thousands of lines about who touched what it may not would push all else out of the kernel's log.
echo 0 >/proc/sys/debug/exception-trace
mount -t debugfs debug /sys/kernel/debug 2>/dev/null
for fault in failslab fail_page_alloc; do
	dir=/sys/kernel/debug/$fault
	[ ! -d $dir ] || { echo N >$dir/ignore-gfp-wait && echo 0 >$dir/verbose; } || exit 1
done
[ ! -d $dir ] || echo 0 >$dir/min-order || exit 1
./honest ./fuzz_devices "$seconds" ${FUZZ_SEED:+"$FUZZ_SEED"} || failed=1
for _ in $(seq 50); do
	[ "$(cat /sys/module/annot/refcnt)" != 0 ] || break
	sleep 0.1
done
check "annot.ko unloads" rmmod annot
exit $failed
