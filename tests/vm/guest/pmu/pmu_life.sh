# SPDX-License-Identifier: GPL-2.0
# BOOT: -s 2 -T single -t 500
# SERIES: 6.12
# FILES: build/tests/vm/pmu build/tests/vm/pmu_load build/tests/vm/pmu_figures
# shellcheck disable=SC2317	# functions as arguments
#
# How counters begin and end: two hundred times, while CPUs come and go, when their owner leaves,
# beside perf. However it goes, nothing that was counted may be missing from the slices.

# shellcheck source=tests/lib/tap.sh
. /test/tap.sh

tracing=/sys/kernel/tracing

equal() { echo "$1, expected $2"; test "$1" = "$2"; }

cat >running.sh <<'END'
for _ in $(seq 1000); do
	grep -qx "counters $1" /dev/annot/ctl && exit
	sleep 0.01
done
cat /dev/annot/ctl >&2
exit 1
END
nr_running() { sh running.sh "$1"; }

# 1 or 0 into what measures, in the top buffer or an instance's
cat >measure.sh <<'END'
for event in annot_sample annot_slice_counts; do
	echo "$1" >"${2-/sys/kernel/tracing}/events/annot/$event/enable" || exit
done
END
measure() { sh measure.sh "$@"; }

begin() {
	echo >$tracing/trace
	echo 1 >$tracing/events/annot/annot_pmu_state/enable
	echo 1 >$tracing/events/annot/annot_config/enable
}

end() {
	echo 0 >$tracing/events/enable
	cat $tracing/trace >/tmp/trace
	./pmu_figures /tmp/trace >/tmp/figures || echo "# pmu_figures: $?"
}

figure() {	# WORDS...: the last word of the line that begins with them, or 0
	awk -v want="$* " 'index($0, want) == 1 { found = $NF } END { print found + 0 }' /tmp/figures
}

nr_times() {	# CPU EVENT STATE
	awk -v want="cpu $1 event $2 $3 " 'index($0, want) == 1 { found = $6 } END { print found + 0 }' \
		/tmp/figures
}

# What is sampled is event 0, what is counted is event 1 and counter 0.
set="page_faults:1:2:10:uk faults:1:2:0:uk"

slices_add_up() {
	for cpu in 0 1; do
		equal "$(figure cpu $cpu counter 0)" "$(figure cpu $cpu event 1 stopped)" || return 1
		test "$(figure cpu $cpu counter 0)" -gt 0 || return 1
	done
}

# On each CPU so many counters of each event have begun, and all of them have ended.
began_and_ended() {	# TIMES_ON_CPU_0 TIMES_ON_CPU_1
	for event in 0 1; do
		equal "$(nr_times 0 $event started)" "$1" || return 1
		equal "$(nr_times 0 $event stopped)" "$1" || return 1
		equal "$(nr_times 1 $event started)" "$2" || return 1
		equal "$(nr_times 1 $event stopped)" "$2" || return 1
	done
}

nothing_lost() { ! grep -E ' (lost|failed|throttled) ' /tmp/figures; }

# On each CPU, an annot_slice_counts is followed by the switch away from its thread. The last ones
# are of the moment when counting stopped.
slices_are_ahead() {
	awk '/^#/ || !match($0, /-[0-9]+ +\[[0-9]+\]/) { next }
		{ split(substr($0, RSTART + 1, RLENGTH - 1), who, / +\[/); cpu = who[2] }
		cpu in open { if (!/ sched_switch: / || !index($0, " prev_pid=" open[cpu] " ")) stray++
			delete open[cpu] }
		/ annot_slice_counts: / { open[cpu] = who[1]; slices++ }
		END { print slices + 0 " slices, " stray + 0 " without their switch"
			exit !(slices > 10 && stray <= 2) }' /tmp/trace
}

check "annot.ko loads" insmod annot.ko
echo 16384 >$tracing/buffer_size_kb
taskset 1 ./pmu_load churn &
churns=$!
taskset 2 ./pmu_load churn &
churns="$churns $!"
./pmu_load perf &
perf=$!

# --- without a set

begin
check "without a set the trace events can be enabled" measure 1
sleep 0.3
check "and nothing runs" nr_running 0
./pmu check-busy || failed=1
measure 0
end

# --- the owner leaves

begin
echo 1 >$tracing/events/sched/sched_switch/enable
measure 1
# shellcheck disable=SC2086
check "counters run with the set" ./pmu with $set -- sh -c "sh running.sh 4 && sleep 0.5"
check "and end with its file" nr_running 0
end
check "each counter has reported its start and its end" began_and_ended 1 1
check "the slices have all that was counted" slices_add_up
check "they stand right before their switch" slices_are_ahead

# --- start and stop

begin
# shellcheck disable=SC2086
check "started and stopped 200 times" ./pmu with $set -- ./pmu cycle 200
check "nothing runs any more" nr_running 0
end
starts=$(nr_times 0 1 started)
check "each CPU has had its counters 50 times at least: $starts" test "$starts" -ge 50
check "and each that began has ended" sh -c "awk '
	\$5 == \"started\" { began[\$2 \$4] = \$6 } \$5 == \"stopped\" { ended[\$2 \$4] = \$6 }
	END { for (i in began) { print i, began[i], ended[i]; bad += began[i] != ended[i]; n++ }
		exit bad || n != 4 }' /tmp/figures"
check "the slices have all that was counted in these times" slices_add_up
check "nothing is lost or has failed" nothing_lost

# --- two recordings

begin
measure 1
# shellcheck disable=SC2086
./pmu with $set -- sh running.sh 4 >"$tap_log"
./pmu with clock:1:0:1000000:uk -- sh running.sh 2 >"$tap_log"
./pmu with nothing:4:0x8d1:0:u switches:1:3:0:k -- sh running.sh 2 >"$tap_log"
measure 0
end
check "one set after another, each in annot_config" equal \
	"$(sed -n 's/.*annot_config: *event=\([0-9]*\) name=\([a-z_]*\).*/\1 \2/p' /tmp/trace | tr '\n' ,)" \
	"0 page_faults,1 faults,0 clock,0 nothing,1 switches,"

begin
mkdir $tracing/instances/other
echo 1 >$tracing/instances/other/events/annot/annot_config/enable
cat >in-two-buffers.sh <<'END'
other=/sys/kernel/tracing/instances/other
sh measure.sh 1 && sh running.sh 4 && sh measure.sh 1 $other && sleep 0.2 &&
	sh measure.sh 0 $other && sh running.sh 4 && sh measure.sh 0
END
# shellcheck disable=SC2086
check "one recording ends within another" ./pmu with $set -- sh in-two-buffers.sh
end
check "which goes on" began_and_ended 1 1
check "without a loss" slices_add_up
check "the other has samples of its own" grep -q annot_sample: $tracing/instances/other/trace
check "and knows of what" equal "$(grep -c 'annot_config: event=' $tracing/instances/other/trace)" 2
echo 0 >$tracing/instances/other/events/enable
rmdir $tracing/instances/other

# --- CPU hotplug

cat >hotplug.sh <<'END'
online=/sys/devices/system/cpu/cpu1/online
sh measure.sh 1 && sh running.sh 4 || exit
for _ in $(seq 10); do
	echo 0 >$online && sh running.sh 2 && echo 1 >$online && sh running.sh 4 || exit
done
echo 0 >$online
sh measure.sh 0
sh measure.sh 1
sh running.sh 2 && echo 1 >$online && sh running.sh 4 && sleep 0.2 && sh measure.sh 0
END
begin
# shellcheck disable=SC2086
check "a CPU goes and comes back while its events are counted" ./pmu with $set -- sh hotplug.sh
end
check "its counters end and begin with it" began_and_ended 2 12
check "the slices have all that was counted meanwhile" slices_add_up
check "nothing is lost or has failed" nothing_lost

# --- unloading

# shellcheck disable=SC2086
refuse "while there is a set annot.ko cannot be unloaded" ./pmu with $set -- rmmod annot
begin
measure 1
check "with its trace events enabled it can" rmmod annot
echo 0 >$tracing/events/enable
check "and be loaded again" insmod annot.ko
begin
measure 1
# shellcheck disable=SC2086
check "counters run again" ./pmu with $set -- sh running.sh 4
end
# shellcheck disable=SC2086
kill $churns
kill $perf || failed=1	# it would have died of an error
check "annot.ko unloads" rmmod annot
exit $failed
