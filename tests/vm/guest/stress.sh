# SPDX-License-Identifier: GPL-2.0
# BOOT: -s 4 -m 1536M -T multi -t 280
# FILES: build/tests/vm/stress
#
# Four million records from threads that are preempted, moved and interrupted all the time, in
# batches. The buffers hold all of it, whether or not trace-cmd finds the time to read them.

insmod annot.ko || exit 1
if annot record -b 65536 -o /out/stress.dat -- ./stress /out/stress.truth "${SLOWDOWN:-1}" >/tmp/log 2>&1; then
	echo "ok - it annotates into rings, and is recorded"
else
	sed 's/^/# /' /tmp/log
	echo "not ok - it annotates into rings, and is recorded"
fi
cp /tmp/log /out/stress.log
if rmmod annot; then echo "ok - annot.ko unloads"; else echo "not ok - annot.ko unloads"; fi
