#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# SLOW
#
# Small blocks of memory of which a random sample is told: what annot report estimates of all of them. TAP.
set -uo pipefail

cd "$(dirname "$0")/../../.." || exit
annot=${ANNOT:-build/annot}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
unset DEBUGINFOD_URLS

# shellcheck source=tests/lib/tap.sh
. tests/lib/tap.sh
output_is_failure=true
here=tests/unit/symbols

# 200 calls, whose truth is known.
estimated() {
	$here/sampled_blocks.py story | tests/lib/script_trace.py "$work/trace.dat"
	"$annot" report --json "$work/trace.dat" >"$work/report.json"
	"$annot" report --by object --json "$work/trace.dat" >"$work/rows.json"
	$here/sampled_blocks.py judge "$work/report.json" "$work/rows.json" 2>"$work/seen" || cat "$work/seen"
}

# Of two calls, blocks in ten lines and in three, of which one in 64 is told; and what is in the heap without being told.
story() {
	local i place
	cat <<-'EOF_STORY'
	0 0 0 config text='event=0 name=miss mode=sample period=100 user=1'
	0 0 0 switch next_pid=100 next_comm=prog
	5 0 9 marker buf='annot|cpu|0|0|0|0|'
	6 0 9 marker buf='annot|data|100|10000000|1000000|0||0|[heap]'
	10 0 100 marker buf='annot|session'
	EOF_STORY
	for i in $(seq 13); do
		place="make_node list.c:12"
		[ "$i" -le 10 ] || place="make_tree tree.c:7"
		echo "$((i * 10 + 100)) 0 100 marker buf='I|100|@object_bytes|48'"
		echo "$((i * 10 + 101)) 0 100 marker buf='I|100|@object heap~64 $place|$((0x10000000 + i * 4096))'"
		echo "$((i * 10 + 102)) 0 100 sample period=100 has=0x11 addr=$((0x10000010 + i * 4096))"
	done
	for i in $(seq 987); do
		echo "$((i * 10 + 1000)) 0 100 sample period=100 has=0x11 addr=$((0x10000040 + i * 4096))"
	done
	echo "90000 0 100 switch prev_state=1"
}

# The interval is 64 * (10 + 1.92 -/+ 1.96 sqrt(10 + 0.96)) of 1000 samples: those of ten lines.
text() {
	story | tests/lib/script_trace.py "$work/text.dat"
	diff <("$annot" report --by object "$work/text.dat" | tail -n +3) - <<-'EOF_TEXT'
	 share   count   error  samples threads  OBJECT                     kind   file task      thread tid
	 98.7%   98700   6.44%      987       1  [heap]                     heap   -    (no task) prog   100
	  1.0%    1000   83.9%       10       1  heap~64 make_node li...:12 object -    (no task) prog   100
	  0.3%     300    192%        3       1  heap~64 make_tree tree.c:7 object -    (no task) prog   100

	Share of all small blocks of a call, of which one in N was told (heap~N), with its interval of 95 %.
	It is part of the rows above, in which the others have no name, as [heap]. -: too few lines.
	   all   from     to   lines  OBJECT                      task      thread tid
	 64.0%  34.8% 100.0%      10  heap~64 make_node list.c:12 (no task) prog   100
	     -      -      -       3  heap~64 make_tree tree.c:7  (no task) prog   100
	EOF_TEXT
	"$annot" report --by object "$work/text.dat" | awk 'length($0) > 100 { print "too long: " $0 }'
}

# What is not known is empty.
analysis() {
	diff <("$annot" report --show data_objects "$work/text.dat" | sed -n '/ALL LIKE IT/,/^$/p' | tr -s ' ' | sed 's/ $//') - <<-'EOF_TEXT'
	EVENT OBJECT KIND SHARE % SAMPLES EVENTS +/- THREADS TASKS ALL LIKE IT % FROM TO
	 miss [heap] heap 98.7 987 98700 6355 1 0
	 miss heap~64 make_node list.c:12 object 1.00 10 1000 839 1 0 64.0 34.8 100
	 miss heap~64 make_tree tree.c:7 object 0.300 3 300 577 1 0

	EOF_TEXT
}

in_csv() {
	diff <("$annot" report --by object --csv "$work/text.dat" | tr -d '\r' | cut -d , -f 2,17-) - <<-'EOF_CSV'
	object,one_of,sampled_lines,all_share,all_low,all_high
	[heap],,,,,
	heap~64 make_node list.c:12,64,10,0.64,0.347647,1
	heap~64 make_tree tree.c:7,64,3,,,
	EOF_CSV
}

check "text" text
check "the analysis" analysis
check "CSV" in_csv
check "the truth of 200 calls" estimated
exit $failed
