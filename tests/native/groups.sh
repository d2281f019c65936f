#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# SLOW
#
# Events that annot record counts without the module: page faults of programs that know how many they had, alone, two at once,
# and in turns; what is lost is told; what cannot be counted so is refused. TAP.
# shellcheck disable=SC2154,SC2317	# record.bash assigns; checks are called by name
set -u

cd "$(dirname "$0")/../.." || exit
# shellcheck source=tests/native/record.bash
. tests/native/record.bash
start_faults=300	# at most, before and after those that a program tells of

# The figures of each thread named COMM by tid, of the event: count, error, unmeasured_ns, measured_share.
figures() {	# TRACE COMM EVENT
	"$annot" report --json --all "$1" >report.json 2>err || cat err
	python3 - "$2" "$3" <<-'EOF'
		import json, sys
		for thread in json.load(open("report.json"))["threads"]:
		    for event in thread["events"] if thread["comm"] == sys.argv[1] else []:
		        if event["name"] == sys.argv[2]:
		            print(event["count"], event["error"], event["unmeasured_ns"], event["measured_share"])
	EOF
}

# Lines of "FAULTS NS" of programs, and of what was counted, in the order of their numbers.
are_as_told() {
	local nr=$1
	sort -n out | head -n "$nr" >told
	figures groups.dat touching page_faults:u | sort -n >counted
	[ "$(wc -l <counted)" -eq "$nr" ] || echo "not $nr threads: $(cat counted)"
	paste -d ' ' told counted | awk -v most=$start_faults '$3 < $1 || $3 > $1 + most || $4 != 0 || $5 != 0 { print "told, counted: " $0 }'
}

one_program() {
	record 0 -q --count page_faults,task-clock -o groups.dat -- "$work/touching" 12
	are_as_told 1
}

two_programs() {
	record 0 -q --count '{page_faults,task-clock}' -o groups.dat -- sh -c "$work/touching 20 & $work/touching 7; wait"
	are_as_told 2
}

# One is counted while the other is not; each for a half of the time, and at the same cost. That is an estimate, whose interval is of 95 in 100: the best of three.
takes_turns() {
	local differences
	for _ in 1 2 3; do
		record 0 --user --count '{page_faults},{minor_faults}' -o groups.dat -- "$work/touching" 150
		grep -q "2 groups of counters take turns" err || echo "no word of turns: $(cat err)"
		differences=$(figures groups.dat touching page_faults | awk -v truth="$(cut -d ' ' -f 1 out)" -v most=$start_faults '
			$1 + $2 < truth || $1 - $2 > truth + most { print "not " truth ": " $0 }
			$2 > truth / 4 || $4 < 0.3 || $4 > 0.7 { print "unsure: " $0 }')
		[ -n "$differences" ] || return 0
	done
	echo "$differences"
}

# Of both groups: it is counted in all turns, and not while they change.
counts_in_both() {
	record 0 --user --count '{page_faults,CS},{page_faults,minor_faults}' -o groups.dat -- "$work/touching" 60
	figures groups.dat touching page_faults | awk -v truth="$(cut -d ' ' -f 1 out)" '
		$4 < 0.8 { print "counted too seldom: " $0 } $1 < 0.9 * truth || $1 > 1.1 * truth { print "not " truth ": " $0 }'
	[ "$(figures groups.dat touching page_faults | wc -l)" -eq 1 ] || echo "not one figure"
}

# Who cannot read loses readings: what they were of is not measured.
lost_readings() {
	local lost
	cat >stopped.sh <<-EOF
		kill -STOP \$PPID
		$work/switches 2 30000
		kill -CONT \$PPID
	EOF
	record 0 -b 65536 --count page_faults -o lost.dat -- sh stopped.sh
	lost=$(sed -n 's/.*warning: record: --count: \([0-9]*\) or more readings of counters LOST.*/\1/p' err)
	[ "${lost:-0}" -ge 1 ] || echo "lost: $(cat err)"
	figures lost.dat switches page_faults:u | awk '{ ns += $3 } END { if (ns < 10000000) print "unmeasured: " ns " ns" }'
	figures lost.dat switches page_faults:u >/dev/null
	"$annot" report lost.dat >out 2>&1 || cat out
}

too_large() {
	# Names of the same events are events, too.
	local all="page_faults,PAGE-FAULTS,FAULTS,minor_faults,MINOR-FAULTS,major_faults,MAJOR-FAULTS,TASK-CLOCK,CGROUP-SWITCHES"
	rm -f trace.dat
	record 1 -q --count "{$all}" true
	one_line "a group is too large" "16 events before it"
	[ ! -e trace.dat ] || echo "a trace is there"
	record 0 -q --count "$all" true
	[ ! -s err ] || cat err
}

refuses() {
	record 2 --count '{page_faults' true
	one_line "{page_faults" "a '}' is missing"
	record 2 --count '{page_faults,{task-clock}}' true
	one_line "a group within a group"
	record 2 --count '{page_faults}:u' true
	one_line "only ',' may stand behind '}'"
	record 2 --count '{page_faults,page_faults}' true
	one_line "'page_faults:u' is named twice"
	record 2 -e '{page_faults}' true
	record 2 --clock global --count page_faults true
	one_line "needs the clock mono, not global"
	unshare --pid --fork --mount-proc "$annot" record --count page_faults true >out 2>err
	one_line "container"
}

files_stay() {
	local files
	files=$(ulimit -S -n)
	record 0 -q --count page_faults sh -c "ulimit -S -n"
	[ "$(cat out)" = "$files" ] || echo "$(cat out) files, not $files"
}

if [ -e /dev/annot/ctl ]; then
	skip "events are counted without the module" "it is loaded"
	exit
fi
cc -O2 -Wall -Werror -o "$work/touching" "$here/tests/native/touching.c" || exit
cc -O2 -Wall -Werror -D_GNU_SOURCE -pthread -o "$work/switches" "$here/tests/bench/switches.c" || exit
check_afresh "a program's page faults are counted, to the last one" one_program
check_afresh "of two programs at once, each has its own" two_programs
check_afresh "groups take turns, and the counts are estimates that hold" takes_turns
check_afresh "an event of two groups is counted in both" counts_in_both
check_afresh "readings that were lost are told, and their time is not measured" lost_readings
check_afresh "a group that the counters are not enough for is refused" too_large
check_afresh "what is no group, and what has other times or numbers, is refused" refuses
check_afresh "a program may have as many open files as without annot" files_stay
exit "$failed"
