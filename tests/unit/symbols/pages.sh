#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# annot report --by object: in which pages data lies, as lines in a made-up trace tell it; and lines that must change
# nothing: of other processes than annot record, damaged ones, those of before an exec. TAP.
set -uo pipefail

cd "$(dirname "$0")/../../.." || exit
annot=${ANNOT:-build/annot}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
unset DEBUGINFOD_URLS

# shellcheck source=tests/lib/tap.sh
. tests/lib/tap.sh
output_is_failure=true
mib=1048576

object() {	# NANOSECOND TID NAME BYTES ADDRESS
	echo "$1 0 $2 marker buf='I|$2|@object_bytes|$4'"
	echo "$1 0 $2 marker buf='I|$2|@object $3|$(($5))'"
}

samples() {	# NANOSECOND TID ADDRESS [NUMBER]
	local i
	for i in $(seq "${4:-1}"); do
		echo "$(($1 + i - 1)) 0 $2 sample period=100 has=0x11 addr=$3"
	done
}

pages() {	# NANOSECOND WRITER TGID START(hexadecimal) LENGTH RESIDENT HUGE [PAGE [HUGE PAGE]]
	echo "$1 0 $2 marker buf='annot|pages|$3|$4|$(printf %x $(($5)))|$(($6))|$(($7))|${8:-4096}|${9:-2097152}|0'"
}

reading() {	# NANOSECOND WRITER TGID [AGO]: the end of one
	echo "$1 0 $2 marker buf='annot|pages|$3|0|0|0|0|4096|4096|${4:-0}'"
}

change() {	# as pages: a reading that tells only this
	pages "$@"
	reading "$1" "$2" "$3"
}

# annot record is thread 9. Processes 100 and 200 have the same addresses.
begin() {
	cat <<-'EOF_STORY'
	0 0 0 config text='event=0 name=miss mode=sample period=100 user=1'
	1 0 9 marker buf='annot|cpu|0|0|0|0|'
	2 0 9 marker buf='annot|data|100|1000|1000|0||0|[heap]'
	3 0 9 marker buf='annot|data|200|1000|1000|0||0|[heap]'
	10 0 0 switch next_pid=100 next_comm=program
	11 0 100 marker buf='annot|session'
	12 0 100 fork pid=200 comm=other clone_flags=0
	EOF_STORY
	object 20 100 all $((4 * mib)) 0x10000000
	object 20 100 none $((4 * mib)) 0x20000000
	object 20 100 half $((4 * mib)) 0x30000000
	object 20 100 giant $((4 * mib)) 0x80000000
	object 20 100 gone $((4 * mib)) 0x50000000
	object 20 100 untold $((4 * mib)) 0x60000000
}

end() { echo "900 0 100 switch prev_state=1"; }

# Its lines are written one after the other.
first_reading() {	# NANOSECOND WRITER TGID
	pages $(($1 + 1)) "$2" "$3" 10000000 "4 * mib" "4 * mib" "4 * mib"
	pages $(($1 + 2)) "$2" "$3" 20000000 "4 * mib" "4 * mib" 0
	pages $(($1 + 3)) "$2" "$3" 30000000 "8 * mib" "4 * mib" "2 * mib"
	pages $(($1 + 4)) "$2" "$3" 80000000 1073741824 1073741824 1073741824 1073741824 1073741824
	pages $(($1 + 5)) "$2" "$3" 50000000 "4 * mib" "4 * mib" "4 * mib"
	reading $(($1 + 6)) "$2" "$3" 6
}

rows() {	# object, share, page size
	tests/lib/script_trace.py "$work/trace.dat" >"$work/err" 2>&1 || cat "$work/err"
	"$annot" report --by object --csv "$work/trace.dat" | tr -d '\r' |
		awk -F , 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i }
			{ print $at["object"], $at["samples"], $at["huge_share"] "," $at["page_kib"] }' | LC_ALL=C sort
}

same() {	# ROWS
	local told
	told=$(rows)
	diff <(grep -v '^object samples' <<<"$told") - <<<"$1"
}

each_object() {
	for address in 0x10000000 0x20000000 0x30000000 0x80000000 0x50000000 0x60000000; do
		samples "$1" "${2:-100}" $address
	done
}

each_once() {
	begin
	first_reading 100 9 100
	each_object 200
	end
}

told() {
	each_once | same "$(cat <<-'EOF_ROWS'
	all 1 1,2048
	giant 1 1,1048576
	gone 1 1,2048
	half 1 0.5,2048
	none 1 0,4
	untold 1 ,
	EOF_ROWS
	)"
}

# What counts is the first reading after the sample; of the last ones, the last reading.
changes() {
	{
		begin
		samples 90 100 0x10000000
		samples 91 100 0x80000000
		first_reading 100 9 100
		samples 110 100 0x10000000
		reading 120 9 100
		samples 130 100 0x20000000 2
		change 140 9 100 20000000 "4 * mib" "4 * mib" "4 * mib"
		samples 150 100 0x20000000 2
		samples 155 100 0x50000000 2
		change 160 9 100 50000000 "4 * mib" 0 0 4096 4096
		samples 170 100 0x50000000 2
		samples 180 100 0x30000000
		change 190 9 100 30000000 "2 * mib" "2 * mib" 0
		samples 195 100 0x30200000
		end
	} | same "$(cat <<-'EOF_ROWS'
	all 2 1,2048
	giant 1 1,1048576
	gone 4 ,
	half 2 0,4
	none 4 1,2048
	EOF_ROWS
	)"
}

# A reading that tells nothing new ends the time before it.
ends() {
	{
		begin
		first_reading 100 9 100
		samples 110 100 0x20000000
		reading 120 9 100
		change 140 9 100 20000000 "4 * mib" "4 * mib" "4 * mib"
		end
	} | same "none 1 0,4"
}

# Another process, the child of a fork, the program after an exec: nothing was read of them.
of_others() {
	{
		begin
		first_reading 100 9 100
		echo "150 0 100 switch next_pid=200 next_comm=other prev_state=0"
		object 160 200 child $((4 * mib)) 0x10000000
		samples 170 200 0x10000000
		echo "180 0 200 switch next_pid=100 next_comm=program prev_state=1"
		echo "200 0 100 exec filename=/next pid=100 old_pid=100"
		object 210 100 after $((4 * mib)) 0x10000000
		samples 220 100 0x10000000
		end
	} | same "$(printf 'after 1 ,\nchild 1 ,')"
}

told_again() {
	{
		begin
		samples 110 100 0x10000000
		echo "200 0 100 exec filename=/next pid=100 old_pid=100"
		object 210 100 after $((4 * mib)) 0x10000000
		samples 220 100 0x10000000
		change 230 9 100 10000000 "4 * mib" "4 * mib" 0
		end
	} | same "$(printf 'after 1 0,4\nall 1 ,')"
}

# Each of these says that nothing is in huge pages, or all: of its own process, of another one, and as a second recorder.
forged() {
	{
		begin
		change 50 100 200 10000000 "4 * mib" "4 * mib" "4 * mib"
		change 50 200 100 60000000 "4 * mib" "4 * mib" "4 * mib"
		first_reading 100 9 100
		echo "110 0 200 marker buf='annot|cpu|0|0|0|0|'"
		change 120 200 100 10000000 "4 * mib" "4 * mib" 0
		change 120 100 100 20000000 "4 * mib" "4 * mib" "4 * mib"
		pages 130 200 100 50000000 "4 * mib" 0 0 4096 4096
		reading 130 200 100
		each_object 200
		end
	} | same "$(cat <<-'EOF_ROWS'
	all 1 1,2048
	giant 1 1,1048576
	gone 1 1,2048
	half 1 0.5,2048
	none 1 0,4
	untold 1 ,
	EOF_ROWS
	)"
}

# Without annot record in the trace, nobody is believed.
no_recorder() {
	{
		begin | sed '/annot|cpu/d'
		first_reading 100 9 100
		first_reading 100 100 100
		samples 200 100 0x10000000
		end
	} | same "all 1 ,"
}

damaged_lines() {
	local line
	while read -r line; do
		echo "150 0 9 marker buf='annot|pages|$line'"
	done <<-'EOF_LINES'

	100
	100|10000000|400000|4194304|0|4096|2097152
	100|10000000|400000|4194304|0|4096|2097152|
	100|10000000|400000|4194304|0|4096|2097152|0|0
	0|10000000|400000|4194304|0|4096|2097152|0
	-1|10000000|400000|4194304|0|4096|2097152|0
	2147483648|10000000|400000|4194304|0|4096|2097152|0
	100|0x10000000|400000|4194304|0|4096|2097152|0
	100|fffffffffffff000|1001|4096|0|4096|2097152|0
	100|10000000|10000000000000000|4194304|0|4096|2097152|0
	100|10000000|0|0|0|4096|2097152|0
	100|10000000|400000|4194305|0|4096|2097152|0
	100|10000000|400000|18446744073709551616|0|4096|2097152|0
	100|10000000|400000|4194304|4194305|4096|2097152|0
	100|10000000|400000|4194304|-1|4096|2097152|0
	100|10000000|400000|4194304|0|0|2097152|0
	100|10000000|400000|4194304|0|4097|2097152|0
	100|10000000|400000|4194304|0|4096|0|0
	100|10000000|400000|4194304|0|4096|2097153|0
	100|10000000|400000|4194304|0|4096|2048|0
	100|10000000|400000|4194304|0|4096|2097152|151
	100|10000000|400000|4194304|0|4096|2097152|x
	EOF_LINES
	echo "150 0 9 marker buf='annot|pages|100|10000000|400000|4194304|0|4096|2097152|$(printf %0900d 0 | tr 0 9)'"
}

damaged() {
	local nr
	{
		begin
		first_reading 100 9 100
		damaged_lines
		samples 200 100 0x10000000
		end
	} | same "all 1 1,2048"
	nr=$("$annot" report --json "$work/trace.dat" | grep -o '"mappings": [0-9]*')
	[ "$nr" = "\"mappings\": $(damaged_lines | wc -l)" ] || echo "$nr"
}

# A made-up trace may tell of any number of mappings, at any place.
many() {
	{
		begin
		seq 6000 | awk '{ printf "100 0 9 marker buf='"'annot|pages|100|%x|1000|4096|0|4096|2097152|0'"'\n", 0x100000000 + 8192 * $1 }'
		pages 101 9 100 0 0xffffffffffffffff 4096 0
		pages 101 9 100 10000000 "4 * mib" "4 * mib" "4 * mib"
		samples 200 100 0x10000000
		end
	} | same "all 1 1,2048"
}

# The members of an object in a JSON file.
members() {	# OBJECT FILE
	grep -A 14 "\"object\": \"$1\"" "$2" | tr -d '\t\n '
}

expect_members() {	# OBJECT FILE TEXT
	members "$1" "$2" | grep -qF "$3" || members "$1" "$2"
}

# Of a call's small blocks one in 2 is told.
small_blocks() {
	local i
	for i in $(seq 10 16); do
		object "9$i" 100 "heap~2 make_node list.c:12" 48 $((0x90000000 + i * 128))
		samples "9$i" 100 $((0x90000000 + i * 128))
	done
}

formats() {
	each_once | tests/lib/script_trace.py "$work/trace.dat"
	# The same of IBS, whose samples tell more; and of small blocks.
	{ each_once && small_blocks; } | sed "s/user=1'/user=1 pmu=ibs_op'/; s/has=0x11 /has=23 weight=5 data_src=1090 /" |
		tests/lib/script_trace.py "$work/missed.dat"
	"$annot" report --by object "$work/trace.dat" >"$work/text"
	grep -Eq ' 1 +100%   2M +all ' "$work/text" || cat "$work/text"
	grep -Eq ' 1 +50%   2M +half ' "$work/text" || cat "$work/text"
	grep -Eq ' 1 +- +- +untold ' "$work/text" || cat "$work/text"
	awk 'length($0) > 100 { print "too long: " $0 }' "$work/text"
	"$annot" report --by object --json-schema >"$work/schema"
	"$annot" report --by object --json "$work/trace.dat" >"$work/rows.json"
	"$annot" report --by object --json "$work/missed.dat" >"$work/missed.json"
	tests/unit/report/schema/json_schema.py "$work/schema" "$work/rows.json" "$work/missed.json" | sed "/^ok/d"
	expect_members half "$work/rows.json" '"huge_share":0.5,"page_kib":2048'
	"$annot" report --json --show data_objects "$work/trace.dat" >"$work/report.json"
	expect_members half "$work/report.json" '"huge_pct":50,"page_kib":2048'
	expect_members untold "$work/report.json" '"huge_pct":null,"page_kib":null'
}

# Thread 100 walks through page tables for a third of its time in the task "walk", of 40 ms.
walker() {	# START(hexadecimal) LENGTH RESIDENT HUGE [PAGE [HUGE PAGE]], samples on standard input
	local ms
	cat <<-'EOF_WALK'
	0 0 0 config text='event=0 name=cycles mode=count user=1 kernel=1'
	0 0 0 config text='event=1 name=page_walk_cycles mode=count user=1 kernel=1'
	0 0 0 config text='event=2 name=dtlb_load_miss mode=sample period=100 user=1 precise=2'
	0 0 0 config text='event=3 name=l1_cache_miss mode=sample period=100 user=1 precise=2'
	1 0 9 marker buf='annot|cpu|0|0|0|0|'
	2 0 9 marker buf='annot|data|100|1000|1000|0||0|[heap]'
	2 0 9 marker buf='annot|data|100|70000000|400000|0||0|/data/table'
	3 0 0 switch next_pid=100 next_comm=program
	4 0 100 marker buf='annot|session'
	EOF_WALK
	object 5 100 grid $((4 * mib)) 0x10000000
	object 5 100 other $((4 * mib)) 0x20000000
	change 6 9 100 "$@"
	echo "10 0 100 begin name=walk tgid=100"
	cat
	for ms in $(seq 40); do
		echo "$ms""000000 0 100 counts counts=2000000,600000"
	done
	echo "40000000 0 100 end tgid=100"
	echo "40000000 0 100 switch prev_state=1"
}

of_event() { sed "s/ sample / sample event=$1 /"; }

# What the finding says behind the cost.
advice() {
	tests/lib/script_trace.py "$work/trace.dat" || echo "no trace"
	"$annot" report --json "$work/trace.dat" | sed -n 's/.*"text": "walk: .* page tables[^;]*\(.*\)",$/\1/p'
}

advises() {	# NUMBER ADDRESS ADVICE PAGES...
	local number=$1 address=$2 wanted=$3
	shift 3
	diff <(samples 1000 100 "$address" "$number" | of_event 2 | walker "$@" | advice | sed 's/^; //; s/,$//') <(echo "$wanted")
}

advised() {
	advises 10 0x10000000 "grid: 8 MiB, none of it in huge pages: madvise(MADV_HUGEPAGE)" 10000000 "8 * mib" "8 * mib" 0
	advises 10 0x10000000 "grid: 1.2 GiB, 25 % of it in huge pages: madvise(MADV_HUGEPAGE)" 10000000 "1280 * mib" "1280 * mib" "320 * mib"
	advises 10 0x30000000 "memory without a name: 2 MiB, none of it in huge pages: madvise(MADV_HUGEPAGE)" 30000000 \
		"4 * mib" "2 * mib" 0
}

# Where it is in huge pages, or cannot be, or is not known.
not_advised() {
	advises 10 0x10000000 "grid: 8 MiB, 100 % of it in huge pages already" 10000000 "8 * mib" "8 * mib" "8 * mib"
	advises 10 0x10000000 "grid: 8 MiB, 50 % of it in huge pages already" 10000000 "8 * mib" "8 * mib" "4 * mib"
	advises 10 0x10000000 "grid: 1 MiB, none of it in huge pages" 10000000 "8 * mib" "1 * mib" 0
	advises 10 0x10000000 "grid: 8 MiB, none of it in huge pages" 10000000 "8 * mib" "8 * mib" 0 4096 4096
	advises 10 0x70000000 "table: 4 MiB, none of it in huge pages" 70000000 "4 * mib" "4 * mib" 0
	advises 9 0x10000000 "" 10000000 "8 * mib" "8 * mib" 0
	advises 10 0x20000000 "" 10000000 "8 * mib" "8 * mib" 0
}

# Samples of misses of the TLB go before others, if there are enough.
by_misses_of_the_tlb() {	# NUMBER OF THEM
	{
		samples 1000 100 0x10000000 "$1" | of_event 2
		samples 2000 100 0x10400000 30 | of_event 3
	} | walker 10000000 "4 * mib" "4 * mib" 0 |
		sed "/annot|pages|100|10000000/{ h; s/10000000/10400000/; s/4194304|0/4194304|4194304/; x; G }" | advice
}

prefers() {
	diff <(by_misses_of_the_tlb 10) <(echo "; grid: 4 MiB, none of it in huge pages: madvise(MADV_HUGEPAGE)")
	diff <(by_misses_of_the_tlb 5) <(echo "; memory without a name: 4 MiB, 100 % of it in huge pages already")
}

check "in which pages objects lie" told
check "it changes" changes
check "a reading that tells nothing new" ends
check "another process, after a fork, after an exec" of_others
check "a reading is not of the program before" told_again
check "lines of others change nothing" forged
check "without annot record nobody is believed" no_recorder
check "damaged lines are counted and left out" damaged
check "more mappings than there are" many
check "text, JSON, schema" formats
check "page walks: huge pages are advised" advised
check "page walks: not where they are, or are of no use" not_advised
check "page walks: misses of the TLB go before others" prefers
exit $failed
