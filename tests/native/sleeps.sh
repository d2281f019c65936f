#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# SLOW
# TIMED
#
# A program that sleeps, and knows for how long it asked, and how much longer it slept. TAP.
# shellcheck disable=SC2154,SC2317	# record.bash assigns; checks are called by name
set -u

cd "$(dirname "$0")/../.." || exit
# shellcheck source=tests/native/record.bash
. tests/native/record.bash

napping() {	# TIMES SLEEP_NS SLACK_NS
	record 0 -q -b 16384 --tracepoint timer -o sleeps.dat -- "$work/napping" "$@"
	"$annot" report --json --all sleeps.dat >report.json 2>err || cat err
}

# Behind the timer come the wakeup and the rest of the call, which the report tells of each thread.
differs() {	# TIMES SLEEP_NS SLACK_NS
	napping "$@"
	python3 - "$@" <<-'EOF'
		import json, sys
		times, sleep_ns, slack_ns = map(int, sys.argv[1:])
		late_ns = int(open("out").read())
		report = json.load(open("report.json"))
		row = next(row for row in report["sleeps"]["threads"] if row["comm"] == "napping")
		thread = next(thread for thread in report["threads"] if thread["tid"] == row["tid"])
		if abs(row["nr"] - times) > 0.01 * times:
		    print(row["nr"], "sleeps")
		if abs(row["asked_ns"] - times * sleep_ns) > 0.02 * times * sleep_ns:
		    print(row["asked_ns"], "ns were asked for, not", times * sleep_ns)
		got_ns = row["late_ns"] + thread["wakeup_ns"] + thread["on_cpu_ns"]
		if abs(got_ns - late_ns) > 0.02 * late_ns:
		    print("late by", row["late_ns"], thread["wakeup_ns"], thread["on_cpu_ns"], "ns, not", late_ns)
		if not 0.5 * row["late_ns"] < row["slack_ns"] <= min(row["late_ns"], times * slack_ns):
		    print(row["slack_ns"], "ns of slack, of", row["late_ns"])
		found = [finding for finding in report["findings"] if finding["kind"] == "sleep-granularity"]
		if [(finding["evidence"]["tids"], finding["time_lost_at_most_ns"]) for finding in found] != [([row["tid"]], row["late_ns"])]:
		    print("found:", report["findings"])
	EOF
}

# A busy machine loses switches: one of three recordings has to agree.
agrees_once() {	# COMMAND...
	local differences
	for _ in 1 2 3; do
		differences=$("$@")
		[ -n "$differences" ] || return 0
	done
	printf '%s\n' "$differences"
}

is_quiet() {
	napping 200 5000000 1
	python3 - <<-'EOF'
		import json
		report = json.load(open("report.json"))
		found = [finding["text"] for finding in report["findings"] if finding["kind"] == "sleep-granularity"]
		if found or not any(row["comm"] == "napping" and row["nr"] == 200 for row in report["sleeps"]["threads"]):
		    print("found:", found, report["sleeps"])
	EOF
}

cc -O2 -Wall -Werror -o "$work/napping" "$here/tests/native/napping.c" || exit
check "sleeps of 1 ms with 2 ms of slack are late as the program says" agrees_once differs 500 1000000 2000000
check "a program with hardly any slack sleeps well" agrees_once is_quiet
exit "$failed"
