# SPDX-License-Identifier: GPL-2.0
# BOOT: -E pebs -s 2 -T single -t 300
# SERIES: 6.1
# DEBUG: no, the emulator is slow enough without
#
# Conflicting addresses, and the same with padding, told by registers: samples that are not precise
# have no address. lines_truth.py holds what annot report says against what the program knows.

failed=0

record() {	# NAME COMMAND...
	name=$1
	shift
	if annot record -t l1_cache_miss:u:precise=0 --registers -i 997 -o "/out/$name.dat" "$@" >/tmp/log 2>&1; then
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

record conflict conflict -r 2 -n 500000 -o /out/conflict.json
record conflict-padded conflict -r 2 -n 500000 -p 64 -o /out/conflict-padded.json
exit $failed
