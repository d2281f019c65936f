# SPDX-License-Identifier: GPL-2.0
# BOOT: -s 2 -T single -t 500 -a isolcpus=1 -a norandmaps -a trace_instance=works,workqueue_queue_work,workqueue_execute_end
# SERIES: riscv64
# DEBUG: no, it is for another machine
# FILES: tests/vm/scenes build/tests/vm/pmu
#
# Loads that miss the TLB, counted and sampled by the driver of riscv64's PMU, of a walk whose misses
# are known. CPU 1 has nothing else to do. Of two counters of one event on a CPU the emulator lets
# only one count: the program's own count is therefore of a scene of its own, for the walk is the
# same each time. What was recorded is looked at by dtlb_truth.py.

. ./scenes

dtlb_load_miss=3:0x10003

# A flushed TLB has misses that the program has not made; and the emulator doubles one that was full,
# until in the end the walk fits in. Some time after modules are loaded the kernel frees what only
# loading took, and for each page of that it flushes the TLBs of all CPUs.
works=/sys/kernel/tracing/instances/works

nr_frees() { grep -c "workqueue_$1:.*do_free_init" $works/trace; }	# queue_work|execute_end

until_loading_is_over() {
	for _ in $(seq 600); do
		ended=$(nr_frees execute_end)
		[ "$ended" -eq 0 ] || [ "$ended" -lt "$(nr_frees queue_work)" ] || return 0
		sleep 0.2
	done
	cat $works/trace
	return 1
} >&2

walk() {	# SCENE "EVENT..." OPTION...
	name=$1
	wanted=$2
	shift 2
	scene "$name" "$wanted" taskset 2 pages "$@" -o "/out/$name.json"
}

scenes() {
	until_loading_is_over && limit_to 1000000 &&
		walk own faults:1:2:0:u -e dtlb-load-misses &&
		walk counted "misses:$dtlb_load_miss:0:u" &&
		walk sampled "misses:$dtlb_load_miss:1000:u"
}

# shellcheck disable=SC2034	# for record_scenes
annotations="begin end"
record_scenes dtlb "$@"
