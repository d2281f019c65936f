# SPDX-License-Identifier: GPL-2.0
# BOOT: -s 2 -T single -t 100 -A
# SERIES: debug-6.1 debug-6.12 debug-kcsan
#
# Each mistake once; faults.post looks for what the kernel said of it. lockdep gives up after its
# first find, and after KASAN's, so what it finds without giving up goes first, and KASAN's last.

# shellcheck source=tests/lib/tap.sh
. /test/tap.sh

make_mistake() {	# FAULT
	insmod faults.ko fault=$1 && rmmod faults
}

faults="sleep_in_atomic unprotected_rcu shift_too_far free_active_timer inverted_locks
	past_the_end past_the_pages after_free forgotten"
case $(uname -r) in *-annotcsan) faults=race ;; esac
for fault in $faults; do
	check "the mistake $fault is made" make_mistake $fault
done
