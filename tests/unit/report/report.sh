#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# annot report on made traces and on some of the recorded ones: its options, and what it says of losses; its figures
# must not depend on the form of the trace. TAP.
set -u	# no pipefail: grep -q ends before who writes to it does

cd "$(dirname "$0")/../../.." || exit
annot=${ANNOT:-build/annot}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# shellcheck source=tests/lib/tap.sh
. tests/lib/tap.sh
# shellcheck source=tests/lib/refused.sh
. tests/lib/refused.sh
# shellcheck source=tests/lib/fits.sh
. tests/lib/fits.sh
output_is_failure=true

# The first row of the table that begins with HEADING has the greatest figure in COLUMN.
sorted_by() {	# KEY HEADING COLUMN TRACE
	"$annot" report --all --sort "$1" "$4" | awk -v heading="$2" -v column="$3" '
		$1 == heading { on = 1; next }
		on && NF < column { exit }
		on && rows++ && $column + 0 > before { print "not in order: " $0; exit }
		on { before = $column + 0 }'
}

refuses() {	# WORD ARGUMENT...
	refuses_with 2 "$@"
}

refuses_with() {	# STATUS WORD ARGUMENT...
	refused "$1" "$2" "$annot" report "${@:3}"
}

refuses_trace() {	# WORD OPTION...
	refuses_with 1 "$@" tests/data/scene-imbalance.dat
}

# Below the findings, if one or more have a cure that is replayed; as the analysis itself has it.
tells_replay_error() {
	local off
	off=$("$annot" report --json tests/data/scene-wide.dat 2>/dev/null |
		jq '.what_if.replay[0].replay_error_pct | fabs * 10 | round / 10')
	"$annot" report tests/data/scene-wide.dat 2>/dev/null | grep '^cured:' |
		diff - <(printf 'cured: predicted by a replay that is off by %.1f %% where nothing is changed\n' "$off")
	! "$annot" report tests/data/scene-contend.dat 2>/dev/null | grep '^cured:'
}

# Of the third of five rounds: it lies where the regions say, without gaps, and ends with who was last.
region() {
	"$annot" report --json --region loop48:3 tests/data/scene-imbalance.dat 2>/dev/null | python3 -c 'import json, sys
report = json.load(sys.stdin)
path = report["critical_path"]["chosen_region"]
group = [row["name"] for row in report["regions"]["groups"]].index("loop48")
third = [row for row in report["regions"]["instances"] if row["group"] == group][2]
if (path["group"], path["instance"]) != ("loop48", 3):
    print("the path is of", path["group"], path["instance"])
if (path["from_ns"], path["to_ns"]) != (third["from_ns"], third["to_ns"]):
    print("from", path["from_ns"], "to", path["to_ns"], "the region is at", third["from_ns"], third["to_ns"])
steps = path["segments"]
if any(a["to_ns"] != b["from_ns"] for a, b in zip(steps, steps[1:])) or steps[-1]["to_ns"] != path["to_ns"]:
    print("there are gaps in", steps)
if steps[-1]["tid"] != third["last"]["tid"]:
    print("it ends with", steps[-1]["tid"], "last was", third["last"]["tid"])'
	"$annot" report --region loop48:3 tests/data/scene-imbalance.dat 2>/dev/null |
		grep -q '^Critical path of loop48, instance 3 of 5, at ' || echo "it is not told as text"
}

help_fits() {
	"$annot" report --help 2>"$work/err" | awk 'length($0) > 80 { print "too long: " $0 }'
	[ ! -s "$work/err" ] || echo "something on stderr"
	for key in wall on-cpu useful waiting preempted wakeup blocked switches migrations instances \
		imbalance; do
		"$annot" report --help | grep -qE " $key(,|\$)" || echo "no key $key in the help"
		"$annot" report --sort $key tests/data/v6-6.1.dat >/dev/null || echo "no key $key"
	done
}

# A switch out of idle that was not recorded, on two CPUs: in one line, in JSON, in what is converted.
missing() {
	tests/lib/script_trace.py "$work/missing.dat" <<-'EOF'
	1000 0 0 marker buf='annot|session'
	1000 1 0 switch next_pid=77 next_comm=other
	2000 0 0 switch next_pid=100 next_comm=prog
	400000 0 100 switch prev_state=1 prev_comm=prog
	500000 1 77 wakeup pid=100 comm=prog target_cpu=0
	900000 0 100 switch prev_state=1 prev_comm=prog
	950000 1 0 marker buf='I|1|x'
	EOF
	"$annot" report --all "$work/missing.dat" | grep '^\*\*\*' | diff - <(echo "*** 1 switch is" \
		"missing on CPU 0, 1 on CPU 1, or more. That time counts as unknown.")
	"$annot" report --all --json "$work/missing.dat" | python3 -c 'import json, sys
report = json.load(sys.stdin)
missing = [(row["cpu"], row["switches"]) for row in report["trace"]["missing_switches_by_cpu"]]
if report["trace"]["missing_switches"] != 2 or missing != [(0, 1), (1, 1)]:
    print("JSON tells of", missing)
prog, = (row for row in report["threads"] if row["tid"] == 100)
if prog["wakeup_ns"] or prog["unknown_ns"] != 400000:
    print("woken for", prog["wakeup_ns"], "unknown for", prog["unknown_ns"])'
	"$annot" convert --csv "$work/missing.dat" >/dev/null 2>&1
	[ "$(grep -c '^missing,' "$work/missing.csv")" -eq 2 ] || echo "not in CSV"
	! "$annot" report --all tests/data/plain-6.1.dat | grep missing
}

# Interrupts tell who runs, though nothing else is made of them; with one that may be in the middle of a
# switch (1: interrupts are off, 8: of an interrupt).
foreign() {
	tests/lib/script_trace.py "$work/foreign.dat" <<-'EOF'
	1000 0 0 switch next_pid=100 next_comm=prog
	201000 0 100 irq common_flags=9
	601000 0 77 irq common_flags=9
	701000 0 77 marker buf='of somebody else'
	901000 0 77 switch next_pid=100 next_comm=prog prev_comm=other
	901500 0 77 irq common_flags=1
	1001000 0 100 irq common_flags=9
	EOF
	"$annot" report --all --json "$work/foreign.dat" | python3 -c 'import json, sys
report = json.load(sys.stdin)
if report["trace"]["missing_switches"] != 1:
    print(report["trace"]["missing_switches"], "switches are missing")
told = {row["tid"]: (row["on_cpu_ns"], row["unknown_ns"]) for row in report["threads"]}
if told != {77: (300000, 0), 100: (300000, 700000)}:
    print("on CPU, unknown:", told)'
}

# Samples of a walk through so many lines, in a fixed order: one load in PERIOD of 2000 times that many.
walk() {	# LINES PERIOD
	cat <<-EOF
	1000 0 0 switch next_pid=100 next_comm=prog
	1000 0 100 marker buf='annot|session'
	1000 0 100 config text='event=0 name=memory_loads mode=sample period=$2 user=1 kernel=0 asked=2 precise=2 error=0'
	1000 0 100 marker buf='B|100|walk'
	EOF
	awk -v lines="$1" -v each="$2" 'BEGIN {
		for (i = 1; i <= 2000; i++)
			printf "%d 0 100 sample period=%d precise=2 ip=4198400 has=0x11 addr=%d\n",
			       1000 + i * each, each, 1048576 + i * each % lines * 64
		printf "%d 0 100 marker buf=E|100\n", 2000 + i * each
		printf "%d 0 100 switch prev_state=1\n", 3000 + i * each }'
}

working_set_is() {	# LINES PERIOD TEXT JSON
	walk "$1" "$2" | tests/lib/script_trace.py "$work/walk.dat"
	"$annot" report --show working_set "$work/walk.dat" >"$work/out"
	grep -qxF -- "  walk                     2000 $3" "$work/out" || grep -A 3 "^WORKING" "$work/out"
	"$annot" report --json "$work/walk.dat" | python3 -c '
import json, sys
task, = json.load(sys.stdin)["working_set"]["tasks"]
got = [task[key] for key in ("doubt", "knee_bytes", "least_bytes", "most_bytes")]
got.append(sum(point["is_sure"] for point in task["points"]))
if got != json.loads(sys.argv[1]):
    print(*got)' "$4"
}

working_sets() {
	working_set_is 400 251 '     25.0 257024/25.0' '[null, 25600, 25600, 16449536, 1]'
	working_set_is 65536 251 '        - 64.0 to 16064: few samples per line' '["seldom", null, 65536, 16449536, 0]'
	working_set_is 65536 256 '        - 16.0 to 16384: in step? a prime -c' '["in_step", null, 16384, 16777216, 0]'
}

tells_losses() {
	"$annot" report tests/data/lost-6.1.dat | head -n 1 | grep -q '^\*\*\* EVENTS WERE LOST' ||
		echo "a trace with losses does not begin with them"
	! "$annot" report tests/data/v6-6.1.dat | grep -q LOST || echo "losses where there are none"
}

leaves_out() {
	local all shown told
	all=$("$annot" report --all tests/data/v6-6.1.dat | sed -n '/^THREAD/,$p' | tail -n +2 | wc -l)
	shown=$("$annot" report tests/data/v6-6.1.dat | sed -n '/^THREAD/,/others\? /p' | tail -n +2 |
		grep -vc ' left out: ')
	told=$("$annot" report tests/data/v6-6.1.dat | sed -n 's/^\([0-9]*\) other threads\? left out.*/\1/p')
	[ "$all" -eq $((shown + told)) ] || echo "$all threads, $shown shown, $told left out"
}

cut_short() {
	head -c -5000 tests/data/v6-6.1.dat >"$work/cut.dat"
	"$annot" report --json "$work/cut.dat" >"$work/json" 2>"$work/err" || echo "exit status $?"
	grep -q '"truncated": true' "$work/json" || echo "truncated is not true"
	[ "$(wc -l <"$work/err")" -eq 1 ] && grep -q 'warning: .*cut\.dat: the file is truncated' "$work/err" ||
		echo "not one warning: $(cat "$work/err")"
}

made() {	# ENDIAN LONG_BYTES VERSION
	tests/lib/make_trace.py "$@" "$work/made.dat"
	"$annot" report --json "$work/made.dat" >"$work/made.json"
	"$annot" report --csv "$work/made.dat" >"$work/made.csv"
	"$annot" report --all "$work/made.dat" >"$work/made.txt"
	tests/unit/report/check_made.py "$work"/made.{json,csv,txt}
	fits 100 "$work/made.dat"
}

# What does not depend on the form that the annotations stand in.
figures_of() {	# TRACE
	"$annot" report --json "$1" | sed '/^[[:space:]]*"\(file\|events\)": /d'
}

same_in_all_forms() {	# ENDIAN LONG_BYTES VERSION
	local form
	tests/lib/make_trace.py "$@" "$work/events.dat" events
	figures_of "$work/events.dat" >"$work/events.json"
	grep -q '"name": "next"' "$work/events.json" || echo "no span of the story"
	for form in marker drained batch raw; do
		tests/lib/make_trace.py "$@" "$work/$form.dat" $form
		figures_of "$work/$form.dat" | diff "$work/events.json" - | sed "s/^/$form: /; 9q"
	done
	! cmp -s "$work/drained.dat" "$work/batch.dat" || echo "the forms are one"
}

told() {	# KEY
	sed -n "s/^[[:space:]]*\"$1\": \([0-9]*\),\{0,1\}$/\1/p" "$work/damaged.json"
}

damaged() {	# FORM DAMAGE KEY COUNT [KEY COUNT]...
	tests/lib/make_trace.py little 8 7 "$work/damaged.dat" "$1" "$2"
	"$annot" report --json "$work/damaged.dat" >"$work/damaged.json" 2>"$work/damaged.err" ||
		echo "exit status $?"
	"$annot" report "$work/damaged.dat" >"$work/damaged.txt" 2>/dev/null
	shift 2
	while [ $# -gt 1 ]; do
		[ "$(told "$1")" = "$2" ] || echo "$1 is $(told "$1"), not $2"
		shift 2
	done
}

nameless() {	# FORM TABLE
	damaged "$1" names nameless_annotations 8 lost_annotations 0
	grep -q "\"name\": \"name 1 of $2\"" "$work/damaged.json" || echo "no name made up"
	[ "$(cat "$work/damaged.err")" = \
		"annot: warning: $work/damaged.dat: has no names of 8 annotations" ] ||
		echo "not that one warning: $(cat "$work/damaged.err")"
}

lost_annotations() {
	damaged batch lost lost_annotations 44440444 bad_head 4 bad_op 40 bad_name 400 at_exec 40000 \
		no_clock 400000 dropped 4000000 other 40000000 altered_annotations 4000
	head -n 1 "$work/damaged.txt" | grep -q '^\*\*\* ANNOTATIONS WERE LOST: at least 44440444\.' ||
		echo "the text does not begin with the loss"
	grep -q '^\*\*\* 4000 annotations .* altered' "$work/damaged.txt" || echo "nothing altered"
}

raw_lost_annotations() {
	damaged raw lost lost_annotations 20 other 20 altered_annotations 0
	head -n 1 "$work/damaged.txt" | grep -q '^\*\*\* ANNOTATIONS WERE LOST: at least 20\.' ||
		echo "the text does not begin with the loss"
}

# The stranger's are refused, and each batch is short of what it says; all that is there is read.
raw_hostile() {
	damaged raw hostile lost_annotations 8 unreadable 8 reordered_annotations 0
	figures_of "$work/damaged.dat" | sed '/lost\|unreadable/d' >"$work/hostile.json"
	tests/lib/make_trace.py little 8 7 "$work/raw.dat" raw
	figures_of "$work/raw.dat" | sed '/lost\|unreadable/d' | diff - "$work/hostile.json"
}

hostile() {
	damaged batch hostile nameless_annotations 4 unreadable 8 altered_annotations 8
	[ "$(wc -l <"$work/damaged.err")" -eq 1 ] || echo "not one warning: $(cat "$work/damaged.err")"
}

for endian in little big; do
	for bytes in 4 8; do
		for version in 6 7; do
			check "a $endian-endian trace with words of $bytes bytes, version $version" \
				made $endian $bytes $version
			check "the same with annotations one by one, drained, in batches" \
				same_in_all_forms $endian $bytes $version
		done
	done
done
check "names that the trace does not tell" nameless batch 3
check "the same in what was written to trace_marker_raw" nameless raw 1
check "lost annotations are reported first" lost_annotations
check "those of programs without the module as well" raw_lost_annotations
check "batches with numbers that cannot be" hostile
check "batches of strangers, and cut short, in trace_marker_raw" raw_hostile
check "--sort of tasks" sorted_by instances TASK 3 tests/data/zstd-6.1.dat
check "--sort of threads" sorted_by switches THREAD 12 tests/data/zstd-6.1.dat
check "--sort by two keys" sorted_by migrations THREAD 13 tests/data/plain-6.12.dat
check "--help fits 80 columns and lists the keys" help_fits
check "lost events are reported first" tells_losses
check "switches that are missing" missing
check "working sets, where they are known" working_sets
check "events of other kinds tell who runs" foreign
check "threads left out are counted" leaves_out
check "a trace cut short" cut_short
check "--region tells one instance's critical path" region
check "how far the replay of cures is off, once" tells_replay_error
check "a region that is not there" refuses_trace "no parallel region 'loop4'; did you mean 'loop48'?" --region loop4
check "an instance that is not there" refuses_trace "has 5 instances of loop48, not 6" --region loop48:6
check "instance 0" refuses_trace "no parallel region 'loop48:0'" --region loop48:0
check "--region and other analyses" refuses "needs critical_path in the list of --show" --region a --show regions x.dat
check "--region and --by" refuses "either --region or --by" --region a --by task x.dat
check "--region and --csv" refuses "either --region or --csv" --region a --csv x.dat
check "an unknown key" refuses "--sort 'wal': did you mean 'wall'?" --sort wal x.dat
check "too many keys" refuses "more than 8" --sort wall --sort wall --sort wall --sort wall \
	--sort wall --sort wall --sort wall --sort wall --sort wall x.dat
check "--json and --csv" refuses "--json or --csv" --json --csv x.dat
check "no trace" refuses "the trace is missing"
check "two traces" refuses "'y.dat'" x.dat y.dat
