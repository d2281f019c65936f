# SPDX-License-Identifier: GPL-2.0
# BOOT: -E pebs:512 -N -s 1 -T single -t 550
# SERIES: 6.12
# DEBUG: no, the emulator is slow enough without
# TIMED
#
# What a switch costs in misses, going by samples, as misses_count.sh has it of counts. They are told
# from others by the time since the switch, which is that of the machine outside: while QEMU does not
# run, time goes on, and if that is in the midst of a burst, the burst is not one any more. (Time that
# is counted in instructions would not, but does not go with PEBS.) Therefore it runs before all else;
# bursts have two samples each, for these take long; the program counts nothing itself, for to turn
# counters on and off takes longer; and hardly anything runs in the guest beside it.
# misses_truth.py holds what annot report says against what the program does.

# shellcheck source=tests/lib/tap.sh
. /test/tap.sh

record() {	# NAME KIB
	check "$1 is recorded" annot record -e l2_cache_miss:u -c 127 --count l2_cache_miss:u -o "/out/$1.dat" \
		sh -c "renice -n -20 -p \$\$ && exec polluter -r 100 -n 160000 -w $2 -e page-faults \
			-o /out/$1.json"
}

insmod annot.ko || exit 1
echo 25 >/proc/sys/kernel/perf_cpu_time_max_percent
echo 10000000 >/proc/sys/kernel/perf_event_max_sample_rate
echo 0 >/proc/sys/kernel/perf_cpu_time_max_percent

record polluter 600
record alone 1
exit $failed
