# SPDX-License-Identifier: GPL-2.0
# BOOT: -s 2 -T single -t 400
# FILES: build/tests/vm/ring
#
# The rings: what is written into mapped memory becomes events, whatever becomes of the writer.

failed=0
check() {	# NAME COMMAND...
	name=$1
	shift
	if "$@" >/tmp/log 2>&1; then
		echo "ok - $name"
	else
		sed 's/^/# /' /tmp/log
		echo "not ok - $name"
		failed=1
	fi
}

refuse() {	# NAME COMMAND...: the command must fail
	name=$1
	shift
	check "$name" sh -c '! "$@"' refuse "$@"
}

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

refuse "a ring_bytes that is no power of two" insmod annot.ko ring_bytes=5000
refuse "nor less than a page" insmod annot.ko ring_bytes=2048
refuse "nor more than 64 KiB" insmod annot.ko ring_bytes=131072
check "annot.ko loads with the largest rings" insmod annot.ko ring_bytes=65536
./ring check >/tmp/large || failed=1
check "which do what the others do" sh -c '! grep -v -e "^ok" -e "^#" /tmp/large && grep -q ^ok /tmp/large'
check "annot.ko unloads" rmmod annot

exit $failed
