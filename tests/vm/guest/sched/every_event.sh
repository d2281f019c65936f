# SPDX-License-Identifier: GPL-2.0
# BOOT: -s 2 -m 1536M -T single -t 580
# SERIES: 7
# MORE: arm64 riscv64
# DEBUG: no, it is about what is read afterwards
#
# Recordings by plain trace-cmd of every event that the kernel offers, some systems at a time, and of its function
# tracers.

# shellcheck source=tests/lib/tap.sh
. /test/tap.sh

tracing=/sys/kernel/tracing
systems_at_once=8

# A bit of everything: processes, files, pipes, timers, signals, memory.
cat >load.sh <<'EOF'
for i in 1 2 3; do
	ls -l / /proc/self >/dev/null
	dd if=/dev/zero of=/tmp/file bs=64k count=8 2>/dev/null
	cat /tmp/file | md5sum >/dev/null
	sleep 0.02 &
	wait
done
sync
rm /tmp/file
kill -USR1 $$ 2>/dev/null || true
EOF
sed -i '1i trap : USR1' load.sh

systems() {
	for dir in $tracing/events/*/; do
		system=$(basename "$dir")
		[ "$system" = ftrace ] || [ "$system" = annot ] || echo "$system"
	done
}

nr=0
for group in $(systems | xargs -n $systems_at_once | tr ' ' ,); do
	nr=$((nr + 1))
	# shellcheck disable=SC2046	# words
	check "trace-cmd records $group" trace-cmd record -q -b 4096 -o /out/events.$nr.dat -e sched:sched_switch \
		$(echo "$group" | tr ',' '\n' | sed 's/^/-e /') sh load.sh
done
# Our own modules are for x86-64.
if [ -e printer.ko ]; then
	check "trace-cmd records what the kernel prints" trace-cmd record -q -b 4096 -o /out/events.printed.dat \
		-e sched:sched_switch insmod printer.ko
fi
check "there are systems of events" test $nr -gt 3
for tracer in function function_graph; do
	if grep -qw $tracer $tracing/available_tracers; then
		check "trace-cmd records with the tracer $tracer" trace-cmd record -q -b 4096 -o /out/events.$tracer.dat \
			-p $tracer -l 'do_sys*' -l 'vfs_*' -l schedule -e sched:sched_switch sh load.sh
	fi
done
