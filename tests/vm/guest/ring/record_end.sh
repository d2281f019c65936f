# SPDX-License-Identifier: GPL-2.0
# BOOT: -s 2 -T single -t 400
# SERIES: 6.12
# FILES: build/tests/vm/last_words
#
# The end of a recording leaves nothing in the rings, not even in that of a thread which stays on its
# CPU, and so is emptied by no switch. Something may want that CPU just then all the same: hence
# several times.

# shellcheck source=tests/lib/tap.sh
. /test/tap.sh

events=/sys/kernel/tracing/events

# Waits for a COMMAND to be true, for a minute at most.
wait_for() {
	for _ in $(seq 600); do
		"$@" && return
		sleep 0.1
	done
	echo "# in vain: $*"
	return 1
}

is_recording() {
	[ "$(cat $events/annot/annot_batch/enable)" = 1 ] && [ "$(cat /sys/kernel/tracing/tracing_on)" = 1 ]
}

starts_with() { [ "$(head -c 1 /tmp/said)" = "$1" ]; }

# Without a process of its own, which would take its time.
silence() {
	printf . 1<>/tmp/said
	while read -r said </tmp/said; [ "${said#0}" = "$said" ]; do
		:
	done
}

nr_recorded() {
	trace-cmd report -i /tmp/end.dat 2>/dev/null |
		sed -n 's/.*annot_batch: .* nr=\([0-9]*\) .*/\1/p' | awk '{ sum += $1 } END { print sum + 0 }'
}

by_signal() {
	annot record -o /tmp/end.dat >"$tap_log" 2>&1 &
	recorder=$!
	wait_for is_recording
	./last_words /tmp/said &
	speaker=$!
	wait_for starts_with '!'
	silence
	kill -INT $recorder
	wait $recorder
}

by_command() {
	annot record -o /tmp/end.dat -- sh ./record_end.sh silence >"$tap_log" 2>&1 &
	recorder=$!
	wait_for is_recording
	./last_words /tmp/said &
	speaker=$!
	wait $recorder
}

speak() {	# NAME HOW
	rm -f /tmp/said
	$2
	kill -9 $speaker
	wait $speaker 2>/dev/null
	want=$(sed 's/^0*//' /tmp/said)
	got=$(nr_recorded)
	if [ "$got" = "$want" ]; then
		pass "$1: all $want annotations are there"
	else
		fail "$1: $got of $want annotations are there"
	fi
}

if [ "$1" = silence ]; then
	wait_for starts_with '!'
	silence
	exit
fi

taskset -p 1 $$ >/dev/null
insmod annot.ko || exit 1
for _ in 1 2 3; do
	speak "a recording that a signal ends" by_signal
	speak "a recording whose command ends" by_command
done
exit $failed
