# SPDX-License-Identifier: GPL-2.0
# BOOT: -s 2 -T multi -t 280
# SERIES: 6.12
# FILES: build/tests/vm/pmu build/tests/vm/nmi_load build/tests/vm/perf_user
#
# Samples and counts of a PMU whose NMIs come at any place in the kernel's work, recorded while
# annotations and switches run at full rate. Each event has a key of its own in the PMU's log
# (attr.config, bits 8 to 10), against which nmi_truth.py holds it.

pmu=/sys/kernel/debug/nmi_pmu
events=/sys/kernel/tracing/events/annot
measured="-e annot:annot_sample -e annot:annot_slice_counts"
always="-e sched:sched_switch -e annot:annot_batch -e annot:annot_name -e annot:annot_lost
	-e annot:annot_config -e annot:annot_pmu_state"

# --- what happens in a recording: sh nmi.sh SCENE

# Counters start some time after their trace event is enabled, and stop at once. No process is
# started to look, unless it takes long.
until_counters() {	# NR
	for tries in $(seq 2000); do
		while read -r key value; do
			[ "$key $value" != "counters $1" ] || return 0
		done </dev/annot/ctl
		[ "$tries" -lt 100 ] || sleep 0.05
	done
	echo "not $1 counters, but $value" >&2
	return 1
}

everything() {
	until_counters 8 && ./nmi_load 3000 3 0 /out/everything.json
}

# Somebody else samples the same, at the same time.
shared() {
	until_counters 2 && ./perf_user 4 0x502 1 ./nmi_load 2000 1 0 /out/shared.json >/out/shared.perf
}

# Sampling starts and stops 200 times. trace-cmd has enabled it, to know its format.
toggled() {
	echo 0 >$events/annot_sample/enable && until_counters 0 || return
	./nmi_load 1000000 1 15 /out/toggled.json &
	for _ in $(seq 200); do
		echo 1 >$events/annot_sample/enable && until_counters 2 &&
			echo 0 5 >$pmu/storm && echo 1 5 >$pmu/storm &&
			echo 0 >$events/annot_sample/enable && until_counters 0 || return
	done
	kill $!
}

# A CPU goes, and comes back, five times. Whatever happens on it then is sampled.
hotplug() {
	cpu=/sys/devices/system/cpu/cpu1/online
	until_counters 2
	./nmi_load 1000000 1 15 /out/hotplug.json &
	for _ in $(seq 5); do
		echo 0 >$cpu && until_counters 1 || return
		! echo 1 1 2>/dev/null >$pmu/storm || return
		echo 1 >$cpu && until_counters 2 && echo 1 100 >$pmu/storm || return
	done
	kill $!
}

if [ $# -gt 0 ]; then
	"$1"
	exit
fi

# --- the recordings

# shellcheck source=tests/lib/tap.sh
. /test/tap.sh

# Records a scene: its events, the events of the trace; then what the PMU has handed on so far.
# shellcheck disable=SC2086	# lists of words
record() {	# SCENE "EVENT..." "TRACE-EVENT..."
	./pmu with $2 -- trace-cmd record -q -C mono -b 16384 -o "/out/$1.dat" $3 \
		sh "$0" "$1" >"/out/$1.got" || return 1
	cat $pmu/totals >"/out/$1.totals"
}

mount -t debugfs debug /sys/kernel/debug
insmod annot.ko && insmod nmi_pmu.ko || exit 1

check "everything is recorded at full rate" record everything \
	"storm:4:0x102:1:uk:3 poke:4:0x10201:7:uk pokes:4:0x301:0:uk storms:4:0x302:0:uk" "$always $measured"
check "then other events, of which there is another user" record shared \
	"storm:4:0x402:1:uk" "$always $measured"
check "sampling starts and stops 200 times in a recording" record toggled \
	"storm:4:0x602:1:uk" "$always -e annot:annot_sample"
check "a CPU goes and comes back in a recording" record hotplug \
	"storm:4:0x702:1:uk" "$always $measured"

cp $pmu/log* /out
check "the PMU is at rest when nothing is recorded" sh -c "! cut -d' ' -f5 $pmu/totals | grep -v '^0$'"
check "annot.ko unloads" rmmod annot
check "and so does the module of the PMU, which is not in use" rmmod nmi_pmu
exit ${failed-0}
