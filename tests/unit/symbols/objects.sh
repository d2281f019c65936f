#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# annot report --by object: whose data samples accessed. Of objects that programs name, what is made up is known; of a
# program that is compiled here, it says itself where its variables, heap, stack and files are. TAP.
set -uo pipefail

cd "$(dirname "$0")/../../.." || exit
annot=${ANNOT:-build/annot}
CC=${CC:-cc}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
unset DEBUGINFOD_URLS

# shellcheck source=tests/lib/tap.sh
. tests/lib/tap.sh
output_is_failure=true

object() {	# NANOSECOND CPU TID TGID NAME BYTES ADDRESS
	echo "$1 $2 $3 marker buf='I|$4|@object_bytes|$6'"
	echo "$1 $2 $3 marker buf='I|$4|@object $5|$(($7))'"
}

object_end() {	# NANOSECOND CPU TID TGID ADDRESS
	echo "$1 $2 $3 marker buf='I|$4|@object_end|$(($5))'"
}

sample() {	# NANOSECOND CPU TID ADDRESS [WEIGHT]
	echo "$1 $2 $3 sample period=100 has=$((0x11 + (${5:+2}+0))) addr=$4 weight=${5:-0}"
}

# Threads 100 and 101 of process 100 on CPUs 0 and 1; process 200 on CPU 2.
story() {
	cat <<-'EOF_STORY'
	0 0 0 config text='event=0 name=miss mode=sample period=100 user=1'
	0 0 0 switch next_pid=100 next_comm=pe0
	10 0 100 marker buf='annot|session'
	20 0 100 fork pid=101 comm=pe1 clone_flags=0x10000
	30 0 100 fork pid=200 comm=other clone_flags=0
	40 1 0 switch next_pid=101 next_comm=pe1
	40 2 0 switch next_pid=200 next_comm=other
	EOF_STORY
	sample 90 0 100 0x10000000 # before it is named
	object 100 0 100 100 grid 4096 0x10000000
	sample 110 0 100 0x10000000 20
	sample 111 1 101 0x10000fff 40
	sample 112 0 100 0x10001000 # one byte behind
	sample 113 0 100 0x0fffffff # and one before
	sample 114 2 200 0x10000000 # of another process
	# Within it another one, which another thread ends; and one that reaches over its end.
	object 200 0 100 100 "a cell" 256 0x10000100
	sample 210 0 100 0x10000100
	sample 211 0 100 0x100001ff
	sample 212 0 100 0x10000200
	object_end 220 1 101 100 0x10000100
	sample 230 0 100 0x10000100
	object 240 0 100 100 tail 256 0x10000f80
	sample 250 0 100 0x10000fff
	sample 251 0 100 0x1000107f
	object_end 260 0 100 100 0x10000f80
	# The same address again; an end of what does not begin there is none.
	object 300 0 100 100 again 64 0x10000000
	object_end 301 0 100 100 0x10000040
	sample 310 0 100 0x10000000
	sample 311 0 100 0x10000040 # the grid is no more
	# Sizes that are missing, wrong, or of an object before.
	echo "320 0 100 marker buf='I|100|@object sizeless|$((0x20000000))'"
	echo "321 0 100 marker buf='I|100|@object_bytes|64'"
	echo "322 0 100 marker buf='I|100|@object first|$((0x30000000))'"
	echo "323 0 100 marker buf='I|100|@object second|$((0x20000000))'"
	object 324 0 100 100 endless -1 0x20000000
	sample 330 0 100 0x20000000
	sample 331 0 100 0x30000000
	# A child has its parent's, until an exec.
	echo "400 0 100 fork pid=300 comm=child clone_flags=0"
	echo "401 3 0 switch next_pid=300 next_comm=child"
	sample 410 3 300 0x30000000
	object_end 420 3 300 300 0x30000000
	sample 430 3 300 0x30000000
	sample 431 0 100 0x30000000
	sample 440 3 300 0x10000000
	echo "450 3 300 exec filename=/child pid=300 old_pid=300"
	sample 460 3 300 0x10000000
	sample 461 0 100 0x10000000
	# Spans, and a sample without an address.
	echo "500 0 100 marker buf='B|100|solve'"
	sample 510 0 100 0x10000000
	echo "511 0 100 sample period=100 has=0x10 ip=0x401000"
	echo "520 0 100 marker buf='E|100'"
	echo "600 0 100 switch prev_state=1"
}

rows() {
	"$annot" report --by object --csv "$work/trace.dat" | tr -d '\r' | cut -d , -f 2-8,13-14 | LC_ALL=C sort
}

named() {	# OPTION...
	story | sort -sn -k 1,1 | tests/lib/script_trace.py "$@" "$work/trace.dat"
	diff <(rows) - <<-'EOF_STORY'
	(no address),-,-,solve,pe0,100,1,,
	[unknown],unknown,-,(no task),child,300,2,,
	[unknown],unknown,-,(no task),other,200,1,,
	[unknown],unknown,-,(no task),pe0,100,5,,
	a cell,object,-,(no task),pe0,100,2,,1
	again,object,-,(no task),child,300,1,,2
	again,object,-,(no task),pe0,100,2,,2
	again,object,-,solve,pe0,100,1,,2
	first,object,-,(no task),child,300,1,,2
	first,object,-,(no task),pe0,100,2,,2
	grid,object,-,(no task),pe0,100,3,20,2
	grid,object,-,(no task),pe1,101,1,40,2
	object,kind,file,task,thread,tid,samples,latency_cycles,threads
	tail,object,-,(no task),pe0,100,2,,1
	EOF_STORY
}

text() {
	diff <("$annot" report --by object "$work/trace.dat" | grep -A 2 ' pe1 ' | head -n 1) - <<-'EOF_STORY'
	  4.2%     100    456%        1    40.0       2  grid         object  -    (no task) pe1    101
	EOF_STORY
	"$annot" report --by object "$work/trace.dat" | awk 'length($0) > 100 { print "too long: " $0 }'
}

in_pages() {
	cat <<-'EOF_PAGES'
	5 0 9 marker buf='annot|cpu|0|0|0|0|'
	6 0 9 marker buf='annot|data|100|1000|1000|0||0|[heap]'
	105 0 9 marker buf='annot|pages|100|10000000|400000|4096|0|4096|2097152|0'
	EOF_PAGES
}

# Of a call's small blocks one in 2 is told: those of 6 lines.
small_blocks() {
	local i
	for i in $(seq 0 5); do
		object "56$i" 0 100 100 "heap~2 make_node list.c:12" 48 $((0x40000000 + i * 128))
		sample "57$i" 0 100 $((0x40000010 + i * 128))
	done
}

json() {
	"$annot" report --by object --json-schema >"$work/schema"
	"$annot" report --by object --json "$work/trace.dat" >"$work/rows.json"
	# The same of IBS, whose samples tell that they found their data in L2; and it is told in which pages they are.
	{ story && in_pages && small_blocks; } | sort -sn -k 1,1 | sed "s/user=1'/user=1 pmu=ibs_op'/; s/has=\(17\|19\) /has=23 data_src=1090 /" |
		tests/lib/script_trace.py "$work/missed.dat"
	"$annot" report --by object --json "$work/missed.dat" >"$work/missed.json"
	tests/unit/report/schema/json_schema.py "$work/schema" "$work/rows.json" "$work/missed.json" | sed "/^ok/d"
}

# The analysis has the same rows: by object, and by who accessed them.
analysed() {
	local tables
	"$annot" report --by object --csv "$1" | tr -d '\r' >"$work/rows.csv"
	"$annot" report --json "$1" >"$work/report.json"
	tables=$(tests/unit/symbols/data_objects.py "$work/report.json" "$work/rows.csv")
	[ "$tables" = "$2" ] || echo "$tables"
}

# Where names are not to be looked up, and where no sample has an address, that is said.
without_addresses() {
	{
		echo "0 0 0 config text='event=0 name=miss mode=sample period=100 user=1'"
		echo "0 0 0 switch next_pid=100 next_comm=pe0"
		echo "10 0 100 marker buf='annot|session'"
		echo "20 0 100 sample period=100 has=0x10 ip=0x401000"
		echo "600 0 100 switch prev_state=1"
	} | tests/lib/script_trace.py "$work/without.dat"
	"$annot" report --show data_objects "$work/without.dat" | grep -q '^Not computed: no sample of the session tells' ||
		"$annot" report --show data_objects "$work/without.dat"
}

# They are notes, not marks.
not_shown() {
	"$annot" convert --csv "$work/trace.dat" | sed -n '/@object/p'
	"$annot" report --json "$work/trace.dat" | sed -n '/@object/p'
}

# Two threads write to different words of one line of an object, whose name the finding tells.
shared() {
	local i
	{
		echo "0 0 0 config text='event=0 name=memory_stores:u mode=sample period=1000 user=1 precise=2'"
		echo "0 0 0 config text='event=1 name=l1_cache_miss:u mode=sample period=1000 user=1 precise=2'"
		echo "0 0 0 switch next_pid=100 next_comm=pe0"
		echo "10 0 100 marker buf='annot|session'"
		echo "20 0 100 fork pid=101 comm=pe1 clone_flags=0x10000"
		echo "30 1 0 switch next_pid=101 next_comm=pe1"
		object 40 0 100 100 counters 256 0x10000020
		for i in $(seq 20); do
			echo "$((1600 + i * 10)) 0 100 sample period=1000 has=0x11 addr=0x10000048"
			echo "$((1602 + i * 10)) 0 100 sample event=1 period=1000 has=0x11 addr=0x10000048"
			echo "$((1605 + i * 10)) 1 101 sample period=1000 has=0x11 addr=0x10000050"
			echo "$((1607 + i * 10)) 1 101 sample event=1 period=1000 has=0x11 addr=0x10000050"
		done
		echo "9000 0 100 switch prev_state=1"
		echo "9000 1 101 switch prev_state=1"
	} | tests/lib/script_trace.py "$work/shared.dat"
	"$annot" report --json --show false_sharing "$work/shared.dat" >"$work/shared.json"
	grep -q 'falsely, at counters+0x20: ' "$work/shared.json" || cat "$work/shared.json"
	grep -A 3 '"address": "0x10000040"' "$work/shared.json" | tr -d '\t\n' |
		grep -qF '"symbol": "counters","object": null' || cat "$work/shared.json"
}

# An instruction walks through 16 lines of one set, most of them in one object.
conflicting() {
	local i
	{
		echo "0 0 0 config text='event=0 name=l1_cache_miss mode=sample period=1000 user=1 precise=2'"
		echo "0 0 0 switch next_pid=100 next_comm=pe0"
		echo "10 0 100 marker buf='annot|session'"
		echo "11 0 100 marker buf='annot|cpu|0|0|0|0|1d:32768:64:8:64:0'"
		object 40 0 100 100 rows $((12 * 4096)) 0x10000000
		object 50 0 100 100 columns $((4 * 4096)) $((0x10000000 + 12 * 4096))
		for i in $(seq 160); do
			echo "$((1600 + i * 10)) 0 100 sample period=1000 ip=0x401000 has=0x11 addr=$((0x10000000 + i % 16 * 4096))"
		done
		echo "9000 0 100 switch prev_state=1"
	} | tests/lib/script_trace.py "$work/conflicting.dat"
	"$annot" report "$work/conflicting.dat" | tr -s '\n ' ' ' >"$work/told"
	grep -qF 'misses, in rows, columns)' "$work/told" || cat "$work/told"
}

check "named objects" named
check "named objects, a big-endian machine" named -m big,8,7
check "text" text
check "the analysis of objects" analysed "$work/trace.dat" "6 objects, 12 users"
check "no addresses: said" without_addresses
check "JSON fits its schema" json
check "objects are no marks" not_shown
check "a line of an object that threads share" shared
check "objects whose lines compete for one set" conflicting
exit $failed
