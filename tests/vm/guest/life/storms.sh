# SPDX-License-Identifier: GPL-2.0
# BOOT: -s 2 -m 1536M -T single -t 580
# SERIES: 6.12
# FILES: build/tests/vm/storm build/tests/vm/honest build/tests/vm/pmu
# shellcheck disable=SC2086	# lists of processes
#
# Loading and unloading under load, CPUs that come and go, processes that are killed wherever they
# are; on a debug kernel more of each, and allocations that fail. Emulated in parallel, the kernel
# would patch its text too often for QEMU (tests/vm/boot).

# shellcheck source=tests/lib/tap.sh
. /test/tap.sh

tracing=/sys/kernel/tracing
online=/sys/devices/system/cpu/cpu1/online
nr_loads=15 nr_hotplugs=6 ms=5000
[ -z "$SLOWDOWN" ] || nr_loads=200 nr_hotplugs=30 ms=60000

# Those who use it come and go; between two of them it can be unloaded.
unload() {
	for _ in $(seq 3000); do
		! rmmod annot 2>/tmp/why || return 0
		sleep 0.01
	done
	cat /tmp/why
	return 1
}

load_and_unload() {
	for i in $(seq $nr_loads); do
		insmod annot.ko || return
		sleep 0.0$((i % 10))
		unload || return
	done
}

# An event's own file is not for this: before 6.7 the kernel opens it while it goes with its module,
# and reads what it has freed.
turn_on() { echo annot:$1 >>$tracing/set_event; }
turn_off() { echo "!annot:$1" >>$tracing/set_event; }

toggle() {	# EVENT
	while :; do
		turn_on $1
		sleep 0.02
		turn_off $1
		sleep 0.02
	done 2>/dev/null
}

cat >measured.sh <<END
$(sed -n '/^turn_o.*() {/p' "$0")
tracing=$tracing
turn_on annot_sample
turn_on annot_slice_counts
sleep 0.05
turn_off annot_slice_counts
turn_off annot_sample
END

measure() {
	while :; do
		./pmu with sampled:1:2:10:u counted:1:2:0:uk -- sh measured.sh
		sleep 0.1
	done >/dev/null 2>&1
}

# Between two of them nobody uses it.
bursts() {
	while :; do
		./storm churn 200
		sleep 0.2
	done >/dev/null 2>&1
}

plug() {
	for _ in $(seq $nr_hotplugs); do
		sleep 0.1
		echo 0 >$online || return
		sleep 0.1
		echo 1 >$online || return
	done
}

# --- loading

bursts &
load=$!
for event in annot_batch annot_begin annot_config annot_blocked annot_waking; do
	toggle $event &
	load="$load $!"
done
measure &
load="$load $!"
check "annot.ko is loaded and unloaded under load, $nr_loads times" load_and_unload
kill $load
wait
check "annot.ko can be loaded" insmod annot.ko
cat >plug.sh <<END
$(sed -n '/^plug()/,/^}/p' "$0")
nr_hotplugs=$nr_hotplugs online=$online
plug
END

# --- CPUs, and processes

toggle annot_begin &
load=$!
measure &
load="$load $!"
./storm churn 10000000 >/dev/null 2>&1 &
churn=$!
./honest sh plug.sh || failed=1
kill $churn
./honest ./storm churn $ms || failed=1

# --- memory

# Only what annot.ko asks for, by itself or by calling the kernel, where that can be told: 6.12 warns when
# it finds no memory for the stack of a new process.
text=$(cat /sys/module/annot/sections/.text)
bytes=$(sed -n 's/^annot \([0-9]*\) .*/\1/p' /proc/modules)
for fault in failslab fail_page_alloc; do
	dir=/sys/kernel/debug/$fault
	[ -d $dir ] || mount -t debugfs debug /sys/kernel/debug 2>/dev/null
	[ -d $dir ] || continue
	echo N >$dir/ignore-gfp-wait
	echo Y >$dir/task-filter
	echo 0 >$dir/verbose
	if [ -e $dir/require-start ]; then
		echo $text >$dir/require-start
		printf '%#x\n' $((text + bytes)) >$dir/require-end
		echo 32 >$dir/stacktrace-depth
	fi
	echo 10 >$dir/probability
	echo -1 >$dir/times
done
if [ -d $dir ]; then
	echo 0 >$dir/min-order
	./honest ./storm churn $ms fail || failed=1
fi
kill $load
wait
echo 0 >$tracing/events/enable
if [ -d $dir ]; then
	for fault in failslab fail_page_alloc; do
		echo 0 >/sys/kernel/debug/$fault/probability
	done
	./storm nth || failed=1
fi
check "annot.ko is no longer in use" unload
exit $failed
