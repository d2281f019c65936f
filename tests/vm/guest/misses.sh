# SPDX-License-Identifier: GPL-2.0
# BOOT: -E pebs -s 2 -T single -t 550
# SERIES: 6.1
# DEBUG: no, the emulator is slow enough without
#
# Where and why programs miss, from samples of Intel's own driver with PEBS: conflicting addresses
# and the same with padding, and working sets of five sizes, whose misses are counted, too. (What time
# it is there means nothing.)
# misses_truth.py holds what annot report says against what the programs know.

failed=0

record() {	# NAME PERIOD EVENT [OPTION...] COMMAND...
	name=$1
	period=$2
	event=$3
	shift 3
	if annot record -t "$event" -i "$period" -c 200000 -o "/out/$name.dat" "$@" >/tmp/log 2>&1; then
		echo "ok - $name is recorded"
	else
		sed 's/^/# /' /tmp/log
		echo "not ok - $name is recorded"
		failed=1
	fi
}

insmod annot.ko || exit 1
echo 25 >/proc/sys/kernel/perf_cpu_time_max_percent
echo 10000000 >/proc/sys/kernel/perf_event_max_sample_rate
echo 0 >/proc/sys/kernel/perf_cpu_time_max_percent

record conflict 997 l1_cache_miss:u conflict -r 2 -n 500000 -o /out/conflict.json
record conflict-padded 997 l1_cache_miss:u conflict -r 2 -n 500000 -p 64 -o /out/conflict-padded.json
# Three samples of each line, for they come round in order. More of them would themselves take from the
# first level what the program has there: 28 KiB do not stay in it.
record chase 251 memory_loads:u --count l1_cache_miss:u,l2_cache_miss:u \
	chase -t 1 -r 1 -s 16,20,48,208,320 -n 4300000 -e r8d1 -o /out/chase.json
exit $failed
