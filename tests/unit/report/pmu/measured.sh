#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# annot report of traces in which something was measured: known samples and counts in, figures out.
# TAP.
set -u	# no pipefail: grep -q ends before who writes to it does

cd "$(dirname "$0")/../../../.." || exit
annot=${ANNOT:-build/annot}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# shellcheck source=tests/lib/tap.sh
. tests/lib/tap.sh
output_is_failure=true

sample() {	# MICROSECOND CPU TID
	echo "$1""000 $2 $3 sample period=1000 precise=2 ip=0x401000 has=0x10"
}

# Two threads; hot and cold on the first one's CPU, in one slice of 10 ms; hot alone on the other's,
# in one of 4 ms. A task that never was on a CPU. A sample of somebody else, after that.
story() {
	local at
	cat <<-'EOF'
	0 0 0 config text='event=0 name=l1_cache_miss mode=sample period=1000 user=1 kernel=0 asked=3 precise=2 error=0'
	0 0 0 config text='event=1 name=instr_retired mode=count user=1 kernel=0 asked=0 precise=0 error=0'
	0 0 0 config text='event=2 name=dtlb_load_miss mode=sample period=1000 user=1 kernel=1 asked=3 precise=0 error=19'
	0 0 0 state event=0 state=0
	0 0 0 switch next_pid=100 next_comm=pe0
	0 1 0 state event=0 state=0
	0 1 0 switch next_pid=101 next_comm=pe1
	0 1 101 begin name=hot tgid=100
	1000000 0 100 begin name=hot tgid=100
	EOF
	for at in 1100 1600 2100 2600 3100 3600 4100 4600; do sample $at 0 100; done
	echo 5000000 0 100 end tgid=100
	echo 5000000 0 100 begin name=cold tgid=100
	for at in 6000 7000; do sample $at 0 100; done
	echo 9000000 0 100 end tgid=100
	for at in 500 1500 2500 3500; do sample $at 1 101; done
	cat <<-'EOF'
	4000000 1 101 end tgid=100
	4000000 1 101 begin name=idle tgid=100
	4000000 1 101 counts counts=3000000
	4000000 1 101 switch prev_state=1
	9000000 1 0 state event=0 state=5 value=3
	9000000 1 0 sample period=1000 precise=2 ip=0xffffffff81000000
	10000000 1 0 state event=0 state=1 value=5000
	10000000 0 100 counts counts=10000000
	10000000 0 100 state event=0 state=1 value=10432
	10000000 0 100 switch prev_state=1 prev_comm=pe0
	EOF
}

make_trace() {	# OPTION...
	story >"$work/script"
	tests/lib/script_trace.py "$@" "$work/trace.dat" <"$work/script"
}

figures() {	# OPTION...
	make_trace "$@"
	"$annot" report --json "$work/trace.dat" >"$work/report.json"
	"$annot" report --csv "$work/trace.dat" >"$work/report.csv"
	tests/unit/report/pmu/check_measured.py "$work/report.json" "$work/report.csv"
}

# The table that begins with HEADING.
table() {	# HEADING [FILE]
	"$annot" report "${2-$work/trace.dat}" 2>&1 | awk -v heading="$1" '
		index($0, heading) == 1 { on = 1 } on && !NF { exit } on'
}

text() {
	diff <(table 'EVENT ') - <<-'EOF'
	EVENT          how    mode     period precise  samples   count   error     lost
	l1_cache_miss  sample user       1000  2 of 3       15   15000   64.9%        3
	instr_retired  count  user          -       -        -   13.0M       0        -
	dtlb_load_miss sample both   refused: No such device
	EOF
	diff <(table 'Of ') - <<-'EOF'
	Of l1_cache_miss:
	    loops whose length goes into the period are sampled at the same place: take a prime.
	EOF
	diff <(table 'TASK   event') - <<-'EOF'
	TASK   event           samples   count   error   per us    MPKI   error  on-CPU
	hot    l1_cache_miss        12   12000   74.7%     1.50    1.71   >999%  8.00ms
	hot    instr_retired         -   7.00M   85.7%      875       -       -  8.00ms
	idle   l1_cache_miss         0       0   <3668        -       -       -       0
	idle   instr_retired         -       -       -        -       -       -       -
	cold   l1_cache_miss         2    2000    261%    0.500   0.500   >999%  4.00ms
	cold   instr_retired         -   4.00M    150%     1000       -       -  4.00ms
	EOF
	"$annot" report "$work/trace.dat" | head -n 1 | grep -qxF '*** SAMPLES WERE LOST: 3 of l1_cache_miss.' ||
		echo "the text does not begin with the loss"
	"$annot" report "$work/trace.dat" | awk 'length($0) > 100 { print "too long: " $0 }'
}

# Names as long as they may be.
wide() {
	local name
	name=$(printf '%063d' 7)
	sed "s/l1_cache_miss/$name/; s/name=cold/name=$name$name/" "$work/script" |
		tests/lib/script_trace.py "$work/wide.dat"
	"$annot" report "$work/wide.dat" | awk 'length($0) > 100 { print "too long: " $0 }'
	"$annot" report --by task "$work/wide.dat" | awk 'length($0) > 100 { print "too long: " $0 }'
	[ "$(table 'TASK   event' "$work/wide.dat" | wc -l)" = "$(table 'TASK   event' | wc -l)" ] ||
		"$annot" report "$work/wide.dat" | grep -q '^TASK .*MPKI' || echo "no table"
}

keys() {
	tests/unit/report/check_report.py measured "$work/report.json" "$work/report.csv" /nowhere |
		grep -B 10 '^not ok'
	return 0
}

ranking() {	# KEY (the table on stdin)
	diff <("$annot" report --by "$1" "$work/trace.dat" 2>&1) -
}

by_task() {
	ranking task <<-'EOF'
	*** SAMPLES WERE LOST: 3 of l1_cache_miss.

	l1_cache_miss:
	14 samples, one per 1000 events: about 14000, +/- 67.8%.
	1 sample of other threads left out: --all shows it.
	 share   count   error  samples  TASK kind
	 85.7%   12000   74.7%       12  hot  work
	 14.3%    2000    261%        2  cold work
	EOF
}

by_thread() {
	diff <("$annot" report --all --by thread --csv "$work/trace.dat" | tr -d '\r') - <<-'EOF'
	event,thread,tid,samples,count,error,share,missed
	l1_cache_miss,pe0,100,10,10000,8391.46,0.666667,
	l1_cache_miss,pe1,101,4,4000,6240.75,0.266667,
	l1_cache_miss,(idle),0,1,1000,4563.76,0.0666667,
	EOF
}

by_cpu() {
	diff <("$annot" report --by cpu --json "$work/trace.dat" | sed '/"file"/d' | tr -d '\t\n'; echo) - <<-'EOF'
	{"version": 1,"by": "cpu","events": [{"name": "l1_cache_miss","samples": 14,"count": 14000,"error": 9490.997859321766,"missed": null,"left_out_samples": 1,"rows": [{"cpu": "0","samples": 10,"count": 10000,"error": 8391.458677986868,"share": 0.7142857142857143,"missed": null},{"cpu": "1","samples": 4,"count": 4000,"error": 6240.752794866966,"share": 0.2857142857142857,"missed": null}]}]}
	EOF
}

# A task around another one has its samples in the table, but not in the ranking.
innermost() {
	sed 's/ begin name=cold / begin name=outer tgid=100\n5000000 0 100 begin name=cold /;
		s/^9000000 0 100 end /9000000 0 100 end tgid=100\n9000000 0 100 end /' "$work/script" |
		tests/lib/script_trace.py "$work/nested.dat"
	diff <("$annot" report --by task --csv "$work/nested.dat" | tr -d '\r' | cut -d , -f 2,4) - <<-'EOF'
	task,samples
	hot,12
	cold,2
	EOF
	table 'TASK ' "$work/nested.dat" >/dev/null
	[ "$("$annot" report "$work/nested.dat" | awk '$1 == "outer" && $2 == "l1_cache_miss" { print $3 }')" = 2 ] ||
		echo "not 2 samples in outer"
}

losses() {
	cat - "$work/script" >"$work/losses" <<-'EOF'
	0 0 0 state event=0 state=2
	2000000 0 100 state event=0 state=3 value=2000000
	0 1 0 state event=0 state=4 value=16
	EOF
	sort -sn -k 1,1 "$work/losses" | tests/lib/script_trace.py "$work/losses.dat"
	"$annot" report "$work/losses.dat" >"$work/losses.txt"
	grep -qxF '*** l1_cache_miss was not measured for 2.00 ms (all CPUs together): it interrupted too often.' \
		"$work/losses.txt" || echo "throttling is not told"
	! grep -q 'no counter' "$work/losses.txt" || echo "a counter that came at once is told as missing"
}

enough() {
	sed '/^4600000/a 4600000 0 100 state event=0 state=6' "$work/script" |
		tests/lib/script_trace.py "$work/enough.dat"
	"$annot" report "$work/enough.dat" >"$work/enough.txt"
	grep -qxF '*** l1_cache_miss had enough samples after 4.60 ms, and was not measured from there.' \
		"$work/enough.txt" || echo "it is not told"
	"$annot" report --json "$work/enough.dat" >"$work/enough.json"
	grep -qF '"enough_ns": 4600000' "$work/enough.json" || echo "not in the JSON"
}

# Two events that take turns of 1 ms: one has 10 in each, of the other nothing is known in 3 turns.
in_turns() {
	{
		cat <<-'EOF'
		0 0 0 config text='event=0 name=a mode=count user=1 shared=1'
		0 0 0 config text='event=1 name=b mode=count user=1 shared=1'
		0 0 0 switch next_pid=100 next_comm=pe0
		10 0 100 marker buf='annot|session'
		20 0 100 begin name=work tgid=100
		EOF
		for i in $(seq 1 6); do
			echo "$((2 * i - 1))000000 0 100 counts counts=10,4 invalid=2"
			echo "$((2 * i))000000 0 100 counts counts=3,4 invalid=3"
		done
		echo "12000000 0 100 end tgid=100"
		echo "12000000 0 100 switch prev_state=1 prev_comm=pe0"
	} | tests/lib/script_trace.py "$work/turns.dat"
	"$annot" report "$work/turns.dat" | head -n 2 | diff - <(cat <<-'EOF'
	*** 2 events took turns: there were too few counters. They were counted for 0 % to 50 %
	    of the time; their counts are estimates.
	EOF
	)
	"$annot" report --json "$work/turns.dat" | python3 -c '
import json, sys
a, b = json.load(sys.stdin)["threads"][0]["events"]
print(a["count"], a["error"], a["measured_share"], a["reliability"])
print(b["count"], b["error"], b["measured_share"], b["reliability"])' | diff - <(printf '120 0 0.5 1\nNone None 0 0\n')
	"$annot" report --json "$work/turns.dat" >"$work/turns.json"
	"$annot" html -o "$work/turns.html" "$work/turns.dat" >/dev/null 2>&1
	grep -o '"turns":{.*' "$work/turns.html" | python3 -c '
import json, sys
with open(sys.argv[1], encoding="utf-8") as file:
    report = json.load(file)
turns, _ = json.JSONDecoder().raw_decode(sys.stdin.read().removeprefix("\"turns\":"))
def of(events):
    return [[event[key] for key in ("count", "error", "measured_share")] for event in events]
task, thread, node = report["tasks"][0], report["threads"][0], report["task_tree"]["nodes"][0]
wanted = {"events": [{"index": 0, "name": "a"}, {"index": 1, "name": "b"}],
          "all": [[120, 0, 0.5], [None, None, 0]],
          "tasks": [{"name": "work", "kind": "work", "figures": of(task["events"])}],
          "threads": [{"thread": 0, "tid": 100, "figures": of(thread["events"])}]}
if turns != wanted:
    print(f"in the page: {turns}, not {wanted}")
in_tree = [[node[key][name] for key in ("misses", "misses_error", "misses_measured_share")] for name in "ab"]
if in_tree != of(task["events"]):
    print("in the tree:", in_tree, "not", of(task["events"]))' "$work/turns.json"
	"$annot" html -o "$work/page.html" "$work/trace.dat" >/dev/null 2>&1
	! grep -o '"turns":{.*' "$work/page.html" || echo "turns, where there were none"
}

# Of each kind one, of slice counts two.
damage() {
	cat - "$work/script" >"$work/damaged" <<-'EOF'
	0 0 0 sample event=16 period=1
	0 0 0 counts counts=1,2 nr=3
	0 0 0 counts counts=1 invalid=2
	0 0 0 state event=99
	0 0 0 config text='event=1 name=x mode=guess'
	0 0 0 marker buf='annot|map|1|2|3'
	0 0 0 sample event=0 cut=16
	0 0 0 switch cut=16
	0 0 0 counts counts=1,2,3
	EOF
	tests/lib/script_trace.py "$work/damaged.dat" <"$work/damaged"
	"$annot" report --json "$work/damaged.dat" >"$work/damaged.json" || echo "exit status $?"
	grep -A 9 '"damaged"' "$work/damaged.json" | tr -d '\t\n' | grep -qxF \
		'"damaged": {"other_events": 1,"samples": 2,"slice_counts": 2,"pmu_states": 1,"pmu_events": 1,"mappings": 1,"cpu_places": 0,"uncore_lines": 0},' ||
		grep -A 9 '"damaged"' "$work/damaged.json"
	"$annot" report "$work/damaged.dat" | grep -qxF \
		'*** 7 records of measurements are damaged, and left out.' || echo "the text does not tell"
}

# Nothing was measured: nothing is said of it.
unmeasured() {
	! "$annot" report tests/data/v6-6.1.dat | grep -q '^EVENT\|MPKI' || echo "tables of nothing"
	"$annot" report --csv tests/data/v6-6.1.dat | head -n 1 | tr -d '\r' | grep -q ',migrations,spinning_ns,waiting_off_cpu_ns,work_off_cpu_ns,stolen_ns$' ||
		echo "more columns"
}

refuses() {	# STATUS TEXT ARGUMENT...
	local wanted=$1 text=$2 status=0
	shift 2
	"$annot" report "$@" >"$work/out" 2>"$work/err" || status=$?
	[ $status -eq "$wanted" ] || echo "exit status $status, not $wanted"
	[ ! -s "$work/out" ] || echo "something on stdout"
	[ "$(wc -l <"$work/err")" -eq 1 ] && grep -qF -- "$text" "$work/err" ||
		echo "not one line with \"$text\": $(cat "$work/err")"
}

check "figures" figures
check "text" text
check "keys, and the man page" keys
check "--by task" by_task
check "--by thread, all of them, CSV" by_thread
check "--by cpu, JSON" by_cpu
check "--by task is by the innermost" innermost
check "names as long as they may be" wide
check "figures of a version 6" figures -m little,8,6
check "figures of a big-endian machine" figures -m big,8,7
check "figures of a machine of 32 bits" figures -m little,4,7
check "throttling is told first" losses
check "reaching the limit of samples is reported first" enough
check "damaged records are left out and counted" damage
check "events that took turns" in_turns
check "a trace in which nothing was measured" unmeasured
check "--by: an unknown key" refuses 2 "did you mean 'symbol'" --by symbl x.dat
check "--by: nothing was sampled" refuses 1 "has no samples" --by task tests/data/v6-6.1.dat
check "--event: not of this trace" refuses 1 "'l1_cache_mis'; did you mean 'l1_cache_miss'" \
	--by cpu --event l1_cache_mis "$work/trace.dat"
check "--event: refused" refuses 1 "the kernel refused it: No such device" \
	--by cpu --event dtlb_load_miss "$work/trace.dat"
check "--event: counted" refuses 1 "was counted, not sampled" \
	--by cpu --event instr_retired "$work/trace.dat"
check "--event without --by" refuses 2 "--event needs --by" --event x x.dat
check "--sort with --by" refuses 2 "either --sort or --by" --sort wall --by cpu x.dat
