# SPDX-License-Identifier: GPL-2.0
#
# What tests/bench/pmu boots: what samples and counts cost, on a CPU with Intel's PMU and PEBS whose time is the instructions
# that it executes. Leaves in /out: runs, rounds of all kernels in all forms, as the kernel limits sampling by default;
# samples and switches, lines of JSON.

# Else khugepaged takes its share of the one CPU whenever it likes.
echo never >/sys/kernel/mm/transparent_hugepage/enabled
insmod annot.ko || exit 1
for _ in 1 2 3; do
	sh overhead-round kernels wave:4 match:1 motion:2 -- \
		original traced traced-sample traced-count ring ring-sample call-count >>/out/runs || exit 1
done

# --- a sample: dense ones, without regard to the time that they take

echo 25 >/proc/sys/kernel/perf_cpu_time_max_percent
echo 10000000 >/proc/sys/kernel/perf_event_max_sample_rate
echo 0 >/proc/sys/kernel/perf_cpu_time_max_percent

steps=400000
misses="l1_cache_miss:u"
period=1009

samples() {	# STATE PLACES OPTION...
	state=$1
	places=$2
	shift 2
	annot record -q -b 16384 -o /tmp/samples.dat "$@" ./sample_cost "$state" $steps "$places" >>/out/samples || exit 1
}

samples none 1
samples none 2
samples plain 1 -e $misses:precise=0 -c $period
samples address 1 -e $misses -c $period
samples registers 1 -e $misses -c $period --registers
samples stack_again 1 -e $misses -c $period --call-stacks
samples stack_new 2 -e $misses -c $period --call-stacks

# --- a slice: at each switch, and each millisecond where more events than counters take turns

events=/sys/kernel/tracing/events

# Different ones of retired loads, for as many counters.
counted() {	# NR FLAGS
	for umask in $(echo 8 10 20 1 2 4 | cut -d ' ' -f "1-$1"); do
		echo "e$umask:4:0x${umask}d1:0:$2"
	done
}

# shellcheck disable=SC2086,SC2046	# words
counting() {	# NR FLAGS COMMAND...
	nr=$1
	flags=$2
	shift 2
	if [ "$nr" -eq 0 ]; then
		"$@"
	else
		./pmu with $(counted "$nr" "$flags") -- ./while-counted "$nr" "$@"
	fi
}

only_figures() { grep '^{'; }

echo 1 >$events/sched/sched_switch/enable
for nr in 0 1 4; do
	counting $nr uk ./switch_cost counted_$nr switch | only_figures >>/out/switches || exit 1
done
counting 6 uks ./switch_cost turns_6 switch | only_figures >>/out/switches || exit 1

# The same, read in a group by annot: what the kernel does for it at the switch.
recorded() {	# STATE OPTION...
	state=$1
	shift
	annot record -q -b 16384 -o /tmp/switches.dat "$@" ./switch_cost "$state" switch | only_figures >>/out/switches || exit 1
}

group=$(for umask in 8 10 20 1; do printf 'cpu/event=0xd1,umask=0x%s/uk\n' $umask; done | paste -sd , -)
recorded recorded
recorded group_4 --count "{$group}"

steps=8000000
counting 4 uk ./sample_cost counted_4 $steps 1 | only_figures >>/out/samples || exit 1
counting 6 uks ./sample_cost turns_6 $steps 1 | only_figures >>/out/samples || exit 1
