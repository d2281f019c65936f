#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# The fields of blocks of memory in annot samples, by the calls that allocated them: of programs that are compiled here and say themselves
# what is where; and what annot report makes of these. TAP.
set -uo pipefail

cd "$(dirname "$0")/../../.." || exit
CC=${CC:-cc}
CXX=${CXX:-c++}
# shellcheck source=tests/unit/symbols/fields.bash
. tests/unit/symbols/fields.bash
# shellcheck source=tests/unit/symbols/blocks.bash
. tests/unit/symbols/blocks.bash

# The name is that of the function and its offset, with where the datum is in the block.
without_debug() {
	allocate without blocks_program.c "$CC" -g0 -O2
	trace_blocks without
	"$annot" samples --columns data "$work/trace.dat" 2>"$work/err" | sed -E '1d; s/ +$//' |
		grep -vE '^heap_[a-z_]+\+0x[0-9a-f]+\+0x[0-9a-f]+$'
	silent
}

# Another program at the path than that which was recorded: that is said, and it has no fields.
other_program() {
	allocate other blocks_program.c "$CC" -g -O2
	trace_blocks other
	cp "$work/without/program" "$work/other/program"
	"$annot" samples --columns data "$work/trace.dat" 2>"$work/err" | sed -n '/\.[a-z]*$/p'
	sed '/\/other\/program: is not the file that was recorded/d' "$work/err"
	[ -s "$work/err" ] || echo "it is not said"
}

# Of the 40 bytes of each cell, 12 are loaded: in 5 lines 8 cells lie, so that a line has 8 * 12 / 5 of these. It is of no file.
use_of_lines() {
	local call block i
	allocate used blocks_program.c "$CC" -g -O2
	read -r _ call _ block <<<"$(grep -m 1 '^block' "$work/used/said")"
	{
		sed -n '/^map/p' "$work/used/said"
		echo "block $call $((40 * 200)) $((block & ~63))"
		for i in $(seq 0 199); do
			echo "datum - $(((block & ~63) + i * 40))"
			echo "datum - $(((block & ~63) + i * 40 + 32))"
		done
	} >"$work/used/story"
	mv "$work/used/story" "$work/used/said"
	trace_blocks used memory_loads
	"$annot" report --json "$work/trace.dat" >"$work/json" 2>"$work/err"
	python3 - "$work/json" <<-'EOF'
	import json, sys
	with open(sys.argv[1], encoding="utf-8") as file:
	    rows = json.load(file)["data_objects"]["lines"]
	told = [(row["array"].rsplit(":")[0], row["file"], row["element_bytes"], row["used_bytes"], row["fields"], row["samples"])
	        for row in rows]
	if told != [("heap array blocks_program.c", None, 40, 12, ".inner.hits 50 %, .x 50 %", 400)]:
	    print(told)
	elif abs(rows[0]["used_line_bytes"] - 8 * 12 / 5) > 0.01:
	    print(rows[0]["used_line_bytes"])
	EOF
	silent
}

# Two threads write to two cells in one line.
shared_story() {
	local block
	block=$(awk '/^block/ { print $4; exit }' "$work/used/said")
	$here/symbols_trace.py "$work/used/said" | sed "s/name=miss /name=l1_cache_miss /" |
		$here/blocks_trace.py "$work/used/said" "$work/used/program" | sed '/ sample /d; $d'
	share_line 2000000 $((block)) $((block + 40))
}

false_sharing() {
	shared_story | tests/lib/script_trace.py "$work/trace.dat"
	"$annot" report "$work/trace.dat" 2>"$work/err" | tr -s '\n ' ' ' >"$work/told"
	silent
	grep -Eq 'falsely, at (heap array blocks_program.c:[0-9]+)\+0x0, with \1\[0\].x \(written by prog\) and \1\[1\].x \(written by other\)' \
		"$work/told" || cat "$work/told"
}

check "a program in C" blocks c blocks_program.c "$CC" -g -O2
check "one in C++" blocks cpp blocks_cpp.cc "$CXX" -g -O2
check "without optimisation" blocks c0 blocks_program.c "$CC" -g -O0 -DPLAIN
check "no debug information" without_debug
check "not the program that was recorded" other_program
check "how much of a line is used" use_of_lines
check "a line that threads share" false_sharing
exit $failed
