# SPDX-License-Identifier: GPL-2.0
# BOOT: -s 2 -T single -t 300 -p /usr/bin/setpriv
# SERIES: 6.12
#
# annot record with the module and without it, and as an ordinary user by the means that
# annot-record(1) tells of.

# shellcheck source=tests/lib/tap.sh
. /test/tap.sh

tracing=/sys/kernel/tracing
cd /tmp || exit
chmod 777 /tmp
echo tracing:x:4711: >>/etc/group

# Runs annot record as a user of group $1; its streams in out and err.
record_as() {	# GID ARGUMENT...
	gid=$1
	shift
	rm -f out err user.dat
	/usr/bin/setpriv --reuid 1000 --regid "$gid" --clear-groups annot record -o user.dat "$@" >out 2>err
}

says() {	# TEXT: in err
	grep -qF -- "$1" err || { cat err; return 1; }
}

contains() {	# FILE PATTERN; the events stay
	trace-cmd report -i "$1" 2>/dev/null >events
	grep -q "$2" events || { tail -n 20 events; return 1; }
}

record_with_marker() {
	annot record sh -c "echo 'B|1|by marker|7' >$tracing/trace_marker" 2>err && says "annot.ko is not loaded" &&
		contains trace.dat "print: .*by marker"
}

record_with_module() {
	annot record --readable sh -c "echo 'B by_device 7' >/dev/annot/cpu0; echo E >/dev/annot/cpu0" 2>err &&
		says "annot.ko is loaded" && says "no event lost" && contains trace.dat "annot_begin: .*by_device" &&
		contains trace.dat "annot_end:"
}

record_batches() {
	annot record sh -c "echo 'B by_batch 7' >/dev/annot/cpu0; echo E >/dev/annot/cpu0" 2>err &&
		contains trace.dat "annot_name: .*by_batch" && contains trace.dat "annot_batch: .*nr=1 " &&
		! grep -q annot_begin: events
}

# What /sys says of the CPU in directory $1.
place_of() {
	caches=
	for cache in "$1"/cache/index*; do
		read -r kind <"$cache/type"
		case $kind in
		Data) kind=d ;;
		Instruction) kind=i ;;
		*) kind=u ;;
		esac
		read -r size <"$cache/size"
		read -r sharing <"$cache/shared_cpu_list"
		caches="$caches${caches:+,}$(cat "$cache/level")$kind:$((${size%K} * 1024)):"
		caches="$caches$(cat "$cache/coherency_line_size"):$(cat "$cache/ways_of_associativity"):"
		caches="$caches$(cat "$cache/number_of_sets"):${sharing%%[-,]*}"
	done
	# What is read byte by byte, as by read, looks empty here.
	core=$(cat "$1/topology/thread_siblings_list")
	read -r package <"$1/topology/physical_package_id"
	set -- "$1" "$1"/node*
	node=${2##*node}
	[ -e "$2" ] || node=-1
	echo "annot|cpu|${1##*cpu}|${core%%[-,]*}|$package|$node|$caches"
}

record_topology() {
	annot record -q true || return
	for cpu in /sys/devices/system/cpu/cpu[0-9]*; do
		line=$(place_of "$cpu")
		echo "$line"
		contains trace.dat "$line" || return
	done
	[ "$(grep -c "annot|cpu|" events)" -eq "$(nproc --all)" ] && annot report --json trace.dat >json &&
		grep -q '"size_bytes": [1-9]' json
}

one_config() {
	[ "$(grep -c "annot_config:" events)" -eq 1 ] || { grep annot_config: events; return 1; }
}

refused_to_all() {
	! record_as 4711 true && says "only root has access"
}

refused_outside() {
	! record_as 1000 true && says "the group 'tracing'"
}

allowed_to_group() {
	record_as 4711 --readable sh -c "echo 'I by_user' >/dev/annot/cpu0" || { cat err; return 1; }
	says "annotations come from /dev/annot" && contains user.dat "annot_mark: .*by_user" && contains user.dat sched_switch:
}

allowed_marker_to_group() {
	record_as 4711 sh -c "echo 'I|1|by user' >$tracing/trace_marker" || { cat err; return 1; }
	says "/dev/annot/cpu0: Permission denied: annotations come from trace_marker" && contains user.dat "print: .*by user"
}

# A recording, in the top buffer here, until there is a file "over".
begin_first() {
	rm -f over
	annot record -o first.dat sh -c "until [ -e over ]; do sleep 0.1; done" 2>first.err &
	first=$!
	until [ "$(cat $tracing/tracing_on)$(cat $tracing/events/sched/sched_switch/enable)" = 11 ]; do
		sleep 0.1
	done
}

# The second one has an instance.
record_beside_another() {
	begin_first
	annot record -o second.dat --readable sh -c "echo 'B beside 7' >/dev/annot/cpu0; echo E >/dev/annot/cpu0" 2>err
	status=$?
	touch over
	wait $first && [ $status -eq 0 ] || { cat first.err err; return 1; }
	says "no event lost" && contains second.dat "annot_begin: .*beside" && contains second.dat sched_switch: &&
		contains first.dat "annot_batch: .*nr=1 " && contains first.dat "annot_name: .*beside" &&
		grep -q "no event lost" first.err && [ -z "$(ls $tracing/instances)" ]
}

# trace-cmd takes the top buffer for its own, and empties it. What is in an instance is not touched.
record_spoiled() {
	status=0
	annot record sh -c "trace-cmd record -q -e sched:sched_wakeup -o theirs.dat true >/dev/null 2>&1; exit 0" 2>err || status=$?
	says "another program used the kernel's top buffer" && says "trace.dat (" && ! says "no event lost" >/dev/null &&
		[ $status -eq 1 ] && annot record true 2>err && says "no event lost" && [ "$(cat $tracing/events/enable)" = 0 ]
}

# annot and its recorder: what they have left enabled in the top buffer is known to be theirs.
record_after_kill() {
	begin_first
	# shellcheck disable=SC2046
	kill -9 $(pidof annot)
	touch over
	wait $first
	annot record sh -c "echo 'I|1|after' >$tracing/trace_marker" 2>err && says "no event lost" &&
		contains trace.dat "print: .*after" && ! grep -q "another program" err || { cat err; return 1; }
	[ "$(cat $tracing/events/enable)" = 0 ] && [ -z "$(ls $tracing/instances)" ]
}

# Where an instance is root's, who is only in the group cannot record beside root.
allowed_once_to_group() {
	begin_first
	record_as 4711 true
	status=$?
	touch over
	wait $first || { cat first.err; return 1; }
	if [ $status -eq 0 ]; then
		contains user.dat sched_switch:
	else
		says "another annot record uses the kernel's top buffer" && [ "$(wc -l <err)" -eq 1 ] && [ ! -e user.dat ]
	fi && grep -q "no event lost" first.err && [ -z "$(ls $tracing/instances)" ]
}

# What annot doctor says of a thing.
doctor_says() {	# CHECK WORD [TEXT]
	annot doctor >doctor
	grep -q "^$1 *$2 .*${3-}" doctor || { cat doctor; return 1; }
}

nothing_prevents() {
	annot doctor >doctor
	[ $? -le 1 ] && ! grep -q '^[a-z-]* *prevents' doctor || { cat doctor; return 1; }
}

check "doctor: nothing prevents a recording" nothing_prevents
check "doctor: this kernel records all switches" doctor_says switches ok
check "doctor: the module is missing" doctor_says module limits
check "records without the module" record_with_marker
check "records after both were killed" record_after_kill
check "a recording that trace-cmd has spoiled is reported" record_spoiled
check "where each CPU stands is in the trace" record_topology
check "annot.ko loads" insmod /test/annot.ko
check "doctor: the module is loaded" doctor_says module ok loaded
check "doctor: its devices can be opened" doctor_says devices ok
check "records with the module" record_with_module
check "one annot_config in the recording" one_config
check "records in batches where nothing else is asked for" record_batches
check "two recordings at once, each complete" record_beside_another
check "an ordinary user gets the message that only root may record" refused_to_all
chgrp -R tracing $tracing
chmod -R g+rwX $tracing
chmod 755 /dev/annot
check "a user outside the group gets the group's name" refused_outside
check "a member of the group records, by trace_marker at least" allowed_marker_to_group
check "a member of the group records beside root, or gets the reason why not" allowed_once_to_group
chgrp tracing /dev/annot/*
chmod 660 /dev/annot/*
check "a member of the device's group records by the device" allowed_to_group
check "annot.ko unloads" rmmod annot
