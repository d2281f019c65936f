#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# annot convert: on recorded traces, against trace-cmd's text and what the programs said of
# themselves; and on one that a script tells, to the letter. TAP.
set -uo pipefail

cd "$(dirname "$0")/../../.." || exit
annot=${ANNOT:-build/annot}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# shellcheck source=tests/lib/tap.sh
. tests/lib/tap.sh
output_is_failure=true

# Two ranks; rank 0 sends 1000 bytes with tag 7 to rank 1: 1 << 44 | 7 << 24 | 1000, and from 0.
messages() {
	tests/lib/script_trace.py "$work/ranks.dat" <<-'EOF'
	1000 0 0 switch next_pid=100 next_comm=zero
	1010 0 100 wakeup pid=200 comm=one target_cpu=1
	1050 1 0 switch next_pid=200 next_comm=one
	1100 0 100 marker buf='I|100|@rank|0'
	1100 1 200 marker buf='I|200|@rank|1'
	1200 1 200 marker buf='B|200|MPI_Recv|wait'
	2000 0 100 marker buf='B|100|MPI_Send'
	2100 0 100 marker buf='I|100|@send|17592303485928'
	2110 0 100 marker buf='E|100'
	2300 1 200 marker buf='I|200|@recv|117441512'
	2310 1 200 marker buf='E|200'
	EOF
	convert --perfetto -o - "$work/ranks.dat" >"$work/ranks.json"
	# Of a part of the trace, too, before which the ranks were told.
	convert --perfetto --from +500ns -o - "$work/ranks.dat" >"$work/part.json"
	python3 - "$work/ranks.json" "$work/part.json" <<-'EOF'
		import json, sys
		with open(sys.argv[1]) as file:
		    events = json.load(file)["traceEvents"]
		found = [(e["ph"], e["tid"], e["ts"], e["name"]) for e in events if e.get("cat") == "message"]
		truth = [("s", 100, 1.1, "message, 1000 bytes"), ("f", 200, 1.3, "message, 1000 bytes")]
		if found != truth:
		    print(found)
		flows = [(e["ph"], e["id"]) for e in events if e["ph"] in "sf"]
		if sorted(set(flows)) != [("f", 1), ("f", 2), ("s", 1), ("s", 2)]:
		    print("numbers of flows:", flows)
		with open(sys.argv[2]) as file:
		    events = json.load(file)["traceEvents"]
		found = [(e["ph"], e["tid"], e["name"]) for e in events if e.get("cat") == "message"]
		if found != [(phase, tid, name) for phase, tid, _, name in truth]:
		    print("of a part:", found)
		if [e["name"] for e in events if e["ph"] in "iI" and e["name"].startswith("@")]:
		    print("marks for the reader are shown")
	EOF
}

# A trace whose first event is at START: a wakeup as the waker's slice ends, spans that nest and one
# without an end, names that JSON and CSV must escape, samples of two bins, counts of slices.
make_trace() {	# START FILE
	while read -r time rest; do
		echo "$(($1 + time)) $rest"
	done >"$work/script" <<-'EOF'
	0 0 0 config text='event=0 name=l1_cache_miss mode=sample period=100 user=1 kernel=1 asked=3 precise=2'
	0 0 0 config text='event=1 name=cycles mode=count user=1 kernel=1'
	1000 0 0 switch next_pid=100 next_comm='a "b", c'
	1001 0 100 marker buf='annot|session'
	2001 0 100 marker buf='B|100|outer|-7'
	2501 0 100 marker buf='B|100|inner <"\,'
	2601 0 100 marker buf='I|100|here|3'
	2701 0 100 marker buf='C|100|depth|9007199254740993'
	2800 0 100 sample period=100 ip=0x401136 has=0x13 addr=0x7ffe10 weight=230
	2900 0 100 sample period=100 ip=0 has=0x20
	3001 0 100 marker buf='E|100'
	3003 0 100 marker buf='B|100|stand|wait'
	5000 0 100 wakeup pid=101 comm=two target_cpu=1
	5000 0 100 counts counts=12000 ended_by=0
	5000 0 100 switch prev_state=1 prev_comm='a "b", c' next_pid=50 next_comm=other
	5500 1 0 switch next_pid=101 next_comm=two
	6000 0 50 wakeup pid=100 comm='a "b", c' target_cpu=0
	7007 0 50 switch prev_state=0 next_pid=100 next_comm='a "b", c'
	1000008 1 101 sample period=100 ip=0x500000 has=0x10
	1000009 1 101 switch prev_state=1 next_pid=0
	EOF
	tests/lib/script_trace.py "$2" <"$work/script"
}

convert() { "$annot" convert "$@" 2>"$work/err" || echo "exit status $?: $(cat "$work/err")"; }

table() {
	convert --csv -o - "$work/made.dat" | sed "s,$work/,," >"$work/made.csv"
	[ "$(grep -c $'\r$' "$work/made.csv")" -eq "$(wc -l <"$work/made.csv")" ] ||
		echo "a line does not end in CR LF"
	tr -d '\r' <"$work/made.csv" | diff - <(cat <<-'EOF'
	kind,start_ns,end_ns,cpu,tid,tgid,comm,in_session,name,value,state,depth,other_cpu,other_tid,ip,addr,weight,text
	trace,0,1000009,,,,,,made.dat,1000,mono,,,,,,,
	slice,1000,5000,0,100,100,"a ""b"", c",1,,,sleeping,,,,,,,
	slice,5000,7007,0,50,,other,0,,,preempted,,,,,,,
	slice,7007,1000009,0,100,100,"a ""b"", c",1,,,running,,,,,,,
	slice,5500,1000009,1,101,,two,0,,,sleeping,,,,,,,
	state,1000,5000,0,100,100,"a ""b"", c",1,,,running,,,,,,,
	state,5000,6000,0,100,100,"a ""b"", c",1,,,sleeping,,,,,,,
	state,6000,7007,0,100,100,"a ""b"", c",1,,,runnable,,,,,,,
	state,7007,1000009,0,100,100,"a ""b"", c",1,,,running,,,,,,,
	span,2001,1000009,,100,100,"a ""b"", c",1,outer,-7,"work, no end",0,,,,,,
	span,2501,3001,,100,100,"a ""b"", c",1,"inner <""\,",,work,1,,,,,,
	span,3003,1000009,,100,100,"a ""b"", c",1,stand,,"wait, no end",1,,,,,,
	mark,2601,2601,,100,100,"a ""b"", c",1,here,3,,,,,,,,
	counter,2701,2701,,100,100,"a ""b"", c",1,depth,9007199254740993,,,,,,,,
	state,5000,5500,1,101,,two,0,,,runnable,,,,,,,
	state,5500,1000009,1,101,,two,0,,,running,,,,,,,
	state,1000009,1000009,1,101,,two,0,,,sleeping,,,,,,,
	state,5000,7007,0,50,,other,0,,,running,,,,,,,
	state,7007,1000009,0,50,,other,0,,,preempted,,,,,,,
	wakeup,5000,5500,1,101,,two,0,,,,,,100,,,,
	wakeup,6000,7007,0,100,100,"a ""b"", c",1,,,,,,50,,,,
	sample,2800,2800,0,100,100,"a ""b"", c",1,l1_cache_miss,100,user,,,,0x401136,0x7ffe10,230,
	sample,2900,2900,0,100,100,"a ""b"", c",1,l1_cache_miss,100,kernel,,,,,,,
	sample,1000008,1000008,1,101,,two,0,l1_cache_miss,100,user,,,,0x500000,,,
	count,1000,5000,0,100,100,"a ""b"", c",1,cycles,12000,,,,,,,,
	EOF
	)
}

# The events of these categories, their keys without quotes.
events_of() {	# CATEGORY|CATEGORY
	grep -E "\"cat\":\"($1)\"" "$work/made.json" | sed -E 's/^,//; s/([{,])"([a-z_]+)":/\1\2=/g'
}

slices_and_flows() {
	events_of 'cpu|wakeup' | diff - <(cat <<-'EOF'
	{ph="X",cat="cpu",name="a \"b\", c 100",pid=20000000,tid=20000001,ts=1.000,dur=4.000,args={tid=100,tgid=100,then="sleeping"}}
	{ph="s",cat="wakeup",name="wakeup",pid=20000000,tid=20000001,ts=5.000,id=1}
	{ph="X",cat="cpu",name="other 50",pid=20000000,tid=20000001,ts=5.000,dur=2.007,args={tid=50,then="preempted"}}
	{ph="s",cat="wakeup",name="wakeup",pid=20000000,tid=20000001,ts=6.000,id=2}
	{ph="X",cat="cpu",name="a \"b\", c 100",pid=20000000,tid=20000001,ts=7.007,dur=993.002,args={tid=100,tgid=100,then="running"}}
	{ph="f",cat="wakeup",name="wakeup",pid=20000000,tid=20000001,ts=7.007,id=2,bp="e"}
	{ph="X",cat="cpu",name="two 101",pid=20000000,tid=20000002,ts=5.500,dur=994.509,args={tid=101,then="sleeping"}}
	{ph="f",cat="wakeup",name="wakeup",pid=20000000,tid=20000002,ts=5.500,id=1,bp="e"}
	EOF
	)
}

spans_and_marks() {
	events_of 'work|wait|mark|counter' | diff - <(cat <<-'EOF'
	{ph="X",cat="work",name="outer",pid=100,tid=100,ts=2.001,dur=998.008,args={value=-7,open_end=true}}
	{ph="X",cat="work",name="inner \u003c\"\\,",pid=100,tid=100,ts=2.501,dur=0.500,args={}}
	{ph="X",cat="wait",name="stand",pid=100,tid=100,ts=3.003,dur=997.006,args={open_end=true}}
	{ph="i",cat="mark",name="here",pid=100,tid=100,ts=2.601,s="t",args={value=3}}
	{ph="C",cat="counter",name="depth, a \"b\", c 100",pid=100,tid=100,ts=2.701,args={value=9007199254740993}}
	EOF
	)
}

states() {
	events_of state | diff - <(cat <<-'EOF'
	{ph="X",cat="state",name="running",pid=100,tid=10000100,ts=1.000,dur=4.000,args={cpu=0}}
	{ph="X",cat="state",name="sleeping",pid=100,tid=10000100,ts=5.000,dur=1.000,args={cpu=0}}
	{ph="X",cat="state",name="runnable",pid=100,tid=10000100,ts=6.000,dur=1.007,args={cpu=0}}
	{ph="X",cat="state",name="running",pid=100,tid=10000100,ts=7.007,dur=993.002,args={cpu=0}}
	{ph="X",cat="state",name="runnable",pid=30000000,tid=10000101,ts=5.000,dur=0.500,args={cpu=1}}
	{ph="X",cat="state",name="running",pid=30000000,tid=10000101,ts=5.500,dur=994.509,args={cpu=1}}
	{ph="X",cat="state",name="sleeping",pid=30000000,tid=10000101,ts=1000.009,dur=0.000,args={cpu=1}}
	{ph="X",cat="state",name="running",pid=30000000,tid=10000050,ts=5.000,dur=2.007,args={cpu=0}}
	{ph="X",cat="state",name="preempted",pid=30000000,tid=10000050,ts=7.007,dur=993.002,args={cpu=0}}
	EOF
	)
}

counters() {
	events_of pmu | diff - <(cat <<-'EOF'
	{ph="C",cat="pmu",name="l1_cache_miss sampled, a \"b\", c 100",pid=100,tid=100,ts=2.000,args={per_us=100}}
	{ph="C",cat="pmu",name="l1_cache_miss sampled, a \"b\", c 100",pid=100,tid=100,ts=4.000,args={per_us=0}}
	{ph="C",cat="pmu",name="l1_cache_miss sampled, two 101",pid=30000000,tid=101,ts=1000.000,args={per_us=50}}
	{ph="C",cat="pmu",name="l1_cache_miss sampled, two 101",pid=30000000,tid=101,ts=1002.000,args={per_us=0}}
	{ph="C",cat="pmu",name="cycles counted, a \"b\", c 100",pid=100,tid=100,ts=1.000,args={per_us=3000}}
	{ph="C",cat="pmu",name="cycles counted, a \"b\", c 100",pid=100,tid=100,ts=5.000,args={per_us=0}}
	{ph="C",cat="pmu",name="l1_cache_miss sampled, CPU 0",pid=20000000,tid=20000001,ts=2.000,args={per_us=100}}
	{ph="C",cat="pmu",name="l1_cache_miss sampled, CPU 0",pid=20000000,tid=20000001,ts=4.000,args={per_us=0}}
	{ph="C",cat="pmu",name="l1_cache_miss sampled, CPU 1",pid=20000000,tid=20000002,ts=1000.000,args={per_us=50}}
	{ph="C",cat="pmu",name="l1_cache_miss sampled, CPU 1",pid=20000000,tid=20000002,ts=1002.000,args={per_us=0}}
	{ph="C",cat="pmu",name="cycles counted, CPU 0",pid=20000000,tid=20000001,ts=1.000,args={per_us=3000}}
	{ph="C",cat="pmu",name="cycles counted, CPU 0",pid=20000000,tid=20000001,ts=5.000,args={per_us=0}}
	EOF
	)
}

# 10 W and 30 W; between them it is not known. And transfers, without a unit, half of the time.
uncore() {
	tests/lib/script_trace.py "$work/uncore.dat" <<-'EOF'
	1000 1 0 switch next_pid=300 next_comm=annot-uncore
	1000 1 300 marker buf='annot|uncore|event|0|1|0.5|Joules|power/energy-pkg/'
	1000 1 300 marker buf='annot|uncore|event|1|1|1||box/reads/'
	1000 1 300 marker buf='annot|uncore|counts|0|0,0,0|0,0,0'
	10001000 1 300 marker buf='annot|uncore|counts|0|200000,10000000,10000000|7,10000000,5000000'
	20001000 1 300 marker buf='annot|uncore|counts|0|200000,20000000,10000000'
	30001000 1 300 marker buf='annot|uncore|counts|0|800000,30000000,20000000'
	30001000 1 300 switch prev_state=1
	EOF
	convert --perfetto -o "$work/made.json" "$work/uncore.dat" >/dev/null
	events_of uncore | diff - <(cat <<-'EOF'
	{ph="C",cat="uncore",name="power/energy-pkg/ W, CPU 1",pid=20000000,tid=20000002,ts=0.000,args={per_s=10000000}}
	{ph="C",cat="uncore",name="box/reads/ /s, CPU 1",pid=20000000,tid=20000002,ts=0.000,args={per_s=1400}}
	{ph="C",cat="uncore",name="power/energy-pkg/ W, CPU 1",pid=20000000,tid=20000002,ts=20000.000,args={per_s=30000000}}
	EOF
	)
	convert --perfetto -o "$work/made.json" "$work/made.dat" >/dev/null
}

# The last digit of a clock that has run for long is not lost.
large_start() {
	local start=1700000000123456789
	make_trace $start "$work/later.dat"
	convert --perfetto -o "$work/later.json" "$work/later.dat" >/dev/null
	grep -q "\"start_ns\":\"$start\"" "$work/later.json" || echo "another start: $(head -n 1 "$work/later.json")"
	diff <(tail -n +2 "$work/made.json") <(tail -n +2 "$work/later.json")
	diff <(convert --csv -o - "$work/made.dat" | tail -n +3) <(convert --csv -o - "$work/later.dat" | tail -n +3)
	convert --csv -o - "$work/later.dat" | grep -q "^trace,0,1000009,.*,$start,mono," || echo "no such start in the table"
}

not_measured() {
	tests/lib/script_trace.py "$work/throttled.dat" <<-'EOF'
	1000 0 0 config text='event=0 name=loads mode=sample period=100 user=1 kernel=1'
	1000 0 0 switch next_pid=7 next_comm=seven
	2000 0 7 state event=0 state=2
	5003 0 7 state event=0 state=3
	9000 0 7 switch prev_state=1
	EOF
	convert --perfetto -o - "$work/throttled.dat" | grep unmeasured | sed 's/^,//' | diff - <(cat <<-'EOF'
	{"ph":"b","cat":"unmeasured","name":"loads not measured, CPU 0","pid":20000000,"tid":20000001,"ts":1.000,"id":0}
	{"ph":"e","cat":"unmeasured","name":"loads not measured, CPU 0","pid":20000000,"tid":20000001,"ts":4.003,"id":0}
	EOF
	)
	convert --csv -o - "$work/throttled.dat" | grep unmeasured | tr -d '\r' |
		diff - <(echo unmeasured,1000,4003,0,,,,,loads,,throttled,,,,,,,)
}

# What reads the files refuses what is not UTF-8.
strange_names() {
	local long
	long=$(printf '\303\244%.0s' {1..120})
	tests/lib/script_trace.py "$work/strange.dat" <<-EOF
	1000 0 0 switch next_pid=7 next_comm=seven
	2000 0 7 marker buf='B|7|x"\x$(printf '\377\303')y'
	3000 0 7 marker buf='C|7|$long|1'
	4000 0 7 marker buf='E|7'
	EOF
	convert --perfetto -o "$work/strange.json" "$work/strange.dat" >/dev/null
	convert --csv -o "$work/strange.csv" "$work/strange.dat" >/dev/null
	/usr/bin/python3 -B - "$work"/strange.{json,csv} "$long" <<-'EOF'
	import csv, json, sys
	events = json.load(open(sys.argv[1], encoding="utf-8"))["traceEvents"]
	rows = list(csv.DictReader(open(sys.argv[2], newline="", encoding="utf-8")))
	for kind, category, wanted in (("span", "work", 'x"\\x\ufffd\ufffdy'), ("counter", "counter", sys.argv[3])):
	    for found in ([row["name"] for row in rows if row["kind"] == kind],
	                  [event["name"].split(", ")[0] for event in events if event["cat"] == category]):
	        if found != [wanted]:
	            print(f"{kind} {found}, not {wanted!r}")
	EOF
}

default_names() {
	cp "$work/made.dat" "$work/x.dat"
	convert --perfetto "$work/x.dat" | grep -q "^$work/x.json: [0-9.]* KiB, 20 events of $work/x.dat\$" ||
		echo "--perfetto does not tell what it wrote"
	convert --csv "$work/x.dat" >/dev/null
	diff <(sed "s/x\.dat/made.dat/" "$work/x.json") "$work/made.json"
	cmp <(convert --csv -o - "$work/x.dat") "$work/x.csv"
}

# From the middle of a slice and of spans, to the middle of others; a count cannot be cut.
part() {
	convert --csv --from +2600ns --to 0.000008 -o - "$work/made.dat" | tr -d '\r' |
		sed "1d; s,$work/,," | diff - <(cat <<-'EOF'
	trace,0,4400,,,,,,made.dat,3600,mono,,,,,,,
	slice,0,2400,0,100,100,"a ""b"", c",1,,,sleeping,,,,,,,
	slice,2400,4400,0,50,,other,0,,,running,,,,,,,
	slice,2900,4400,1,101,,two,0,,,running,,,,,,,
	state,0,2400,0,100,100,"a ""b"", c",1,,,running,,,,,,,
	state,2400,3400,0,100,100,"a ""b"", c",1,,,sleeping,,,,,,,
	state,3400,4400,0,100,100,"a ""b"", c",1,,,runnable,,,,,,,
	span,0,4400,,100,100,"a ""b"", c",1,outer,-7,"work, no end",0,,,,,,
	span,0,401,,100,100,"a ""b"", c",1,"inner <""\,",,work,1,,,,,,
	span,403,4400,,100,100,"a ""b"", c",1,stand,,"wait, no end",1,,,,,,
	mark,1,1,,100,100,"a ""b"", c",1,here,3,,,,,,,,
	counter,101,101,,100,100,"a ""b"", c",1,depth,9007199254740993,,,,,,,,
	state,2400,2900,1,101,,two,0,,,runnable,,,,,,,
	state,2900,4400,1,101,,two,0,,,running,,,,,,,
	state,2400,4400,0,50,,other,0,,,running,,,,,,,
	wakeup,2400,2900,1,101,,two,0,,,,,,100,,,,
	wakeup,3400,,,100,100,"a ""b"", c",1,,,,,,50,,,,
	sample,200,200,0,100,100,"a ""b"", c",1,l1_cache_miss,100,user,,,,0x401136,0x7ffe10,230,
	sample,300,300,0,100,100,"a ""b"", c",1,l1_cache_miss,100,kernel,,,,,,,
	EOF
	)
	convert --csv --from +0 --to +1s -o - "$work/made.dat" | grep -v '^trace' >"$work/all.csv"
	grep -v '^trace' "$work/made.csv" | diff - "$work/all.csv"
}

# Exit status 1, one line on stderr, and the old file stays.
bad_input() {	# WORD ARGUMENT...
	local word=$1 status=0
	shift
	echo old >"$work/old"
	"$annot" convert "$@" >"$work/out" 2>"$work/err" || status=$?
	[ $status -eq 1 ] || echo "exit status $status, not 1"
	[ ! -s "$work/out" ] || echo "something on stdout"
	[ "$(wc -l <"$work/err")" -eq 1 ] && grep -qF -- "$word" "$work/err" ||
		echo "not one line with $word: $(cat "$work/err")"
	[ "$(cat "$work/old")" = old ] || echo "the old file is gone"
}

recorded() {	# NAME TRACE
	local text=()
	"$annot" report --json "$2" >"$work/report.json"
	convert --perfetto -o "$work/trace.json" "$2" >/dev/null
	convert --csv -o "$work/trace.csv" "$2" >/dev/null
	if command -v trace-cmd >/dev/null; then
		trace-cmd report -t -l -i "$2" >"$work/text" 2>/dev/null
		text=("$work/text")
	else
		echo "ok - $1: as trace-cmd has it # SKIP no trace-cmd"
	fi
	tests/unit/convert/check_convert.py "$1" "$work"/trace.{json,csv} "$work/report.json" \
		"tests/data/$1.truth.json" "${text[@]}"
}

make_trace 1000 "$work/made.dat"
convert --perfetto -o "$work/made.json" "$work/made.dat" >/dev/null
check "messages are flows" messages
check "a table, to the letter" table
check "slices and flows, to the letter" slices_and_flows
check "spans, marks and counters, to the letter" spans_and_marks
check "states, to the letter" states
check "what was measured, to the letter" counters
check "what was not measured" not_measured
check "counters of sockets, to the letter" uncore
check "a clock that has run for long" large_start
check "names that are not UTF-8, and long ones" strange_names
check "the default is the trace's name" default_names
check "a part of it, to the letter" part
check "a part behind its end" bad_input "--from '+2ms': the trace ends at 0.001001009" \
	--csv --from +2ms -o "$work/old" "$work/made.dat"
check "a part before it begins" bad_input "--to '0.000000999': the trace begins at 0.000001000" \
	--csv --to 0.000000999 -o "$work/old" "$work/made.dat"
check "no time between two" bad_input "--from '+10ns' is not before --to '0.000001010'" \
	--csv --from +10ns --to 0.000001010 -o "$work/old" "$work/made.dat"
for target in --perfetto --csv; do
	head -c 300 "$work/made.dat" >"$work/cut.dat"
	check "$target of a file that is no trace" bad_input "$work/script" $target -o "$work/old" "$work/script"
	check "$target of one cut short" bad_input "$work/cut.dat" $target -o "$work/old" "$work/cut.dat"
	check "$target onto a full disk" bad_input "/dev/full: cannot be written" $target -o /dev/full "$work/made.dat"
done
recorded made "$work/made.dat"
for trace in tests/data/*.dat; do
	recorded "$(basename "$trace" .dat)" "$trace"
done
PYTHONPATH=tests/browser /usr/bin/python3 -B -c "
import scene, sys
scene.save(sys.argv[1])" "$work/scene.dat"
recorded scene "$work/scene.dat"
