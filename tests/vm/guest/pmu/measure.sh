# SPDX-License-Identifier: GPL-2.0
# BOOT: -s 3 -T single -t 500 -a isolcpus=1 -p /usr/bin/setpriv
# SERIES: 6.12
# shellcheck disable=SC2317	# functions as arguments
#
# annot list, stat and record -e where there is no PMU: page faults stand in for misses. Only what
# is bound to it runs on CPU 1; CPU 2 goes and comes. What stands in the traces is looked at by
# measure.post.

# shellcheck source=tests/lib/tap.sh
. /test/tap.sh

cd /tmp || exit

# Runs annot, its streams in out and err; fails unless it exits with STATUS.
run() {	# STATUS ARGUMENT...
	wanted=$1
	shift
	status=0
	annot "$@" >out 2>err || status=$?
	[ $status -eq "$wanted" ] || { echo "annot $*: exit status $status, not $wanted"; cat err; return 1; }
}

says() {	# TEXT: in err
	grep -qF -- "$1" err || { echo "nothing of '$1' in:"; cat err; return 1; }
}

one_line() {
	[ "$(wc -l <err)" -eq 1 ] || { echo "not one line:"; cat err; return 1; }
}

# Waits until COMMAND succeeds, but not for ever.
await() {
	for _ in $(seq 200); do
		"$@" >/dev/null 2>&1 && return
		sleep 0.1
	done
	echo "still not: $*"
	tail -n 20 out
	return 1
}

value() { sed -n "s/^$1=//p" "$2"; }

# --- what there is

lists_what_needs_no_pmu() {
	run 0 list && says "the kernel has no PMU here" && grep -q "^page_faults " out && ! grep l1_cache_miss out
}

lists_other_cpus() {
	run 0 list --pmu skl l1_cache_miss && grep -q MEM_LOAD_RETIRED:L1_MISS out
}

# --- counting, without the module

# Nobody but the program runs on CPU 1, and it counts its own faults there.
counts_exactly() {
	run 0 stat -I 600000 -C 1 --csv -e page_faults -- sh -c "faults -c 1 4000 >/out/stat.truth" || return 1
	counted=$(value counted /out/stat.truth)
	awk -F , 'NR == 2 { print $6 }' out >both
	echo "stat: $(cat both), the program: $counted"
	[ "$counted" -ge 12000 ] && [ "$(cat both)" = "$counted" ] && [ "$(wc -l <out)" -eq 2 ]
}

user_and_kernel_are_all() {
	awk -F , 'NR == 2 { print; exit !($4 + $5 == $6 && $4 >= 12000 && $7 == 100) }' out
}

refuses_to_count() {
	run 1 stat --interval-count 1 -e l1_cache_miss && says "the kernel refuses event 'l1_cache_miss': the kernel has no PMU here" &&
		says "none of the events can be counted"
}

counts_the_rest() {
	run 0 stat --interval-count 1 -I 10 --csv -e l1_cache_miss,page_faults && says "refuses event 'l1_cache_miss'" &&
		grep -q "^[0-9.]*,0,page_faults," out && ! grep l1_cache out
}

# A CPU that goes has no counts; when it is back, it has again.
counted_again() {
	faults -c 2 10 >truth
	sed '1,/,2,page_faults,,,,0.00/d' out | grep ",2,page_faults,[1-9][0-9]*,[0-9]*,[0-9]*,100.00"
}

survives_hotplug() {
	annot stat -I 200 --csv -e page_faults >out 2>err &
	pid=$!
	await grep ",2,page_faults,[0-9]" out && echo 0 >/sys/devices/system/cpu/cpu2/online &&
		await grep ",2,page_faults,,,,0.00" out && echo 1 >/sys/devices/system/cpu/cpu2/online &&
		await counted_again
	status=$?
	kill -INT $pid
	wait $pid && [ $status -eq 0 ] && [ ! -s err ] || { cat err; return 1; }
}

twice() { [ "$(grep -c "  0 page_faults" out)" -ge 2 ]; }

interrupt_ends_with_totals() {
	annot stat -I 100 -e page_faults >out 2>err &
	pid=$!
	await twice
	kill -INT $pid
	wait $pid && [ ! -s err ] && grep -q "^in all, in " out || { cat out err; return 1; }
	awk 'NF == 7 && $2 == "0" { sum += $6 } NF == 6 && $1 == "0" { total = $5 }
		END { print "total " total ", intervals " sum; exit total != sum || !sum }' out
}

# --- recording

needs_the_module() {
	rm -f trace.dat
	run 1 record -e page_faults true && one_line && says "need the module annot.ko" && says "annot.ko is not installed" &&
		[ ! -e trace.dat ]
}

samples_page_faults() {
	run 0 record -e page_faults -c 1 -o /out/faults.dat faults 500 && cp out /out/faults.truth && cat err &&
		says "samples page_faults (PAGE-FAULTS) every 1, user and kernel, precise level 0" && says "no event lost"
}

records_nothing() {
	rm -f trace.dat
	run 1 record -e l1_cache_miss true && says "refuses event 'l1_cache_miss': the kernel has no PMU here" &&
		says "nothing is recorded" && [ ! -e trace.dat ]
}

records_the_rest() {
	run 3 record -e l1_cache_miss,page_faults,l2_cache_miss -o /out/mixed.dat sh -c "exit 3" &&
		says "refuses event 'l1_cache_miss'" && says "refuses event 'l2_cache_miss'" && says "samples page_faults"
}

counts_apart() {
	run 0 record --count page_faults -o /out/counts.dat faults 500 && cp out /out/counts.truth &&
		says "counts page_faults:u (PAGE-FAULTS), user" && says "counts page_faults:k (PAGE-FAULTS), kernel"
}

counts_written_spans() {
	run 0 record --count page_faults -o /out/spans.dat faults -a /dev/annot/cpu0 500 && cp out /out/spans.truth &&
		says "no event lost"
}

stops_after_enough() {
	run 0 record -e page_faults -c 1 --max-samples 100 -o /out/enough.dat faults 500
}

# One interrupt in each tick is all that the kernel lets through.
tells_of_throttling() {
	rate=$(cat /proc/sys/kernel/perf_event_max_sample_rate)
	echo 250 >/proc/sys/kernel/perf_event_max_sample_rate || return 1
	run 0 record -e CPU-CLOCK -c 20000 -o throttled.dat faults 2000
	echo "$rate" >/proc/sys/kernel/perf_event_max_sample_rate
	says "samples are missing: they came too often" || return 1
	told=$(sed -n "s/.*for \([0-9.]*\) s (CPUs and events.*/\1/p" err)
	annot report throttled.dat 2>/dev/null | grep "CPU-CLOCK was not measured for" || return 1
	awk -v told="$told" 'BEGIN { exit told <= 0 }' && run 0 record -e CPU-CLOCK -c 50000000 -o throttled.dat faults 2000 &&
		! says "samples are missing"
}

# The process runs already, and becomes another program while it is recorded.
follows_a_process() {
	sh -c 'until [ -e go ]; do sleep 0.1; done; exec faults 500 >/out/pid.truth' &
	pid=$!
	annot record -e page_faults -c 1 -p $pid -o /out/pid.dat >out 2>err &
	recorder=$!
	await grep "recording until process $pid ends" err || { cat err; kill $pid $recorder; return 1; }
	sleep 1
	echo $pid >/out/pid.pid
	touch go
	wait $recorder || { cat err; return 1; }
	wait $pid && says "no event lost"
}

no_such_process() {
	run 1 record -p 4000000 && one_line && says "there is no such process"
}

takes_privilege() {
	chgrp -R 4711 /sys/kernel/tracing && chmod -R g+rwX /sys/kernel/tracing && chmod 755 /dev/annot &&
		chmod 666 /dev/annot/* && chmod 777 /tmp || return 1
	status=0
	/usr/bin/setpriv --reuid 1000 --regid 4711 --clear-groups annot record -o /tmp/user.dat -e page_faults true \
		>out 2>err || status=$?
	[ $status -eq 1 ] && one_line && says "-e and --count: it needs root or CAP_PERFMON"
}

check "list: what needs no PMU, and that there is none" lists_what_needs_no_pmu
check "list: of other CPUs as well" lists_other_cpus
check "stat counts what the program itself counts" counts_exactly
check "stat: user and kernel are all there is" user_and_kernel_are_all
check "stat without a PMU says so" refuses_to_count
check "stat counts what there is" counts_the_rest
check "stat ends with totals when interrupted" interrupt_ends_with_totals
check "stat: a CPU goes and comes" survives_hotplug
check "-e without the module: how to load it" needs_the_module
check "annot.ko loads" insmod /test/annot.ko
check "samples page faults" samples_page_faults
check "without a PMU, nothing is recorded of misses alone" records_nothing
check "what there is is recorded" records_the_rest
check "counts user and kernel apart" counts_apart
check "counts in spans that the program writes" counts_written_spans
check "samples only so many" stops_after_enough
check "throttled samples are reported" tells_of_throttling
check "follows a process until it ends" follows_a_process
check "no such process" no_such_process
check "record without the permission to measure says so" takes_privilege
check "annot.ko unloads" rmmod annot
