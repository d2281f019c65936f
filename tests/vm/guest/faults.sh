# SPDX-License-Identifier: GPL-2.0
# BOOT: -s 2 -T single -t 100 -A
# SERIES: debug
#
# Each mistake once; faults.post looks for what the kernel said of it. lockdep gives up after its
# first find, and after KASAN's, so what it finds without giving up goes first, and KASAN's last.

for fault in sleep_in_atomic unprotected_rcu shift_too_far free_active_timer inverted_locks \
	past_the_end past_the_pages after_free forgotten; do
	if insmod faults.ko fault=$fault && rmmod faults; then
		echo "ok - the mistake $fault is made"
	else
		echo "not ok - the mistake $fault is made"
	fi
done
