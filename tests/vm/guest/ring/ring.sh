# SPDX-License-Identifier: GPL-2.0
# BOOT: -s 2 -T single -t 400
# FILES: build/tests/vm/ring
#
# The rings: what is written into mapped memory becomes events, whatever becomes of the writer.

# shellcheck source=tests/lib/tap.sh
. /test/tap.sh

insmod annot.ko || exit 1
./ring check || failed=1

# --- loading and unloading

hold() {	# starts a process that holds rings
	rm -f /tmp/held
	./ring hold >/tmp/held &
	holder=$!
	for _ in $(seq 100); do
		grep -q held /tmp/held && return
		sleep 0.1
	done
	return 1
}

let_go() {
	kill -9 $holder
	wait $holder 2>/dev/null
	true
}

echo 1 >/sys/kernel/tracing/events/annot/enable
hold
refuse "annot.ko is not unloaded while rings are mapped" rmmod annot
let_go
check "annot.ko unloads when they are gone" rmmod annot

cycle() {
	for _ in $(seq 10); do
		insmod annot.ko && echo 1 >/sys/kernel/tracing/events/annot/enable || return 1
		hold || return 1
		let_go
		rmmod annot || return 1
	done
}
check "10 times loaded, used while recording, and unloaded" cycle

exit ${failed-0}
