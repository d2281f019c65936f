#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# SLOW
#
# annot diff with several traces a side: a known change is found with an interval that has it; runs of one kind do not
# differ, though each differs from the next; one trace a side is compared as ever.
set -uo pipefail

cd "$(dirname "$0")/../../../.." || exit
annot=${ANNOT:-build/annot}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
# shellcheck source=tests/lib/tap.sh
. tests/lib/tap.sh
# shellcheck source=tests/lib/refused.sh
. tests/lib/refused.sh
output_is_failure=true

# Runs of 1 ms, and of 1.08 ms; both differ by 1 % from one to the next.
make_runs() {
	local i=0 noise
	for noise in 990 1010 1003 995 1002; do
		i=$((i + 1))
		make_run "before$i" $i $noise 500
		make_run "again$i" $((i + 10)) $((2000 - noise)) 500
		make_run "after$i" $((i + 20)) $((noise * 108 / 100)) 500
	done
}

make_run() {	# NAME SEED SOLVE_US MISSES
	tests/unit/report/diff/diff_trace.py "$2" "$3" "$4" | tests/lib/script_trace.py "$work/$1.dat"
}

says() {	# WANTED GOT
	# shellcheck disable=SC2254	# it is a pattern
	case $2 in $1) ;; *) echo "$2" ;; esac
}

told() {	# FILE...: the verdict
	"$annot" diff "$@" | sed -n 1p
}

json() {	# EXPRESSION ARGUMENT...: of d
	local expression=$1
	shift
	"$annot" diff --json "$@" | python3 -c "import json, sys
d = json.load(sys.stdin)
tasks = {task['name']: task for task in d['tasks']}
wall = tasks['solve']['wall']
got = $expression
if got is not True: print(got)"
}

slower() {
	says "Slower: *interval +*; solve takes [789].? % more time (mean 1.?? ms, was *)" \
		"$(told "$work"/before?.dat -- "$work"/after?.dat)"
	json "wall['stands_out'] and wall['change_low'] < .08 < wall['change_high'] < .11 or wall" \
		"$work"/before?.dat -- "$work"/after?.dat
	json "wall['before']['runs'] == 5 and tasks['solve']['before_instances'] == 200 and d['compared'] == 5" \
		"$work"/before?.dat -- "$work"/after?.dat
	json "tasks['solve']['on_cpu']['stands_out'] and tasks['solve']['on_cpu']['adjusted_p_value'] == wall['adjusted_p_value']" \
		"$work"/before?.dat -- "$work"/after?.dat
	json "d['stands_out'] and not tasks['tidy']['wall']['stands_out']" "$work"/before?.dat -- "$work"/after?.dat
	json "[path[-5:] for path in d['after_traces']] == ['1.dat', '2.dat', '3.dat', '4.dat', '5.dat']" \
		"$work"/before?.dat -- "$work"/after?.dat
}

the_same() {
	says "No difference exceeds the variation from run to run: *" \
		"$(told "$work"/before?.dat -- "$work"/again?.dat)"
	json "not d['stands_out'] and wall['change_low'] < 0 < wall['change_high']" "$work"/before?.dat -- "$work"/again?.dat
}

# The variation of the other side is taken; of one run each, that it is not known.
few_runs() {
	json "wall['after']['noise'] is None and wall['stands_out']" "$work"/before?.dat -- "$work"/after1.dat
	json "d['before_traces'] and not d['stands_out']" "$work"/before1.dat -- "$work"/again1.dat "$work"/again2.dat
	cmp <("$annot" diff --all "$work/before1.dat" "$work/after1.dat") \
		<("$annot" diff --all "$work/before1.dat" -- "$work/after1.dat")
	cmp <("$annot" diff --json "$work/before1.dat" "$work/after1.dat") \
		<("$annot" diff --json -- "$work/before1.dat" "$work/after1.dat")
}

# A task that only some runs have counts with those.
in_some_runs() {
	sed 's/|store/|load/' <(tests/unit/report/diff/diff_trace.py 1 1000 500) | tests/lib/script_trace.py "$work/renamed.dat"
	json "tasks['store']['wall']['before']['runs'] == 1 and tasks['load']['wall']['before']['runs'] == 1" \
		"$work/before1.dat" "$work/renamed.dat" -- "$work/after1.dat" "$work/after2.dat"
	json "tasks['load']['wall']['after']['mean_ns'] is None and tasks['load']['wall']['change'] is None" \
		"$work/before1.dat" "$work/renamed.dat" -- "$work/after1.dat" "$work/after2.dat"
}

# The page's cells are the figures of --json.
page() {
	"$annot" diff --html "$work"/before?.dat -- "$work"/after?.dat >"$work/page.html"
	"$annot" diff --json "$work"/before?.dat -- "$work"/after?.dat >"$work/diff.json"
	python3 -c 'import json, re, sys
html, d = open(sys.argv[1]).read(), json.load(open(sys.argv[2]))
rows = {cells[:2]: cells[2:] for cells in (tuple(re.findall(r"<td[^>]*>([^<]*)</td>", row))
                                          for row in re.findall(r"<tr>(.*)</tr>", html))}
if d["verdict"] not in html or len(d["tasks"]) != 3:
    print(d["verdict"])
for task in d["tasks"]:
    for what, key in (("wall", "wall"), ("on CPU", "on_cpu")):
        time = task[key]
        wanted = ("%.1f %%" % (100 * time["before"]["noise"]), "%.1f %%" % (100 * time["after"]["noise"]),
                  "%+.1f %%" % (100 * time["change"]),
                  "%+.1f to %+.1f %%" % (100 * time["change_low"], 100 * time["change_high"]),
                  "%.2g" % time["adjusted_p_value"])
        got = rows[task["name"], what]
        if (got[1], *got[3:]) != wanted:
            print(task["name"], what, got, "not", wanted)
if html.count("class=\"worse\"") != sum(task[key]["stands_out"] for task in d["tasks"] for key in ("wall", "on_cpu")):
    print("marks")' "$work/page.html" "$work/diff.json"
}

refuses() {	# STATUS WORDS ARGUMENT...
	refused "$1" "$2" "$annot" diff "${@:3}"
}

bad_input() {
	echo rubbish >"$work/rubbish.dat"
	refuses 1 nowhere.dat "$work/before1.dat" "$work/before2.dat" -- "$work/nowhere.dat" "$work/after1.dat"
	refuses 1 rubbish.dat "$work/before1.dat" "$work/rubbish.dat" -- "$work/after1.dat"
	refuses 2 "not also '$work/before3.dat'" "$work/before1.dat" "$work/before2.dat" "$work/before3.dat"
	refuses 2 "not also" "$work/before1.dat" "$work/before2.dat" "$work/before3.dat" --
	refuses 2 "two traces are needed" "$work/before1.dat" --
}

make_runs
check "a known change is found, with an interval that has it" slower
check "runs of one kind do not differ" the_same
check "one run of a side, or of both" few_runs
check "a task that some runs lack" in_some_runs
check "the page has the figures of --json" page
check "what cannot be compared is one line" bad_input
exit $failed
