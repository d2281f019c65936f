# SPDX-License-Identifier: GPL-2.0
# BOOT: -s 1 -T count -t 400
# SERIES: 6.12
# FILES: build/tests/vm/turns_load build/tests/vm/pmu
#
# Twelve events on four counters, of a program whose rate of events changes in time and which counts them itself.
# turns_truth.py holds the estimates against that.

# shellcheck source=tests/lib/tap.sh
. /test/tap.sh

# Twelve ways to ask for the same: the counts of pokes by user code.
events=r1:u
for key in 1 2 3 4 5 6 7; do
	events=$events,r${key}01:u
done
for key in 0 1 2 3; do
	events=$events,r10${key}01:u
done

# shellcheck disable=SC2317	# called by check
record() {	# NAME EVENTS THREADS MS
	annot record -o "/out/$1.dat" -b 16384 --count "$2" -- ./turns_load "$3" "$4" "/out/$1.json" >"/out/$1.said" 2>&1 ||
		{ cat "/out/$1.said"; return 1; }
}

says_so() {
	grep "take turns" /out/turns.said && ! grep "take turns" /out/alone.said
}


mount -t debugfs debug /sys/kernel/debug
insmod annot.ko && insmod nmi_pmu.ko slots=4 || exit 1
# Shorter turns than the usual 4 ms, for more of them.
echo 2 >/sys/bus/event_source/devices/nmi_pmu/perf_event_mux_interval_ms
check "twelve events are recorded on four counters" record turns "$events" 96 400
check "and four" record alone r1:u,r101:u,r201:u,r301:u 2 100
check "that they take turns is said, where they do" says_so
check "annot.ko unloads" rmmod annot
check "and so does the module of the PMU" rmmod nmi_pmu
exit ${failed-0}
