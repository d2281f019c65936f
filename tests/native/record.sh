#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# SLOW
#
# annot record on this machine's own ftrace. TAP.
# shellcheck disable=SC2154	# record.bash assigns what is not assigned here
set -u

cd "$(dirname "$0")/../.." || exit
# shellcheck source=tests/native/record.bash
. tests/native/record.bash

exit_status() {	# WANTED COMMAND...
	local wanted=$1
	shift
	record "$wanted" -- "$@"
	report trace.dat | grep -q sched_switch || echo "trace.dat: not a trace"
	[ ! -s out ] || echo "annot prints on stdout: $(cat out)"
}

cannot_run() {
	touch plain
	record 127 no-such-command
	one_line no-such-command "not found"
	record 127 ./no-such-command
	one_line ./no-such-command "not found"
	record 126 ./plain
	one_line ./plain "Permission denied"
	record 126 "$work"
	[ ! -e trace.dat ] || echo "a trace was made of nothing"
}

streams() {
	printf 'a\0b\r\nno newline' >given
	record 0 -q cat <given
	cmp out given
	[ ! -s err ] || echo "-q: $(cat err)"
	record 0 -q sh -c 'cat >/dev/null; echo to stderr >&2' <given
	[ "$(cat err)" = "to stderr" ] || echo "stderr: $(cat err)"
	# No descriptor of ours is handed on, no signal is blocked, or ignored.
	record 0 -q sh -c 'ls /proc/self/fd; exec grep ^Sig[BI] /proc/self/status'
	sh -c 'ls /proc/self/fd; exec grep ^Sig[BI] /proc/self/status' >given 2>err
	diff given out
}

events() {
	local event tid cpu=0
	[ "$(nproc)" -lt 2 ] || cpu=1
	cat >threads.py <<-EOF
		import os, threading, time
		def work():
		    os.write(1, b"%d\\n" % threading.get_native_id())
		    os.sched_setaffinity(0, [0])
		    time.sleep(0.01)
		    os.sched_setaffinity(0, [$cpu])
		    time.sleep(0.01)
		threads = [threading.Thread(target=work) for i in range(3)]
		for t in threads: t.start()
		for t in threads: t.join()
		os.system("true")
		with open("$tracefs/trace_marker", "w") as marker:
		    marker.write("I|%d|hello from threads.py" % os.getpid())
	EOF
	record 0 -o events.dat /usr/bin/python3 threads.py
	report events.dat >events
	for event in sched_switch sched_waking sched_wakeup sched_wakeup_new sched_process_fork sched_process_exec \
		sched_process_exit task_newtask task_rename print; do
		grep -q " $event: " events || echo "no $event"
	done
	[ $cpu -eq 0 ] || grep -q " sched_migrate_task: " events || echo "no sched_migrate_task"
	[ "$(wc -l <out)" -eq 3 ] || echo "threads.py started $(wc -l <out) threads"
	while read -r tid; do
		grep -q "sched_switch: .*==> .*:$tid \[" events || echo "thread $tid was never switched in"
		grep -q "sched_process_exit: .*pid=$tid " events || echo "thread $tid never ended"
	done <out
	grep -q "I|[0-9]*|hello from threads.py" events || echo "no annotation"
	grep -q "annot: recorded .* in events.dat (.*), no event lost" err || cat err
	grep -q "annot html events.dat" err || echo "no word on what is next: $(cat err)"
	grep -q "annot.ko is" err || echo "no word on the module: $(cat err)"
}

# The first and the last event stand between two readings of CLOCK_MONOTONIC.
clock() {
	local before after
	before=$(/usr/bin/python3 -c 'import time; print(time.monotonic())')
	record 0 sleep 0.05
	after=$(/usr/bin/python3 -c 'import time; print(time.monotonic())')
	report trace.dat | awk -v before="$before" -v after="$after" '
		match($0, / [0-9]+\.[0-9]+: /) {
			time = substr($0, RSTART, RLENGTH) + 0
			if (time < before || time > after) { print "out of time: " $0; exit }
		}'
	record 0 --clock boot true
	record 2 --clock nonsense true
	one_line nonsense mono
}

extra_events() {
	local event
	# shellcheck disable=SC2016
	record 0 -o extra.dat --tracepoint signal:signal_generate --tracepoint signal_deliver --tracepoint irq --tracepoint 'timer:hrtimer_e*' \
		sh -c 'trap : USR1; kill -USR1 $$; sleep 0.01'
	report extra.dat >events
	for event in signal_generate signal_deliver hrtimer_expire_entry sched_switch; do
		grep -q " $event: " events || echo "no $event"
	done
	record 1 --tracepoint no:such true
	one_line no:such
	[ ! -e trace.dat.cpu0 ] || echo "temporary files are left"
}

# Of an instance, all that is enabled is ours; with the module there is more.
enabled_events() {
	# shellcheck disable=SC2016
	record 0 --tracepoint 'signal:*_generate' sh -c 'cat "${ANNOT_TRACEFS:-'$tracefs'}/set_event"'
	printf 'sched:%s\n' sched_{switch,waking,wakeup,wakeup_new,migrate_task} sched_process_{fork,exec,exit} >wanted
	printf '%s\n' task:task_newtask task:task_rename signal:signal_generate >>wanted
	[ ! -e "$tracefs/events/power/cpu_frequency" ] || echo power:cpu_frequency >>wanted
	diff <(sort wanted) <(grep -v -e ^annot: -e :sched_kthread_stop out | sort)
}

passes_signal() {	# SIGNAL
	local pid status=0
	# What a script starts in the background ignores SIGINT, and cannot even trap it.
	env --default-signal=INT "$annot" record -q bash -c "trap 'echo got $1; exit 5' $1; echo ready
		for i in {1..200}; do sleep 0.05; done" >out 2>err &
	pid=$!
	await grep -q ready out
	kill -s "$1" $pid
	wait $pid || status=$?
	[ $status -eq 5 ] || echo "exit status $status: $(cat err)"
	grep -q "got $1" out || echo "the command did not get it"
	report trace.dat | grep -q sched_switch || echo "trace.dat: not a trace"
}

dies_of_signal() {
	local pid status=0
	"$annot" record -q sh -c 'echo ready; exec sleep 30' >out 2>err &
	pid=$!
	await grep -q ready out
	kill -s TERM $pid
	wait $pid || status=$?
	[ $status -eq 143 ] || echo "exit status $status: $(cat err)"
	report trace.dat | grep -q sched_switch || echo "trace.dat: not a trace"
}

# Twice ^C for a command that survives it, and has the last word.
interrupt_command() {
	local status=0
	cat >stubborn.py <<-EOF
		import signal, sys, time
		end = time.monotonic() + 60
		def interrupted(*_):
		    global end
		    end = time.monotonic() + 2.4
		    print("INT", flush=True)
		signal.signal(signal.SIGINT, interrupted)
		print("ready", flush=True)
		while time.monotonic() < end: time.sleep(0.05)
		sys.exit(7)
	EOF
	"$here/tests/native/in-terminal" -k 'ready:\x03' -k 'INT:\x03' "$annot" record \
		--tracepoint signal:signal_generate /usr/bin/python3 stubborn.py >out || status=$?
	[ $status -eq 7 ] || echo "exit status $status"
	[ "$(grep -o INT out | wc -l)" -eq 2 ] || echo "^C did not reach it just twice: $(cat -v out)"
	grep -q "recorded" out || echo "no summary"
	# code=0 is from a process, such as annot; the terminal's are the kernel's.
	! report trace.dat | grep "signal_generate: sig=2 .* code=0 comm=python3 " ||
		echo "and annot passed them on, too"
	report trace.dat | grep -q "sched_process_exit: .*comm=python3 " || echo "not recorded to its end"
	status=0
	"$here/tests/native/in-terminal" -k 'ready:\x03' "$annot" record \
		sh -c 'echo ready; exec sleep 30' >out || status=$?
	[ $status -eq 130 ] || echo "sleep: exit status $status"
}

progress() {
	"$here/tests/native/in-terminal" "$annot" record sleep 1.2 >out || echo "exit status $?"
	grep -q 'buffer [0-9]*%  lost 0  ' out || echo "no progress: $(cat -v out)"
	"$here/tests/native/in-terminal" "$annot" record -q sleep 1.2 >out || echo "exit status $?"
	[ ! -s out ] || echo "-q: $(cat -v out)"
	"$here/tests/native/in-terminal" "$annot" record \
		sh -c 'stty -echo -icanon; echo editing; sleep 1.2' >out
	! sed '0,/editing/d' out | grep -q 'buffer [0-9]*%' || echo "drawn over a full-screen program: $(cat -v out)"
	record 0 sleep 1.2
	! grep -q 'buffer [0-9]*%' err || echo "drawn into a file: $(cat -v err)"
}

without_command() {
	local pid status=0
	# Started so, it ignores ^C to begin with, as all that a script starts in the background.
	"$annot" record >out 2>err &
	pid=$!
	await grep -q '\^C ends it' err
	kill -s INT $pid
	wait $pid || status=$?
	[ $status -eq 0 ] || echo "exit status $status: $(cat err)"
	report trace.dat | grep -q sched_switch || echo "trace.dat: not a trace"
}

duration() {
	local start=$EPOCHREALTIME
	record 0 --duration 0.5
	awk -v start="$start" -v end="$EPOCHREALTIME" 'BEGIN {
		if (end - start < 0.5 || end - start > 5) print "took " end - start " s" }'
	# shellcheck disable=SC2016
	record 3 --duration 0.2 sh -c 'echo $$; sleep 2.6; exit 3'
	grep -q "recorded \(0\.[2-9]\|1\.[0-9]\) s" err || cat err
	! report trace.dat | grep -q "sched_process_exit: .*pid=$(cat out) " || echo "recorded too long"
	# shellcheck disable=SC2016
	record 0 --duration 0.2 sh -c 'exec sleep 0.6 9>"${ANNOT_TRACEFS:-/dev/null}/trace_marker"'
	nothing_is_left
}

no_trace_cmd() {
	PATH=/nonexistent record 0 /bin/true
	report trace.dat | grep -q sched_switch || echo "trace.dat: not a trace"
}

unprivileged() {
	mkdir -p open
	chmod 777 open
	nobody "$annot" record -o open/trace.dat touch open/ran >out 2>err && echo "exit status 0"
	one_line $tracefs root
	[ ! -e open/ran ] || echo "the command was run"
	[ ! -e open/trace.dat ] || echo "an output was made"
}

bad_output() {
	record 1 -o no/such/directory.dat true
	one_line no/such/directory.dat "No such file or directory"
	record 1 -o "$work" true
	one_line "$work"
	record 1 -o /proc/trace.dat true
	one_line /proc/trace.dat
	mkfifo pipe.dat
	record 1 -o pipe.dat true
	one_line pipe.dat "not a regular file"
	mount -o remount,ro small
	record 1 -o small/trace.dat true
	one_line small/trace.dat "Read-only file system"
	mount -o remount,rw small
	mkdir -p closed
	chmod 755 closed
	nobody "$annot" record -o closed/trace.dat true >out 2>err && echo "exit status 0"
	one_line closed/trace.dat "Permission denied"
}

replaces_output() {
	echo old >trace.dat
	record 2 --clock nonsense true
	record 1 --tracepoint no:such true
	[ "$(cat trace.dat)" = old ] || echo "replaced before all was checked"
	record 0 true
	report trace.dat | grep -q sched_switch || echo "trace.dat: not a trace"
}

no_memory() {
	record 0 -b 60000000 true
	grep -q "no memory for buffers of 60000000 kB" err || cat err
}

check_afresh "exit status 0" exit_status 0 true
check_afresh "exit status 3" exit_status 3 sh -c 'exit 3'
# shellcheck disable=SC2016
check_afresh "killed by a signal: 137" exit_status 137 sh -c 'kill -KILL $$'
check_afresh "not found: 127, not executable: 126" cannot_run
check_afresh "stdin, stdout and stderr are the command's" streams
check_afresh "events and threads are in the trace" events
check_afresh "the clock is CLOCK_MONOTONIC, or what was asked for" clock
check_afresh "more events on demand" extra_events
check_afresh "these events are enabled and no others" enabled_events
check_afresh "SIGTERM is passed on" passes_signal TERM
check_afresh "SIGHUP is passed on" passes_signal HUP
check_afresh "a SIGINT that was sent is passed on" passes_signal INT
check_afresh "a command that dies of it: 143" dies_of_signal
check_afresh "^C is the command's" interrupt_command
check_afresh "progress on a terminal only" progress
check_afresh "without a command, until ^C" without_command
check_afresh "for so many seconds" duration
check_afresh "without trace-cmd" no_trace_cmd
check_afresh "names the privilege that is missing" unprivileged
check_afresh "names the output that cannot be written" bad_output
check_afresh "an old output is replaced late" replaces_output
check_afresh "too large a buffer is reported" no_memory
