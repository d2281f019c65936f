# SPDX-License-Identifier: GPL-2.0
# BOOT: -s 1 -T count -t 400
# SERIES: 6.12
# DEBUG: no, it counts instructions
# FILES: build/tests/vm/switch_cost build/tests/vm/paths build/tests/vm/pmu tests/vm/while-counted
#
# Costs in instructions, on one CPU whose time is their number: of a switch from task to task, as
# the module is absent, loaded, and recording, and as slices are counted; and of an annotation by each way
# into the trace. make bench-guests takes both kernels.
#
# What other events ftrace records matters: with any of them, it takes note of tasks' names at each
# switch, whoever asked for it.

events=/sys/kernel/tracing/events
failed=0

# Twice, for the figures are to be the same.
measure() {	# STATE "EVENTS..." [NR_RECORDS]
	state=$1
	all_events=$2
	shift 2
	for event in $all_events; do
		case $event in
		some) echo 1 >$events/sched/sched_process_hang/enable ;;
		switch) echo 1 >$events/sched/sched_switch/enable ;;
		esac
		for _ in 1 2; do
			./switch_cost "$state" "$event" "$@" >>/out/switches || failed=1
		done
		echo 0 >$events/sched/enable
	done
}

record() {	# EVENT...
	echo 0 >$events/annot/enable
	for event; do
		echo 1 >$events/annot/$event/enable
	done
}

measure_recording() {
	measure on_without_ring "some switch"
	for nr in 0 1 10 50 100; do
		measure batched "some switch" $nr
	done
}

# By the tests' own PMU, which is read at no cost: what is left is the module's own work. Nothing happens that it counts:
# only what takes turns is told all the same.
counted() {	# STATE FLAGS NR
	wanted=
	for i in $(seq "$3"); do
		wanted="$wanted event$i:4:1:0:$2"
	done
	echo 1 >$events/sched/sched_switch/enable
	for _ in 1 2; do
		# shellcheck disable=SC2086	# words
		./pmu with $wanted -- ./while-counted "$3" ./switch_cost "$1" switch >/tmp/counted || failed=1
		grep '^{' /tmp/counted >>/out/switches
	done
	echo 0 >$events/sched/enable
}

echo mono >/sys/kernel/tracing/trace_clock
measure absent "none some switch"
insmod annot.ko || exit 1
measure off "none some switch"
measure off_with_ring "none some switch" 100
record annot_name annot_batch
measure_recording
record
measure off "none some switch"
insmod nmi_pmu.ko || exit 1
for nr in 1 4; do
	counted counted_$nr uk $nr
	counted told_$nr uks $nr
done
rmmod nmi_pmu || failed=1

./paths 5 >/out/paths.json || failed=1
exit $failed
