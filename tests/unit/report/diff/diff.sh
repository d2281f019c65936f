#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# annot diff on made traces: a known change is reported with figures; two runs of the same kind do not
# differ; what cannot be read is one line.
set -uo pipefail

cd "$(dirname "$0")/../../../.." || exit
annot=${ANNOT:-build/annot}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
# shellcheck source=tests/lib/tap.sh
. tests/lib/tap.sh
output_is_failure=true

make_run() {	# NAME SEED SOLVE_US MISSES
	tests/unit/report/diff/diff_trace.py "$2" "$3" "$4" | tests/lib/script_trace.py "$work/$1.dat"
}

verdict() { "$annot" diff "$work/$1.dat" "$work/$2.dat" | sed -n 1p; }

says() {	# WANTED GOT
	# shellcheck disable=SC2254	# it is a pattern
	case $2 in $1) ;; *) echo "$2" ;; esac
}

json() {	# BEFORE AFTER EXPRESSION: of d
	"$annot" diff --json "$work/$1.dat" "$work/$2.dat" |
		python3 -c "import json, sys
d = json.load(sys.stdin)
tasks = {task['name']: task for task in d['tasks']}
got = $3
if got is not True: print(got)"
}

faster() {
	says "Faster: *; solve takes [23]? % less time (median *); l1_cache_miss in solve: [45]? % less" "$(verdict slow fast)"
	json slow fast "tasks['solve']['wall']['stands_out'] and tasks['solve']['wall']['change'] < -.2"
	json slow fast "tasks['solve']['wall']['superiority'] < .1 and tasks['solve']['wall']['before']['instances'] == 40"
	json slow fast "[event['stands_out'] for event in tasks['solve']['events']] == [True]"
	json slow fast "not tasks['store']['wall']['stands_out'] or tasks['store']"
	json slow fast "d['stands_out']"
}

slower() {
	says "Slower: *; solve takes [34]? % more time (median *); l1_cache_miss in solve: * more" "$(verdict fast slow)"
}

the_same() {
	local seed
	for seed in 3 4 5 6 7 8 9 10 11 12; do
		make_run again $seed 1000 500
		says "No difference exceeds the spread: *" "$(verdict slow again)"
		json slow again "not d['stands_out']"
	done
	says "No difference exceeds the spread: *" "$(verdict slow slow)"
}

# Far more instances of which each differs from the next do not make a small shift one that matters.
small_shift() {
	make_run shifted 13 1030 500
	says "No difference exceeds the spread: *" "$(verdict slow shifted)"
}

only_in_one() {
	sed 's/|store/|load/' <(tests/unit/report/diff/diff_trace.py 1 1000 500) | tests/lib/script_trace.py "$work/renamed.dat"
	"$annot" diff "$work/slow.dat" "$work/renamed.dat" >"$work/out"
	grep -q '^store .* wall  *40 .* 0      -' "$work/out" && grep -q '^load .* wall  *0      -' "$work/out" ||
		cat "$work/out"
	# Their figures are those that they have beside a trace that has them, too.
	json slow slow "[tasks['store'][time]['before'] for time in ('wall', 'on_cpu')]" >"$work/wanted"
	json slow renamed "[tasks['store'][time]['before'] for time in ('wall', 'on_cpu')]" | diff "$work/wanted" -
	json slow renamed "[tasks['load'][time]['after'] for time in ('wall', 'on_cpu')]" | diff "$work/wanted" -
}

# 40 waits of 500 us, on the CPU for so long and a little more each time.
waits() {	# SPINNING_NS LONGER_NS
	local i at
	echo "1000000 0 0 switch next_pid=100 next_comm=prog"
	echo "1000000 0 100 marker buf='annot|session'"
	for ((i = 0; i < 40; i++)); do
		at=$((2000000 + i * 1000000))
		echo "$at 0 100 marker buf='B|100|rest|wait'"
		echo "$((at + $1 + i * $2)) 0 100 switch prev_state=1 next_pid=0"
		echo "$((at + 500000)) 0 0 switch next_pid=100 next_comm=prog"
		echo "$((at + 500000)) 0 100 marker buf='E|100'"
	done
	echo "$((at + 600000)) 0 100 switch prev_state=16 next_pid=0"
}

# A change from nothing has no percentage, and exceeds each.
from_nothing() {
	waits 0 0 | tests/lib/script_trace.py "$work/asleep.dat"
	waits 1000 10 | tests/lib/script_trace.py "$work/spinning.dat"
	make_run clean 2 1000 0
	says "As fast as before: *; rest takes time on CPUs (median 1.20 us, was 0)" "$(verdict asleep spinning)"
	says "As fast as before: *; rest takes 100 % less time on CPUs (median 0, was 1.20 us)" "$(verdict spinning asleep)"
	json asleep spinning "tasks['rest']['on_cpu']['change'] is None and tasks['rest']['on_cpu']['stands_out']"
	json asleep spinning "tasks['rest']['wall']['change'] == 0 and not tasks['rest']['wall']['stands_out']"
	says "*; l1_cache_miss in solve are new*" "$(verdict clean slow)"
	for pair in "asleep spinning" "clean slow"; do
		# shellcheck disable=SC2086	# two words
		set -- $pair
		"$annot" diff "$work/$1.dat" "$work/$2.dat" >"$work/out"
		"$annot" diff --html "$work/$1.dat" "$work/$2.dat" >"$work/page.html"
		grep -q ' new ' "$work/out" && grep -q '>new<' "$work/page.html" && ! grep -q 'inf\b' "$work/out" "$work/page.html" ||
			cat "$work/out"
	done
}

# A figure of one name is one figure. An even number of instances has two in the middle.
medians() {	# TRACE
	python3 - <("$annot" diff --json "$1" "$1") <("$annot" report --json "$1") <<-'END'
		import json, sys
		diff, report = (json.load(open(path)) for path in sys.argv[1:])
		wanted = {(task["name"], task["kind"]): task["wall_ns"]["median"] for task in report["tasks"]}
		for task in diff["tasks"]:
		    for side in "before", "after":
		        got = task["wall"][side]["median_ns"]
		        if got != wanted[task["name"], task["kind"]]:
		            print(f"{task['name']}: median {got}, in the report {wanted}")
		for task in report["slow_instances"]["tasks"]:
		    if task["median_ns"] != wanted[task["task"], "work"]:
		        print(f"slow {task['task']}: median {task['median_ns']}, in the report {wanted}")
		if not diff["tasks"] or not any(task["instances"] % 2 == 0 for task in report["tasks"]):
		    print("nothing to compare")
	END
}

# The page has the verdict, each task twice, and nothing of a name that is no text.
page() {
	local found
	tests/unit/report/diff/diff_trace.py 2 700 250 | sed 's/|store/|<b onload=x>\&"/' | tests/lib/script_trace.py "$work/hostile.dat"
	"$annot" diff --html "$work/slow.dat" "$work/hostile.dat" >"$work/page.html"
	found=$(python3 -c 'import html.parser, re, sys
class Page(html.parser.HTMLParser):
    open, cells, tags, title = [], [], set(), ""
    def handle_starttag(self, tag, attributes):
        self.tags.add(tag)
        if tag not in ("meta", "br", "rect"):
            self.open.append(tag)
        if tag == "tr":
            self.cells.append([])
        if tag == "td":
            self.cells[-1].append("")
    def handle_endtag(self, tag):
        if tag != "rect" and self.open.pop() != tag:
            print("not closed:", tag)
    def handle_data(self, data):
        if self.open and self.open[-1] == "td":
            self.cells[-1][-1] += data
        if self.open and self.open[-1] == "h1":
            self.title += data
page = Page()
page.feed(open(sys.argv[1]).read())
rows = {tuple(row[:2]): row[2:] for row in page.cells if len(row) == 9}
print(page.title == sys.argv[2], page.open, rows["solve", "wall"][0], rows["solve", "wall"][2],
      rows["solve", "wall"][5][0], rows["store", "on CPU"][2:4],
      ("<b onload=x>&\"", "wall") in rows, "b" in page.tags)' "$work/page.html" "$(verdict slow hostile)")
	[ "$found" = "True [] 40 40 - ['0', '-'] True False" ] || echo "$found"
	refused 2 "not both" --html --json "$work/slow.dat" "$work/fast.dat"
}

# The page's figures are those of --json; a change that stands out is marked as what it is; and the
# bars lie where the middle half of the instances does.
page_figures() {	# BEFORE AFTER
	"$annot" diff --html "$work/$1.dat" "$work/$2.dat" >"$work/page.html"
	"$annot" diff --all --json "$work/$1.dat" "$work/$2.dat" >"$work/diff.json"
	python3 -c 'import json, re, sys
html, tasks = open(sys.argv[1]).read(), json.load(open(sys.argv[2]))["tasks"]
rows = {(name, what): rest for name, what, rest in
        re.findall(r"<tr><td class=\"left\">([^<]*)</td><td class=\"left\">(wall|on CPU)</td>(.*?)</tr>", html, re.S)}
if len(rows) != 2 * len(tasks) or not any(task["wall"]["stands_out"] for task in tasks):
    print(len(rows), "rows of", len(tasks), "tasks")
for task in tasks:
    for what, key in (("wall", "wall"), ("on CPU", "on_cpu")):
        time, rest = task[key], rows[task["name"], what]
        cells = re.findall(r"<td([^>]*)>(.*?)</td>", rest, re.S)
        mark = "" if not time["stands_out"] else " class=\"better\"" if time["change"] < 0 else " class=\"worse\""
        wanted = [str(time["before"]["instances"]), str(time["after"]["instances"]),
                  (mark, "%+.0f %%" % (100 * time["change"])), "%.2g" % time["p_value"]]
        got = [cells[0][1], cells[2][1], cells[5], cells[6][1]]
        if got != wanted:
            print(task["name"], what, got, "not", wanted)
        most = max(time["before"]["high_ns"], time["after"]["high_ns"])
        boxes = {side: (float(x), float(width)) for side, x, width in
                 re.findall(r"class=\"(before|after)\" x=\"([\d.]+)\" y=\"\d+\" width=\"([\d.]+)\"", rest)}
        scale = (float(re.search(r"svg width=\"(\d+)\"", rest)[1]) - 2) / most
        for side in ("before", "after"):
            low, high = (time[side][end] * scale for end in ("low_ns", "high_ns"))
            if abs(boxes[side][0] - low) > 0.1 or abs(boxes[side][1] - max(high - low, 1)) > 0.1:
                print(task["name"], what, side, boxes[side], "not from", low, "to", high)' "$work/page.html" "$work/diff.json"
}

# Of two traces, of several a side, and in each form; what lacks nothing has no line. Only a rule and a page warn.
losses() {
	local lost=tests/data/lost-6.12.dat quiet=tests/data/scene-quiet.dat words="events were lost: in 1 gap"
	local line="*** EVENTS WERE LOST in $lost: in 1 gap. That time counts as unknown."
	"$annot" diff "$lost" "$quiet" 2>&1 | sed -n 2p | diff - <(echo "$line")
	"$annot" diff "$quiet" "$lost" -- "$quiet" "$lost" 2>&1 | grep '^\*\*\*' | diff - <(printf '%s\n' "$line" "$line")
	"$annot" diff "$quiet" "$quiet" | grep '^\*\*\*'
	"$annot" diff --html "$lost" "$quiet" >"$work/page.html"
	grep -q "<b>$lost: $words</b>" "$work/page.html" || echo "the page says nothing"
	"$annot" diff --json "$quiet" "$lost" | jq -c '[.before_lost, .after_lost | .lost_events, .lost_gaps, .lost_annotations]' |
		diff - <(echo '[0,0,0,0,1,0]')
	"$annot" diff --json "$lost" "$quiet" -- "$lost" | jq -c '[.before_lost, .after_lost | .lost_gaps]' | diff - <(echo '[1,1]')
	"$annot" diff --fail-on 'length > 10s' "$lost" "$quiet" 2>&1 >/dev/null |
		diff - <(echo "annot: warning: $lost: $words; rules are of what is left")
	"$annot" diff --page "$work/pair.html" "$quiet" "$lost" 2>&1 >/dev/null |
		diff - <(echo "annot: warning: $lost: $words")
}

# The cure of recorded false sharing, in one line.
sharing_is_gone() {
	says "*; l1_cache_miss:u in falsely: 100 % less; false-sharing is gone" \
		"$("$annot" diff tests/data/scene-sharing.dat tests/data/scene-sharing-padded.dat 2>/dev/null | sed -n 1p)"
	says "*; false-sharing is new" \
		"$("$annot" diff tests/data/scene-sharing-padded.dat tests/data/scene-sharing.dat 2>/dev/null | sed -n 1p)"
}

# The cure of a recorded conflict, in one line.
conflict_is_gone() {
	says "As fast as before: *; l1_cache_miss:u in conflict: 100 % less; set-conflicts is gone" \
		"$("$annot" diff tests/data/scene-conflict.dat tests/data/scene-conflict-padded.dat 2>/dev/null | sed -n 1p)"
	says "As fast as before: *; set-conflicts is new" \
		"$("$annot" diff tests/data/scene-conflict-padded.dat tests/data/scene-conflict.dat 2>/dev/null | sed -n 1p)"
}

refused() {	# STATUS TEXT ARGUMENT...
	local status=$1 text=$2
	shift 2
	"$annot" diff "$@" >"$work/out" 2>"$work/err"
	[ $? -eq "$status" ] || echo "not status $status"
	[ "$(wc -l <"$work/err")" -eq 1 ] && grep -qF -- "$text" "$work/err" && [ ! -s "$work/out" ] || cat "$work/err" "$work/out"
}

bad_input() {
	echo rubbish >"$work/rubbish.dat"
	refused 1 nowhere.dat "$work/slow.dat" "$work/nowhere.dat"
	refused 1 nowhere.dat "$work/nowhere.dat" "$work/slow.dat"
	refused 1 rubbish.dat "$work/slow.dat" "$work/rubbish.dat"
	refused 2 "two traces are needed" "$work/slow.dat"
	refused 2 "not also" "$work/slow.dat" "$work/slow.dat" more
	refused 2 "options stand before" "$work/slow.dat" "$work/slow.dat" -- "$work/slow.dat" --json
	refused 2 "--nonsense" --nonsense "$work/slow.dat" "$work/slow.dat"
}

help() {
	"$annot" diff --help >"$work/out" || echo "status $?"
	grep -q "^usage: annot diff" "$work/out" || cat "$work/out"
}

make_run slow 1 1000 500
make_run fast 2 700 250
check "a known change is reported" faster
check "and the other way round" slower
check "runs of the same kind do not differ" the_same
check "what is significant but small does not stand out" small_shift
check "what only one trace has is told" only_in_one
check "from nothing to something" from_nothing
check "medians are those of the report" medians tests/data/scene-contend.dat
check "the page" page
check "the figures of the page, faster" page_figures slow fast
check "the figures of the page, slower" page_figures fast slow
check "padding cures a conflict" conflict_is_gone
check "padding cures false sharing" sharing_is_gone
check "what cannot be compared is one line" bad_input
check "what was lost" losses
check "--help" help
exit $failed
