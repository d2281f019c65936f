#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# NEEDS: workloads
# SLOW
#
# annot record when something goes wrong, and beside others, on this machine's own ftrace. TAP.
# shellcheck disable=SC2154	# record.bash assigns what is not assigned here
set -u

cd "$(dirname "$0")/../.." || exit
# shellcheck source=tests/native/record.bash
. tests/native/record.bash

# What the command left behind keeps the instance, turned off, for as long as it lives.
left_behind() {
	local instance
	# shellcheck disable=SC2016
	record 0 sh -c 'exec 9>"$ANNOT_TRACEFS/trace_marker"; echo $ANNOT_TRACEFS; sleep 2 >/dev/null 2>&1 &'
	instance=$(cat out)
	[ -d "$instance" ] || { echo "the instance is gone"; return; }
	[ "$(cat "$instance/tracing_on" "$instance/events/enable" | tr -d '\n')" = 00 ] || echo "the instance still records"
	[ "$(cat "$instance/buffer_total_size_kb")" -lt 1000 ] ||
		echo "the instance keeps $(cat "$instance/buffer_total_size_kb") kB"
	grep -q "no event lost" err || cat err
	sleep 2
	record 0 true
	nothing_is_left
}

# The recorder is killed while the command runs, which goes on.
recorder_killed() {
	local wanted marks=50000
	write_marks $marks "pkill -KILL -x annot -P \$PPID
		sleep 3; echo done; exit \$1"
	for wanted in 0 3; do
		record $((wanted ? wanted : 1)) sh marks.sh $wanted
		grep -q 'done' out || echo "the command did not run to its end"
		grep -q "killed by signal 9" err || echo "not said: $(cat err)"
		grep -q "the command runs on unrecorded" err || echo "not said: $(cat err)"
		grep -q "recorded [0-2]\.[0-9] s .* not to its end" err || echo "recorded beyond it: $(cat err)"
		report trace.dat | grep -q sched_switch || echo "trace.dat: not a trace"
		# Of what it had in its hands, at most a piece on each CPU is gone, and marked.
		report trace.dat | grep -q "EVENTS DROPPED" || echo "what it had in its hands is not marked"
		[ "$(count_marks trace.dat)" -ge $((marks / 2)) ] || echo "only $(count_marks trace.dat) marks are left"
		"$annot" report trace.dat >out || echo "annot does not read it"
		nothing_is_left
	done
}

# There is room for some of the marks.
full_disk() {
	local wanted
	write_marks 400000 "echo done; exit \$1"
	for wanted in 0 3; do
		rm -f out err small/*
		record $((wanted ? wanted : 1)) -o small/trace.dat --compression none sh marks.sh $wanted
		grep -q 'done' out || echo "the command did not run to its end"
		[ "$(grep -c "No space left on device" err)" -eq 1 ] || echo "not said once: $(cat err)"
		grep -q "recorded .* not to its end" err || echo "no summary: $(cat err)"
		[ "$(count_marks small/trace.dat)" -ge 20000 ] || echo "only $(count_marks small/trace.dat) marks are left"
		nothing_is_left
	done
}

# Nothing can be written for two seconds: what comes meanwhile is more than the kernel's buffers hold.
slow_file_system() {
	local marks=400000
	truncate -s 400M disk
	mkfs.ext4 -q disk && mkdir slow && mount -o loop disk slow || return
	write_marks $marks "sleep 2; fsfreeze -u slow"
	record 0 -b 1024 -o slow/trace.dat sh -c 'sleep 0.2; fsfreeze -f slow; . ./marks.sh'
	grep -q "no event lost" err || cat err
	[ "$(count_marks slow/trace.dat)" -eq $marks ] || echo "$(count_marks slow/trace.dat) of $marks marks are there"
	nothing_is_left
	umount slow
	rm -r slow disk
}

# A file system behind a server of its own process, whose id is in server.pid; its files are in far.
mount_network() {
	mkdir -p far net
	cat >server <<-EOF
		#!/bin/sh
		echo \$\$ >$work/server.pid
		exec /usr/lib/openssh/sftp-server
	EOF
	chmod 755 server
	sshfs -o ssh_command="$work/server" "localhost:$work/far" net
}

# Whoever waits for it waits for two seconds.
slow_network() {
	local marks=400000
	mount_network || return
	write_marks $marks "sleep 2; kill -s CONT $(cat server.pid)"
	record 0 -o net/trace.dat sh -c "sleep 0.2; kill -s STOP $(cat server.pid); . ./marks.sh"
	grep -q "no event lost" err || cat err
	[ "$(count_marks net/trace.dat)" -eq $marks ] || echo "$(count_marks net/trace.dat) of $marks marks are there"
	nothing_is_left
	umount net
	rm -r net far
}

# Its server is gone for good. What it was told stays there.
stale_network() {
	local wanted marks=400000 left
	for wanted in 0 3; do
		mount_network || return
		write_marks $marks "sleep 0.5; kill -s KILL $(cat server.pid)
			yes | head -n 100000 >/dev/null
			echo done; exit \$1"
		record $((wanted ? wanted : 1)) -o net/trace.dat sh marks.sh $wanted
		grep -q 'done' out || echo "the command did not run to its end"
		# Or nothing was to be written any more when the command ended.
		[ "$(grep -c "net/trace.dat.cpu[0-9]: recording ended early" err)" -le 1 ] || echo "said again: $(cat err)"
		[ "$(grep -c "net/trace.dat: cannot be written" err)" -eq 1 ] || echo "not said once: $(cat err)"
		left=$(count_restored far/trace.dat)
		[ "$left" -ge $((marks * 9 / 10)) ] || echo "of $marks marks, $left are left"
		umount -l net 2>/dev/null
		rm -r far net
		nothing_is_left
	done
}

# Some fit into the file of the CPU that they are from.
file_too_large() {
	write_marks 400000 "echo done; exit 3"
	prlimit --fsize=12000000 "$annot" record --compression none -- taskset -c 0 sh marks.sh >out 2>err
	[ $? -eq 3 ] || echo "exit status is not 3: $(cat err)"
	grep -q 'done' out || echo "the command did not run to its end"
	grep -q "trace.dat.cpu[0-9]*: recording ended early: File too large" err || echo "not said: $(cat err)"
	grep -q "trace.dat: cannot be written: File too large" err || echo "not said of the trace: $(cat err)"
	"$annot" report --json trace.dat 2>err | grep -q '"sched_switch\|"threads"' || echo "annot does not read it: $(cat err)"
	[ -e trace.dat.cpu0 ] || [ -e trace.dat.cpu1 ] || echo "what did not fit is gone"
}

# Its parent may be an init that leaves zombies.
has_ended() { ! ps -o stat= -p "$1" | grep -qv Z; }	# PID

# annot is killed: the recorder writes the trace.
killed() {
	local pid recorder marks=50000
	write_marks $marks "echo ready; exec sleep 30"
	"$annot" record -q sh marks.sh >out 2>err &
	pid=$!
	await grep -q ready out
	recorder=$(recorder_of $pid)
	kill -s KILL $pid "$(pgrep -x sleep -P $pid)"
	wait $pid 2>/dev/null
	await has_ended "$recorder"
	[ "$(count_marks trace.dat)" -eq $marks ] || echo "$(count_marks trace.dat) of $marks marks are there"
	nothing_is_left
}

# Both are killed: the next recording clears away what they left, and the file says what it is.
both_killed() {
	local pid left marks=50000
	write_marks $marks "sleep 3; echo ready; exec sleep 30"
	"$annot" record -q -o killed.dat sh marks.sh >out 2>err &
	pid=$!
	await grep -q ready out
	kill -s KILL "$(recorder_of $pid)" $pid "$(pgrep -x sleep -P $pid)"
	wait $pid 2>/dev/null
	"$annot" report killed.dat >out 2>err && echo "what was never finished is read as if it were"
	[ "$(wc -l <err)" -eq 1 ] || echo "not one line: $(cat err)"
	grep -q "trace-cmd restore" err || echo "it is not said what makes a trace of it: $(cat err)"
	left=$(count_restored killed.dat)
	[ "$left" -ge $((marks * 9 / 10)) ] || echo "only $left of $marks marks are left"
	record 0 true
	report trace.dat | grep -q sched_switch || echo "trace.dat: not a trace"
	nothing_is_left
}

# The terminal is gone, and with it whatever annot would say.
logged_out() {
	local marks=50000 recorder command
	write_marks $marks "echo \"command \$\$ is ready\"; exec sleep 30"
	read -r recorder command < <(/usr/bin/python3 - "$annot" record sh marks.sh <<-'EOF'
		import os, pty, re, subprocess, sys
		pid, terminal = pty.fork()
		if not pid:
		    os.execv(sys.argv[1], sys.argv[1:])
		said = b""
		while not (command := re.search(rb"command (\d+) is ready", said)):
		    said += os.read(terminal, 1000)
		recorder = subprocess.check_output(["pgrep", "-x", "annot", "-P", str(pid)])
		os.close(terminal)
		os.waitpid(pid, 0)
		print(int(recorder), int(command[1]))
	EOF
	)
	await has_ended "$recorder"
	[ "$(count_marks trace.dat)" -eq $marks ] || echo "$(count_marks trace.dat) of $marks marks are there"
	has_ended "$command" || echo "the command still runs"
	nothing_is_left
}

# A recording sets nothing that it does not put back, and takes nothing from whoever else traces.
state_is_restored() {
	local on buffer clock
	for on in 0 1; do
		echo $on >$tracefs/tracing_on
		echo local >$tracefs/trace_clock
		buffer=$(cat $tracefs/buffer_size_kb)
		clock=$(cat $tracefs/trace_clock)
		record 0 -q -b 200 --clock boot true
		[ "$(cat $tracefs/tracing_on)" = $on ] || echo "tracing_on was $on and is not"
		[ "$(cat $tracefs/buffer_size_kb)" = "$buffer" ] ||
			echo "buffer: $buffer before, $(cat $tracefs/buffer_size_kb) after"
		[ "$(cat $tracefs/trace_clock)" = "$clock" ] || echo "clock: $clock before, $(cat $tracefs/trace_clock) after"
		nothing_is_left
	done
}

others_trace() {
	local events=$tracefs/events/sched/sched_process_exit/enable
	echo >$tracefs/trace
	echo 1 >$tracefs/tracing_on
	echo 1 >$events
	sh -c 'exit 0'
	record 0 sh -c 'exec true'
	sh -c 'exit 0'
	[ "$(cat $events)" = 1 ] || echo "the other's event is disabled"
	[ "$(cat $tracefs/tracing_on)" = 1 ] || echo "the other's tracing is off"
	echo 0 >$events
	[ "$(grep -c "sched_process_exit: comm=sh " $tracefs/trace)" -ge 2 ] ||
		echo "the other's events are gone: $(cat $tracefs/trace)"
	! grep -q "sched_switch:" $tracefs/trace || echo "ours are among the other's"
	report trace.dat | grep -q sched_switch || echo "trace.dat: not a trace"
	grep -q "no event lost" err || cat err
	echo >$tracefs/trace
	nothing_is_left
}

several_at_once() {
	local i pids=() marks=20000
	write_marks $marks
	cat >together.sh <<-EOF
		touch \$1.ready
		until [ -e 1.ready ] && [ -e 2.ready ] && [ -e 3.ready ]; do sleep 0.05; done
		sh marks.sh
		touch \$1.done
		until [ -e 1.done ] && [ -e 2.done ] && [ -e 3.done ]; do sleep 0.05; done
	EOF
	for i in 1 2 3; do
		timeout 60 "$annot" record -o $i.dat sh together.sh $i >$i.out 2>&1 &
		pids+=($!)
	done
	for i in 1 2 3; do
		wait "${pids[i - 1]}" || echo "$i: exit status $?"
		grep -q "no event lost" $i.out || cat $i.out
		[ "$(count_marks $i.dat)" -eq $marks ] || echo "$i: $(count_marks $i.dat) of $marks marks are there"
		report $i.dat | grep -q "sched_process_exec: .*dd" || echo "$i: no dd was executed"
		nothing_is_left $i.dat
	done
	rm -f ./*.ready ./*.done
}

one_output_once() {
	local pid
	"$annot" record -q sh -c 'echo ready; exec sleep 30' >first 2>&1 &
	pid=$!
	await grep -q ready first
	record 1 true
	one_line trace.dat "another annot record writes to it"
	kill $pid
	wait $pid
	report trace.dat | grep -q sched_switch || echo "the first one was harmed"
	nothing_is_left
}

# Under auto a loaded module would be preferred.
outside=auto
[ ! -e /dev/annot ] || outside=marker

# What annot has not started annotates, too, and sees that it is recorded.
outsiders() {
	local pid found wanted
	"$annot" record --duration 30 >out 2>err &
	pid=$!
	await grep -q 'ends it early' err
	env -u ANNOT_BATCHES -u ANNOT_TRACEFS ANNOT_BACKEND=$outside "$here/build/workloads/imbalance" -r 2 -u 100 -o truth.json
	kill -s INT $pid
	wait $pid || echo "exit status $?"
	"$annot" report --json trace.dat >report.json
	found=$(report trace.dat | grep -c "print: .*: [BEIC]|[0-9]*")
	wanted=$(sed -n 's/^"annotations": \([0-9]*\),$/\1/p' truth.json)
	[ "$found" -eq "$wanted" ] || echo "$found of $wanted annotations are there"
	nothing_is_left
}

check_afresh "a recorder that is killed: the command goes on" recorder_killed
check_afresh "a full disk: the command goes on" full_disk
check_afresh "a file system that stands still: nothing is lost" slow_file_system
check_afresh "a network file system that stands still: nothing is lost" slow_network
check_afresh "a network file system that is gone: the command goes on" stale_network
check_afresh "a file too large: the command goes on" file_too_large
check_afresh "annot killed: the recorder ends well" killed
check_afresh "both killed: the next one clears away" both_killed
check_afresh "a log-out ends command and recording" logged_out
check_afresh "tracing is left as it was" state_is_restored
check_afresh "another program's tracing goes on" others_trace
check_afresh "several recordings at once, each complete" several_at_once
check_afresh "one recording into one file" one_output_once
check_afresh "programs that annot did not start" outsiders
if [ -e $tracefs/options/copy_trace_marker ]; then
	check_afresh "a process that is left behind" left_behind
else
	echo "ok - a process that is left behind # SKIP the top buffer is recorded here"
fi
