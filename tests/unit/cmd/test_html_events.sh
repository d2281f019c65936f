#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# SLOW
#
# annot html --events: which events of any kind are in the page, what is told of the others; with parts of
# the trace, with a limit of the page's size; a trace without such events. TAP.
# shellcheck disable=SC2317	# functions as arguments
set -uo pipefail

cd "$(dirname "$0")/../../.." || exit
here=$PWD
annot=$PWD/build/annot
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
# shellcheck source=tests/lib/tap.sh
. tests/lib/tap.sh
output_is_failure=true

# Of 1000 us: two threads on two CPUs; each us an event "count", each 10 us a "text", at 500 us a "thing".
script() {
	echo "1000 0 0 switch next_pid=100 next_comm=prog"
	echo "1000 1 0 switch next_pid=200 next_comm=other"
	awk 'BEGIN {
		for (us = 1; us <= 1000; us++) {
			ns = 1000 + us * 1000
			print ns, 0, 100, "probe:probe_count count=" us
			if (us % 10 == 0)
				print ns, 1, 200, "probe:probe_text count=" us " name=text" us
			if (us == 500)
				print ns, 1, 200, "other:other_thing address=0xffffffff81234567"
		}
	}'
	echo "1003000 0 100 switch next_pid=0 next_comm=idle"
	echo "1003000 1 200 switch next_pid=0 next_comm=idle"
}

make_trace() { python3 tests/lib/script_trace.py "$1"; }
script | make_trace "$work/events.dat" || exit
script | grep switch | make_trace "$work/none.dat" || exit
{ printf '%s 0 100 probe:probe_count count=0\n' 800 900; script; } | make_trace "$work/early.dat" || exit
cd "$work" || exit

# The page goes to page.html, what is said to err.
html() { "$annot" html -o page.html "$@" >out 2>err || echo "exit status $?: $(cat err)"; }

# "name count" of the rows that the page has, and of what it says to lack.
told() {	# KEY
	python3 - "$1" <<-'PYTHON'
	import json, re, sys
	text = open("page.html", encoding="utf-8").read()
	head = json.loads(re.search(r'id="annot-head">(.*?)</script>', text)[1])
	print(" ".join(f"{head['strings'][name]} {nr}" for name, nr in head.get(sys.argv[1], [])))
	PYTHON
}

expect() {	# ROWS LEFT_OUT LINE
	local rows left
	rows=$(told event_names)
	left=$(told left_out_events)
	[ "$(xargs -n 2 <<<"$rows" | sort)" = "$(xargs -n 2 <<<"$1" | sort)" ] || echo "rows: $rows, not $1"
	[ "$left" = "$2" ] || echo "left out: $left, not $2"
	[ "$(grep 'left out' err | grep -v before)" = "${3:+annot: events.dat: left out: $3}" ] || echo "said: $(cat err), not $3"
}

all="other:other_thing 1 probe:probe_count 1000 probe:probe_text 100"

default_all() { html events.dat; expect "$all" "" ""; }
every() { html --events all events.dat; expect "$all" "" ""; }
none() { html --events none events.dat; expect "" "probe:probe_count 1000 probe:probe_text 100 other:other_thing 1" ""; }
number() {
	html --events 1100 events.dat
	expect "other:other_thing 1 probe:probe_text 100" "probe:probe_count 1000" \
		"1,000 events of probe:probe_count: --events probe:probe_count puts them in"
	html --events 1101 events.dat
	expect "$all" "" ""
}
several() {
	html --events 100 events.dat
	expect "other:other_thing 1" "probe:probe_count 1000 probe:probe_text 100" \
		"1,000 events of probe:probe_count and 100 of probe:probe_text: --events probe:probe_count,probe:probe_text puts them in"
	html --events 0 events.dat
	expect "" "probe:probe_count 1000 probe:probe_text 100 other:other_thing 1" ""
}
named() {
	html --events probe:probe_text,other:other_thing events.dat
	expect "other:other_thing 1 probe:probe_text 100" "probe:probe_count 1000" ""
}

# Within a part, as within a trace that has no more than this.
of_time() {
	html --from +100us --to +200us events.dat
	expect "probe:probe_count 100 probe:probe_text 10" "" ""
	html --from +100us --to +200us --events 99 events.dat
	expect "probe:probe_text 10" "probe:probe_count 100" \
		"100 events of probe:probe_count: --events probe:probe_count puts them in"
	html --from +100us --to +200us --events all events.dat
	expect "probe:probe_count 100 probe:probe_text 10" "" ""
}
of_cpu() { html --cpu 1 events.dat; expect "other:other_thing 1 probe:probe_text 100" "" ""; }
of_thread() { html --thread prog events.dat; expect "probe:probe_count 1000" "" ""; }

refused() {	# WORDS ARGUMENT...
	local words=$1
	shift
	rm -f page.html
	"$annot" html -o page.html "$@" events.dat >out 2>err && echo "it is taken"
	[ ! -e page.html ] || echo "there is a page"
	grep -qF -- "$words" err || echo "not '$words': $(cat err)"
}
unknown_name() { refused "--events: has no event 'probe:probe_no'" --events probe:probe_text,probe:probe_no; }
no_list() {
	local list
	for list in probe probe: :probe "," "all,none" "probe:a,," -1 ""; do
		refused "not all, none, a number, or a list of SYSTEM:EVENT" "--events=$list"
	done
}

# They name no thread that is known: the page begins behind them, and has all that come then.
before_the_first() {
	html --events all early.dat
	expect "$all" "" ""
	grep -qxF "annot: early.dat: left out: 2 events before the first one that annot decodes, where the page begins: annot events prints them" err ||
		echo "said: $(cat err)"
	grep -q '"early_events":2[,}]' page.html || echo "the head does not tell"
	html --events other:other_thing early.dat
	! grep -q '"early_events":' page.html && ! grep -q before err || echo "told of those that nobody wants"
	html --events all events.dat
	! grep -q '"early_events":' page.html && ! grep -q before err || echo "told without any"
	html --from +100us --events all early.dat
	! grep -q '"early_events":' page.html && ! grep -q before err || echo "told of a part"
	[ "$("$annot" events early.dat | grep -c probe_count)" -eq 1002 ] || echo "annot events lacks some"
}

# Not a byte for what is not there.
without_events() {
	html none.dat && mv page.html default.html
	html --events none none.dat && cmp default.html page.html
	html --events all none.dat && cmp default.html page.html
	[ ! -s err ] || [ "$(wc -l <err)" -eq 1 ] || cat err
	! grep -q '"event_names"\|"left_out_events"\|"early_events"' default.html || echo "the head tells of events"
}

# A page that must be small gives at most a tenth of it to events that nobody asked for.
small_page() {
	local size
	html --events none events.dat
	size=$(stat -c %s page.html)
	html --max-bytes $((size + 1000)) events.dat
	[ "$(stat -c %s page.html)" -le $((size + 1000)) ] || echo "it is larger"
}

check "few events are all in the page" default_all
check "--events all" every
check "--events none" none
check "--events NUMBER: the types with the fewest" number
check "several types are left out" several
check "--events NAME" named
check "of a part of the time" of_time
check "of a CPU" of_cpu
check "of a thread" of_thread
check "a name that the trace does not have" unknown_name
check "what is no list" no_list
check "events before the first that is decoded" before_the_first
check "a trace without such events" without_events
check "with a limit of the page's size" small_page

cd "$here" || exit
exit $failed
