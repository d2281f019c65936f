# SPDX-License-Identifier: GPL-2.0
#
# Records /out/scene-*.dat of misses, small ones: in one guest what is sampled, on CPUs that take
# turns; in another what is counted, on a CPU whose time is its instructions.

# shellcheck source=tests/lib/tap.sh
. /test/tap.sh

insmod annot.ko || exit 1
. ./few-formats.sh

scene() {	# NAME "OPTION..." COMMAND...
	name=$1
	options=$2
	shift 2
	# shellcheck disable=SC2086	# a list of words
	check "$name" annot record -q -b 1024 $options -o "/out/scene-$name.dat" -- "$@"
}

if [ "$(nproc)" -gt 1 ]; then
	# The kernel would lower it for the time that samples take in an emulator.
	echo 25 >/proc/sys/kernel/perf_cpu_time_max_percent
	echo 10000000 >/proc/sys/kernel/perf_event_max_sample_rate
	echo 0 >/proc/sys/kernel/perf_cpu_time_max_percent
	scene conflict "-e l1_cache_miss:u -c 9973" conflict -r 2 -n 2000000
	scene conflict-padded "-e l1_cache_miss:u -c 9973" conflict -r 2 -n 2000000 -p 64
	scene conflict-registers "-e l1_cache_miss:u:precise=0 --registers -c 9973" conflict -r 2 -n 2000000
	scene sharing "-e l1_cache_miss:u,memory_stores:u -c 1999" sharing -n 200000
	scene sharing-padded "-e l1_cache_miss:u,memory_stores:u -c 1999" sharing -n 200000 -p 56
else
	scene polluter "--count l3_cache_miss:u" polluter -r 120 -n 12000 -w 600
	scene polluter-alone "--count l3_cache_miss:u" polluter -r 120 -n 12000 -w 1
fi
rmmod annot
