# SPDX-License-Identifier: GPL-2.0
# BOOT: -s 2 -T multi -t 200
# SERIES: 7
# DEBUG: no, it is about what is read afterwards
#
# A CPU goes offline and comes back, a thread moves to another cgroup, and CPUs interrupt each other, while plain trace-cmd records.

# shellcheck source=tests/lib/tap.sh
. /test/tap.sh

mkdir -p /cg
mount -t cgroup2 none /cg
mkdir -p /cg/inner

# uptime has hundredths of a second.
cat >load.sh <<'EOF'
sleep 0.2
read -r before rest </proc/uptime
echo 0 >/sys/devices/system/cpu/cpu1/online
read -r from rest </proc/uptime
sleep 0.5
read -r to rest </proc/uptime
echo 1 >/sys/devices/system/cpu/cpu1/online
read -r after rest </proc/uptime
echo $$ >/cg/inner/cgroup.procs
sleep 0.2
echo "$before $from $to $after $$" >/out/hotplug.said
EOF

# x86 has events of why a CPU interrupts another from Linux 6.4 on.
ipi=""
[ -d /sys/kernel/tracing/events/ipi ] && ipi="-e ipi"
# shellcheck disable=SC2086 # two words, or none
check "a CPU goes offline and comes back" trace-cmd record -q -b 4096 -o /out/hotplug.dat -e cpuhp -e cgroup $ipi -e irq_vectors \
	-e sched:sched_switch sh load.sh

# Counters that were opened while a CPU was there count no longer when it comes back.
cat >counted.sh <<'EOF'
faults -c 1 500 >/out/before.said
echo 0 >/sys/devices/system/cpu/cpu1/online
echo 1 >/sys/devices/system/cpu/cpu1/online
sleep 0.1
faults -c 1 500 >/out/after.said
sleep 0.1
EOF
check "a CPU goes offline while annot counts" annot record -q --count page_faults -o /out/counted.dat sh counted.sh
exit $failed
