# SPDX-License-Identifier: GPL-2.0
# BOOT: -s 1 -T count -t 400
# SERIES: 6.12
# DEBUG: no, it is about times
#
# annot record -F: where a program without frame pointers spends its CPU time, on a machine without a PMU. profile_truth.py holds
# it against what the program measured. Then the kernel lets fewer samples through than were asked for.

# shellcheck source=tests/lib/tap.sh
. /test/tap.sh

limit=/proc/sys/kernel/perf_event_max_sample_rate

insmod annot.ko || exit 1

# There is no cache of ldconfig's here, by which libraries are found elsewhere.
export LD_LIBRARY_PATH=/lib/x86_64-linux-gnu

profile_is_recorded() {
	annot record -q -F 999 -o /out/profile.dat -- shares 100 >/out/profile.said || return
	# Here the program is where the trace says.
	annot convert --folded on-cpu -o /out/profile.folded /out/profile.dat || return
	annot report --json --stacks on-cpu /out/profile.dat >/out/profile.json
}

# A tick of the kernel lets two pass.
throttled_is_told() {
	annot record -F 4000 -o /out/throttled.dat -- sh -c "echo 500 >$limit; shares 10" >/out/throttled.said 2>&1 || return
	grep 'samples are missing: they came too often' /out/throttled.said || { cat /out/throttled.said; return 1; }
	annot report --stacks on-cpu /out/throttled.dat >/out/throttled.txt || return
	grep '^[1-9][0-9]* samples of all programs are missing' /out/throttled.txt || { cat /out/throttled.txt; return 1; }
}

# Samples of time have no data: nothing is read of which memory is where.
no_data_is_told() {
	trace-cmd report /out/profile.dat >/out/profile.text || return
	grep -q 'annot|map|' /out/profile.text && ! grep 'annot|pages|\|annot|data|' /out/profile.text
}

# The limit is now lower than that.
too_often_is_refused() {
	annot record -F 999 -o /out/none.dat -- true >/out/refused.said 2>&1
	[ $? = 2 ] && grep 'more than sysctl kernel.perf_event_max_sample_rate allows' /out/refused.said
}

check "a profile is recorded" profile_is_recorded
check "no data is told of" no_data_is_told
check "throttled samples are told" throttled_is_told
check "more than the kernel allows is refused" too_often_is_refused
check "annot.ko unloads" rmmod annot
exit "$failed"
