# SPDX-License-Identifier: GPL-2.0
# BOOT: -s 2 -T single -t 400
# FILES: build/tests/vm/pmu build/tests/vm/pmu_load build/tests/vm/pmu_figures
# shellcheck disable=SC2086,SC2317	# words, functions as arguments
#
# Sampling and counting where there is no PMU: page faults stand in for misses. A program that
# touches so many fresh pages is the truth that samples and slices are held against.

# shellcheck source=tests/lib/tap.sh
. /test/tap.sh

tracing=/sys/kernel/tracing
pmu=./pmu

equal() { echo "$1, expected $2"; test "$1" = "$2"; }
between() { echo "$2, expected $1 to $3"; test "$1" -le "$2" && test "$2" -le "$3"; }

enable_events() {	# EVENT... (sampling starts where it is named)
	for event; do
		echo 1 >$tracing/events/$event/enable
	done
}

# All that is asked for comes to run; the command inside a set waits for it.
cat >running.sh <<'END'
for _ in $(seq 1000); do
	grep -qx "counters $1" /dev/annot/ctl && exit
	sleep 0.01
done
cat /dev/annot/ctl >&2
exit 1
END

# Records COMMAND, which is to find NR counters running. Leaves /tmp/trace, /tmp/set (what was got)
# and /tmp/said (by COMMAND).
record() {	# NR "SET" COMMAND
	echo >$tracing/trace
	enable_events annot/annot_config annot/annot_pmu_state annot/annot_sample annot/annot_slice_counts \
		sched/sched_switch
	$pmu with $2 -- sh -c "sh running.sh $1 && { $3; } >/tmp/said || exit" >/tmp/set || echo "# record: $?"
	echo 0 >$tracing/events/enable
	cat $tracing/trace >/tmp/trace
	read -r first last faults </tmp/said || true
	./pmu_figures /tmp/trace $first $last >/tmp/figures || echo "# pmu_figures: $?"
}

figure() {	# WORDS...: the last word of the line that begins with them, or 0
	awk -v want="$* " 'index($0, want) == 1 { found = $NF } END { print found + 0 }' /tmp/figures
}

# Each sample stands for a period of what its CPU counted; where in its first period a counter was
# when sampling began is chance.
samples_are_due() {	# EVENT PERIOD
	for cpu in 0 1; do
		due=$(($(figure cpu $cpu event $1 stopped) / $2))
		echo "cpu $cpu:"
		between $due "$(figure cpu $cpu event $1 samples)" $((due + 1)) || return 1
	done
}

# What the slices of all threads counted is what their CPU counted. On one of the CPUs, nothing may have run.
slices_add_up() {	# COUNTER EVENT
	all=0
	for cpu in 0 1; do
		total=$(figure cpu $cpu event $2 stopped)
		echo "cpu $cpu: $(figure cpu $cpu counter $1) in slices, count $total"
		test "$(figure cpu $cpu counter $1)" = "$total" || return 1
		all=$((all + total))
	done
	test $all -gt 0
}

# The thread that touched the pages has most of all.
touching_thread() {	# [COUNTER]
	awk -v counter="${1:-0}" '$1 == "thread" && $4 == counter && $5 > most { most = $5; tid = $2 }
		END { print tid }' /tmp/figures
}

# What it counted itself, and what it has done after that: a write() and its end. Its own count has
# also the stack's pages that execve() fills, which perf does not take for faults.
has_its_faults() {
	between $((faults - 3)) "$(figure thread "$(touching_thread)" counter 0)" $((faults + 5))
}

configs() { sed -n 's/.*annot_config: *\(event=.*\)/\1/p' /tmp/trace; }
states() { grep annot_pmu_state: /tmp/trace | grep -c "$1" || true; }
no_states() { grep annot_pmu_state: /tmp/trace | grep "$1"; test "$(states "$1")" = 0; }

check "annot.ko loads" insmod annot.ko
echo 8192 >$tracing/buffer_size_kb
./pmu check || failed=1
check "nothing runs" grep -qx "counters 0" /dev/annot/ctl

# --- samples and counts

pages=20000 period=100
record 4 "page_faults:1:2:$period:uk:3 misses:0:3:10000:u:3 faults:1:2:0:uk" "./pmu_load touch $pages"
check "what was got: page faults without precision, misses not at all" \
	equal "$(tr '\n' ' ' </tmp/set)" "page_faults 0 0 misses 0 2 faults 0 0 "
check "a sample each $period pages" \
	between $((pages / period - 2)) "$(figure event 0 inside)" $((pages / period + 2))
check "as many samples as the counts of the CPUs say" samples_are_due 0 $period
check "the slices add up to the counts" slices_add_up 0 2
check "the thread's slices have all of its faults" has_its_faults
check "nothing is missing, nothing failed" no_states "lost\|failed\|throttled"
check "annot_config describes what was measured" equal "$(configs)" \
	"event=0 name=page_faults mode=sample type=0x1 config=0x2 config1=0x0 config2=0x0 period=$period user=1 kernel=1 asked=3 precise=0 error=0 pmu=software
event=1 name=misses mode=sample type=0x0 config=0x3 config1=0x0 config2=0x0 period=10000 user=1 kernel=0 asked=3 precise=0 error=2
event=2 name=faults mode=count type=0x1 config=0x2 config1=0x0 config2=0x0 user=1 kernel=1 asked=0 precise=0 error=0 pmu=software"

pages=3000
record 2 "page_faults:1:2:1:u" "./pmu_load touch $pages"
check "with period 1 each page has its sample" equal "$(figure event 0 inside)" $pages
check "the next recording has its own events" equal "$(configs | cut -d ' ' -f 1-3)" \
	"event=0 name=page_faults mode=sample"
check "samples have an address and are of user code, latency and source are not known" \
	equal "$(grep -o 'weight=.*' /tmp/trace | sort -u)" \
	"weight=0 data_src=0 period=1 precise=0 stack=0 has=addr|user"

record 4 "in_user:1:2:0:u in_kernel:1:2:0:k" "./pmu_load touch-in-kernel $pages"
check "user and kernel apart: faults in read()" \
	between $pages "$(figure thread "$(touching_thread 1)" counter 1)" $((pages + 200))
check "are not the user's" \
	between 1 "$(figure thread "$(touching_thread 1)" counter 0)" 200
check "and both add up" slices_add_up 0 0
check "each by itself" slices_add_up 1 1

# --- what may be seen of the kernel

sample_kernel() {	# KPTR_RESTRICT [WRAPPER]
	echo "$1" >/proc/sys/kernel/kptr_restrict
	pmu="${2-} ./pmu"
	record 2 "in_kernel:1:2:10:kr" "./pmu_load touch-in-kernel $pages"
	pmu=./pmu
	echo 0 >/proc/sys/kernel/kptr_restrict
}

nr_samples_like() { grep 'annot_sample:' /tmp/trace | grep -c "$1" || true; }
all_samples_like() {
	grep -m 3 annot_sample: /tmp/trace
	equal "$(nr_samples_like "$1")" "$(nr_samples_like .)" && test "$(nr_samples_like .)" -ge $((pages / 10 - 2))
}

shown='ip=ffffffff[0-9a-f]* .*has=addr|regs$'
hidden='ip=0 addr=[0-9a-f]\{2,\} .*has=addr|hidden$'
sample_kernel 0
check "kernel addresses and registers are shown" all_samples_like "$shown"
sample_kernel 1
check "kptr_restrict 1: shown to root" all_samples_like "$shown"
sample_kernel 1 "./pmu no-syslog"
check "kptr_restrict 1: hidden from users without CAP_SYSLOG" all_samples_like "$hidden"
sample_kernel 2
check "kptr_restrict 2: hidden from everybody" all_samples_like "$hidden"
# A fault of somebody else's in between takes a sample's place.
check "but not the data of the program" \
	between $((pages / 10 - 2)) "$(figure event 0 inside)" $((pages / 10 + 2))

# --- enough

record 4 "-n 25 page_faults:1:2:10:uk faults:1:2:0:uk" "./pmu_load touch 5000; sh running.sh 2"
check "-n 25: so many samples, of all CPUs together" equal "$(figure event 0 samples)" 25
check "the limit is reported once" equal "$(states 'limit reached')" 1
check "the counter is then stopped on all CPUs" equal "$(states 'event=0 state=stopped')" 2
check "what is counted goes on" has_its_faults
record 2 "-n 25 page_faults:1:2:10:uk" "./pmu_load touch 5000; sh running.sh 0"
check "the next recording has as many" equal "$(figure event 0 samples)" 25

# --- with trace-cmd, which enables events before there is a buffer to write to

pages=5000
./pmu with page_faults:1:2:$period:uk faults:1:2:0:uk -- trace-cmd record -q -o /tmp/trace.dat \
	-e annot:annot_sample -e annot:annot_slice_counts -e annot:annot_pmu_state \
	-e annot:annot_config sh -c "sh running.sh 4 && ./pmu_load touch $pages >/tmp/said || exit" \
	>/tmp/log 2>&1
trace-cmd report -i /tmp/trace.dat >/tmp/trace 2>/tmp/errors
read -r first last faults </tmp/said
./pmu_figures /tmp/trace "$first" "$last" >/tmp/figures
check "trace-cmd understands all events" cmp /tmp/errors /dev/null
check "and records the samples" \
	between $((pages / period - 2)) "$(figure event 0 inside)" $((pages / period + 2))
check "the thread's slices" has_its_faults
check "the start of each counter" equal "$(states started)" 4
check "and what was measured" equal "$(configs | cut -d ' ' -f 2 | tr '\n' ' ')" \
	"name=page_faults name=faults "

check "annot.ko unloads" rmmod annot
exit $failed
