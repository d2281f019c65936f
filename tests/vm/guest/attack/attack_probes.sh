# SPDX-License-Identifier: GPL-2.0
# BOOT: -s 2 -T single -t 400 -m 2G
# SERIES: 6.12
# FILES: build/tests/vm/attack_calls
#
# Root looks at the module's own functions while it records: by kprobes and the function tracer.

tracing=/sys/kernel/tracing
# shellcheck source=tests/lib/tap.sh
. /test/tap.sh

nothing_lost() {
	./attack_calls lossless 2000 >/tmp/lossless || failed=1
	grep -v '^ok' /tmp/lossless
	check "$1" grep -q '^ok - nothing is lost' /tmp/lossless
}

nr_events() { grep -c -v '^#' "$1"; }

insmod annot.ko || exit 1
mkdir $tracing/instances/probes $tracing/instances/functions || exit 1
echo 32768 >$tracing/buffer_size_kb
sed -n 's/ \[annot\]$//p' $tracing/available_filter_functions >/tmp/functions
check "the module has functions that can be traced" test "$(wc -l </tmp/functions)" -gt 50

cd $tracing/instances/functions || exit 1
echo ':mod:annot' >set_ftrace_filter
echo function >current_tracer
cd /test || exit 1
nothing_lost "under the function tracer"
check "which saw functions of the module" test "$(nr_events $tracing/instances/functions/trace)" -gt 100

number=0
refused=0
while read -r function; do
	number=$((number + 1))
	echo "p:annot_probes/p$number annot:$function" >>$tracing/kprobe_events 2>/dev/null || refused=$((refused + 1))
	echo "r:annot_probes/r$number annot:$function" >>$tracing/kprobe_events 2>/dev/null || refused=$((refused + 1))
done </tmp/functions
echo "# $number functions, of $((2 * number)) probes $refused refused"
check "most functions take kprobes" test $((2 * refused)) -lt $number
echo 1 >$tracing/instances/probes/events/annot_probes/enable
nothing_lost "under kprobes and kretprobes on each function, and the function tracer"
check "the probes were hit" test "$(nr_events $tracing/instances/probes/trace)" -gt 100
echo 0 >$tracing/instances/probes/events/annot_probes/enable
echo nop >$tracing/instances/functions/current_tracer
echo >$tracing/kprobe_events
rmdir $tracing/instances/probes $tracing/instances/functions
nothing_lost "and without them"
check "annot.ko unloads" rmmod annot
exit $failed
