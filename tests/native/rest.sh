#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# SLOW
#
# A program that may write to ftrace, without the module: a thread rests while nothing records, and sees whoever
# begins to. TAP.
# shellcheck disable=SC2154	# record.bash assigns what is not assigned here
set -u

cd "$(dirname "$0")/../.." || exit
# shellcheck source=tests/native/record.bash
. tests/native/record.bash
unset ANNOT_BATCHES ANNOT_TRACEFS ANNOT_DEBUG
export ANNOT_BACKEND=marker
[ -e /dev/annot ] || export ANNOT_BACKEND=auto

builds() {
	${CC:-cc} -std=gnu11 -O2 -Wall -Wextra -Werror -I"$here/include" "$here/tests/native/resting.c" \
		"$here/build/libannot/libannot.a" -lpthread -o resting
}

# Hardly an annotation comes as far as the library: those after it was preempted.
rests() {
	local resting awake awoken switches
	./resting 1 >out
	read -r resting awake awoken switches < <(tail -n 1 out)
	[ "$resting" -gt 1000000 ] || echo "only $resting annotations while it rests"
	[ "$awake" -lt $((resting / 100)) ] || echo "$awake of $resting annotations while it does not rest"
	# What the kernel does else before it returns to a program may awaken it, too: a thousand times in this second at most.
	[ "$awoken" -le $((1000 + 2 * switches)) ] || echo "awoken $awoken times, of $switches switches"
}

# Pinned to a CPU on which nothing else has to be; neither knows of the other. Who sees nobody is awake for as many
# annotations as it is preempted, some hundreds; who does makes 400000 here in that time, and some ten thousand on any machine.
sees() {	# COMMAND...
	local pid resting awake
	taskset -c 0 ./resting 60 >out &
	pid=$!
	sleep 0.7
	"$@"
	kill -TERM $pid
	wait $pid
	read -r resting awake _ < <(tail -n 1 out)
	[ "$resting" -gt 100000 ] || echo "it did not rest before: $resting annotations"
	[ "$awake" -gt 20000 ] || echo "it saw nobody: $awake of $resting annotations"
}

annot_records() {
	timeout 20 "$annot" record -q --duration 0.5 >/dev/null || echo "exit status $?"
	report trace.dat | awk '/again/ { n++ } END { exit n < 10000 }' || echo "too few annotations in the trace"
}

# What plain trace-cmd does, as far as the program is concerned: its recorder of each CPU runs there.
somebody_records() {
	echo 1 >$tracefs/events/sched/sched_process_exit/enable
	echo 1 >$tracefs/tracing_on
	taskset -c 0 sleep 0.5
	echo 0 >$tracefs/tracing_on
	echo 0 >$tracefs/events/sched/sched_process_exit/enable
	[ "$(grep -c again $tracefs/trace)" -gt 1000 ] || echo "too few annotations in the trace"
	echo >$tracefs/trace
}

# And when nobody records any more.
rests_again() {
	local resting awake
	echo 1 >$tracefs/events/sched/sched_process_exit/enable
	echo 1 >$tracefs/tracing_on
	taskset -c 0 ./resting 2 >out &
	sleep 0.3
	echo 0 >$tracefs/events/sched/sched_process_exit/enable
	wait $!
	read -r resting awake _ < <(tail -n 1 out)
	[ "$resting" -gt $((10 * awake)) ] || echo "$resting annotations while it rests, $awake else"
	echo >$tracefs/trace
}

check_afresh "a program that annotates all the time" builds
check_afresh "a thread rests while nothing records" rests
check_afresh "it sees annot record" sees annot_records
check_afresh "it sees others that record" sees somebody_records
check_afresh "it rests again" rests_again
