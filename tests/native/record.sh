#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# annot record on this machine's own ftrace. TAP.
set -u

cd "$(dirname "$0")/../.." || exit
if [ "$(id -u)" -ne 0 ]; then
	echo "1..0 # SKIP only root may trace"
	exit
fi
if [ -z "${ANNOT_TEST_TRACEFS-}" ]; then
	ANNOT_TEST_TRACEFS=1 exec tests/native/with-tracefs tests/native/record.sh
fi

tracefs=/sys/kernel/tracing
here=$PWD
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
# Where anybody may run it.
chmod 755 "$work"
cp build/annot "$work/annot"
annot=$work/annot
cd "$work" || exit

# Runs FUNCTION, which says on its output why it failed; silence is success.
check() {	# NAME FUNCTION [ARGUMENT...]
	local name=$1 status=0
	shift
	rm -f "$work"/*.dat* "$work"/{out,err}
	"$@" >"$work/why" 2>&1 || status=$?
	if [ $status -eq 0 ] && [ ! -s "$work/why" ]; then
		echo "ok - $name"
	else
		sed 's/^/# /' "$work/why"
		echo "not ok - $name"
	fi
}

# Runs annot record, its streams in out and err; fails unless it exits with STATUS.
record() {	# STATUS ARGUMENT...
	local wanted=$1 status=0
	shift
	"$annot" record "$@" >out 2>err || status=$?
	[ $status -eq "$wanted" ] || echo "exit status $status, not $wanted: $(cat err)"
}

# err holds one line, which has each TEXT in it.
one_line() {	# TEXT...
	local text
	[ "$(wc -l <err)" -eq 1 ] || echo "not one line on stderr: $(cat err)"
	for text; do
		grep -qF -- "$text" err || echo "nothing of '$text' in: $(cat err)"
	done
}

report() { trace-cmd report "$@" 2>/dev/null; }

# Waits until COMMAND succeeds, 10 s at most.
await() {
	local tries
	for tries in {1..200}; do
		"$@" 2>/dev/null && return
		sleep 0.05
	done
	echo "after $((tries / 20)) s still not: $*"
	return 1
}

nobody() { setpriv --reuid nobody --regid nogroup --clear-groups "$@"; }

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
	record 0 -C boot true
	record 2 -C nonsense true
	one_line nonsense mono
}

extra_events() {
	local event
	# shellcheck disable=SC2016
	record 0 -o extra.dat -e signal:signal_generate -e signal_deliver -e irq sh -c 'trap : USR1; kill -USR1 $$'
	report extra.dat >events
	for event in signal_generate signal_deliver sched_switch; do
		grep -q " $event: " events || echo "no $event"
	done
	record 1 -e no:such true
	one_line no:such
	[ ! -e trace.dat.cpu0 ] || echo "temporary files are left"
}

# A recorder that sleeps is as slow as can be: what is written meanwhile overruns the buffer on any machine.
lost_events() {
	cat >overrun.sh <<-EOF
		recorders=\$(find /proc/[0-9]*/fd -lname '*/lost.dat.cpu*' 2>/dev/null | cut -d / -f 3 | sort -u)
		[ -n "\$recorders" ] || echo "no recorders" >&2
		kill -STOP \$recorders
		yes "I|1|a mark among many" | dd of=$tracefs/trace_marker bs=24 count=100000 2>/dev/null
		kill -CONT \$recorders
	EOF
	record 0 -o lost.dat -b 1 sh overrun.sh
	grep -q "annot: warning: [0-9]* events LOST.* -b 4" err || echo "no warning: $(cat err)"
	grep -q "recorded .* with gaps" err || echo "not in the summary: $(cat err)"
	[ "$(sed -n 's/.*warning: \([0-9]*\) events LOST.*/\1/p' err)" -eq "$(trace-cmd report --stat lost.dat |
		awk '/overrun: |^dropped events: / { lost += $NF } END { print lost }')" ] ||
		echo "trace-cmd counted another number"
	record 0 -q -o lost.dat true
	! grep -q LOST err || echo "lost events are remembered: $(cat err)"
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
		signal.signal(signal.SIGINT, lambda *_: print("INT", flush=True))
		print("ready", flush=True)
		end = time.monotonic() + 2.4
		while time.monotonic() < end: time.sleep(0.05)
		sys.exit(7)
	EOF
	"$here/tests/native/in-terminal" -k 'ready:\x03' -k 'INT:\x03' "$annot" record \
		-e signal:signal_generate /usr/bin/python3 stubborn.py >out || status=$?
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
	record 0 -d 0.5
	awk -v start="$start" -v end="$EPOCHREALTIME" 'BEGIN {
		if (end - start < 0.5 || end - start > 5) print "took " end - start " s" }'
	# shellcheck disable=SC2016
	record 3 -d 0.2 sh -c 'echo $$; sleep 0.6; exit 3'
	grep -q "recorded 0\.[2-5] s" err || cat err
	! report trace.dat | grep -q "sched_process_exit: .*pid=$(cat out) " || echo "recorded too long"
}

no_trace_cmd() {
	PATH=/nonexistent record 1 /bin/true
	one_line trace-cmd "apt install trace-cmd"
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
	mkdir -p closed
	chmod 755 closed
	nobody "$annot" record -o closed/trace.dat true >out 2>err && echo "exit status 0"
	one_line closed/trace.dat "Permission denied"
}

replaces_output() {
	echo old >trace.dat
	record 2 -C nonsense true
	record 1 -e no:such true
	[ "$(cat trace.dat)" = old ] || echo "replaced before all was checked"
	record 0 true
	report trace.dat | grep -q sched_switch || echo "trace.dat: not a trace"
}

# Puts a trace-cmd in front of the real one that runs TEXT, in which "begin" makes it seem to record.
fake_trace_cmd() {	# TEXT
	mkdir -p fake
	cat >fake/trace-cmd <<-EOF
		#!/bin/bash
		begin() {
			local cpu
			for cpu in /sys/devices/system/cpu/cpu[0-9]*; do
				sleep 30 >trace.dat.\${cpu##*/} &	# a helper that waits for events
			done
			echo 1 >$tracefs/tracing_on
		}
		$1
	EOF
	chmod +x fake/trace-cmd
}

trace_cmd_does_not_start() {
	fake_trace_cmd 'echo noise; printf "trace-cmd: No buffer space\n  doing this and that\n" >&2; exit 1'
	PATH=$work/fake:$PATH record 1 touch ran
	one_line "doing this and that (No buffer space)"
	[ ! -e ran ] || echo "the command was run"
	fake_trace_cmd 'kill -9 $$'
	PATH=$work/fake:$PATH record 1 true
	one_line "killed by signal 9"
}

trace_cmd_fails_midway() {
	# shellcheck disable=SC2016
	local outlive='for i in $(seq 200); do kill -0 $(cat pid) 2>/dev/null || break; sleep 0.05; done; sleep 0.2'
	fake_trace_cmd "echo \$\$ >pid; begin; sleep 0.3
		printf 'trace-cmd: Disk quota exceeded\n  writing\n' >&2; exit 1"
	PATH=$work/fake:$PATH record 1 sh -c "$outlive; echo done"
	grep -q 'done' out || echo "the command did not run to its end"
	grep -q "warning: .*unrecorded" err || echo "not said at once: $(cat err)"
	grep -q "writing (Disk quota exceeded)" err || cat err
	! grep -q "annot html" err || echo "recommends what is not there: $(cat err)"
	PATH=$work/fake:$PATH record 3 sh -c "$outlive; exit 3"
}

# A signal that comes when trace-cmd is about to sleep is not felt by it.
trace_cmd_is_deaf() {
	fake_trace_cmd "deaf=1; trap '[ \$deaf = 1 ] && deaf=0 || exit 0' INT
		begin; for i in {1..30}; do sleep 0.1; done; exit 3"
	PATH=$work/fake:$PATH record 1 true
	grep -q "left no such file" err || cat err
}

killed() {
	local pid recorder
	"$annot" record -q sh -c 'echo ready; exec sleep 30' >out 2>err &
	pid=$!
	await grep -q ready out
	recorder=$(pgrep -x trace-cmd -P $pid)
	kill -s KILL $pid $(pgrep -x sleep -P $pid)
	wait $pid 2>/dev/null
	# Its parent may be an init that leaves zombies.
	await sh -c "! ps -o stat= -p $recorder | grep -qv Z"
	report trace.dat | grep -q sched_switch || echo "trace.dat: not a trace"
	[ "$(cat $tracefs/events/enable)" = 0 ] || echo "events are still enabled"
}

# Whether trace-cmd cleans up or not.
state_is_restored() {
	local on buffer clock
	fake_trace_cmd "echo 500 >$tracefs/buffer_size_kb; echo mono >$tracefs/trace_clock
		echo 1 >$tracefs/events/task/enable; begin; kill -9 \$\$"
	for on in 0 1; do
		echo $on >$tracefs/tracing_on
		echo local >$tracefs/trace_clock
		buffer=$(cat $tracefs/buffer_size_kb)
		clock=$(cat $tracefs/trace_clock)
		record 0 -q -b 200 -C boot true
		PATH=$work/fake:$PATH record 1 -q sleep 0.2
		[ "$(cat $tracefs/tracing_on)" = $on ] || echo "tracing_on was $on and is not"
		[ "$(cat $tracefs/buffer_size_kb)" = "$buffer" ] ||
			echo "buffer: $buffer before, $(cat $tracefs/buffer_size_kb) after"
		[ "$(cat $tracefs/trace_clock)" = "$clock" ] || echo "clock: $clock before, $(cat $tracefs/trace_clock) after"
		[ "$(cat $tracefs/events/enable)" = 0 ] || echo "events are still enabled"
	done
}

one_at_a_time() {
	local pid
	"$annot" record -q -o first.dat sh -c 'echo ready; exec sleep 30' >first 2>&1 &
	pid=$!
	await grep -q ready first
	record 1 true
	one_line "another annot record"
	kill $pid
	wait $pid
	[ -s first.dat ] || echo "the first one was harmed"
}

no_memory() {
	record 0 -b 60000000 true
	grep -q "no memory for buffers of 60000000 kB" err || cat err
}

check "exit status 0" exit_status 0 true
check "exit status 3" exit_status 3 sh -c 'exit 3'
# shellcheck disable=SC2016
check "killed by a signal: 137" exit_status 137 sh -c 'kill -KILL $$'
check "not found: 127, not executable: 126" cannot_run
check "stdin, stdout and stderr are the command's" streams
check "events and threads are in the trace" events
check "the clock is CLOCK_MONOTONIC, or what was asked for" clock
check "more events on demand" extra_events
check "lost events are told, loudly" lost_events
check "SIGTERM is passed on" passes_signal TERM
check "SIGHUP is passed on" passes_signal HUP
check "a SIGINT that was sent is passed on" passes_signal INT
check "a command that dies of it: 143" dies_of_signal
check "^C is the command's" interrupt_command
check "progress on a terminal only" progress
check "without a command, until ^C" without_command
check "for so many seconds" duration
check "names the package that is missing" no_trace_cmd
check "names the privilege that is missing" unprivileged
check "names the output that cannot be written" bad_output
check "an old output is replaced late" replaces_output
check "trace-cmd that cannot start: its own words" trace_cmd_does_not_start
check "trace-cmd that fails midway: the command goes on" trace_cmd_fails_midway
check "trace-cmd that misses a signal gets another" trace_cmd_is_deaf
check "annot killed: trace-cmd ends well" killed
check "tracing is left as it was" state_is_restored
check "one recording at a time" one_at_a_time
check "too large a buffer is told" no_memory
