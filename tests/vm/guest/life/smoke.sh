# SPDX-License-Identifier: GPL-2.0
# BOOT: -s 2 -T single -t 300
# SERIES: 6.1 6.1-rt 6.12 7
# FILES: tests/vm/when-recorded
#
# The shortest way through everything in the kernel: load, write, record, unload.

# shellcheck source=tests/lib/tap.sh
. /test/tap.sh

check "annot.ko loads" insmod annot.ko
check "there is a device for the control page" test -c /dev/annot/ctl
check "there is a device for each CPU" test -c /dev/annot/cpu0 -a -c /dev/annot/cpu1

echo 'echo "B loop48 17" >/dev/annot/cpu0; echo E >/dev/annot/cpu0' >annotate.sh
check "trace-cmd records" trace-cmd record -q -o /out/trace.dat \
	-e sched:sched_switch -e annot ./when-recorded /out/trace.dat sh annotate.sh
check "trace-cmd reads it" sh -c "trace-cmd report -i /out/trace.dat >/out/report"
check "an echo'd annotation is in the trace" grep 'annot_begin:.*loop48.*17' /out/report
check "its end is in the trace" grep annot_end: /out/report
check "task switches are in the trace" grep sched_switch: /out/report

check "annot.ko unloads" rmmod annot
check "its devices are gone" test ! -e /dev/annot/cpu0
