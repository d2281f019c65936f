#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# The fields of variables in annot samples: of programs that are compiled here and say themselves what is where, with
# debug information and without. TAP.
set -uo pipefail

cd "$(dirname "$0")/../../.." || exit
CC=${CC:-cc}
CXX=${CXX:-c++}
# shellcheck source=tests/unit/symbols/fields.bash
. tests/unit/symbols/fields.bash

separate_debug() {
	build separate fields_program.c "$CC" -g
	(
		cd "$work/separate" || exit
		objcopy --only-keep-debug program program.debug
		objcopy --strip-debug --add-gnu-debuglink=program.debug program
	)
	named separate
	rm "$work/separate/program.debug"
	by_offset separate
}

# As the names of variables, with where the fields are in them.
by_offset() {	# DIRECTORY
	local names
	trace "$1"
	names=$(told | cut -d ' ' -f 2)
	grep -v '^[a-z_.]*+0x[0-9a-f]*$' <<<"$names"
	for name in point+0x2 counters+0x10 counters+0x14 matrix+0x5c total+0x0 total+0x5; do
		grep -qxF $name <<<"$names" || echo "no $name: $names"
	done
	silent
}

without_debug() {
	build without fields_program.c "$CC" -g0
	by_offset without
}

# What no compiler makes must neither be believed nor take long.
damaged_types() {
	mkdir -p "$work/damaged"
	"$CC" -g0 -Wl,--build-id -o "$work/damaged/program" $here/fields_damaged.c $here/fields_damaged.S &&
		"$work/damaged/program" >"$work/damaged/said"
	named damaged
}

# Where it begins.
address_of() {	# DIRECTORY NAME
	said "$1" | awk -v name="$2" '$2 == name { print $1; exit }'
}

# Two threads write to two elements of an array in one cache line.
shared_story() {	# DIRECTORY
	$here/symbols_trace.py "$work/$1/said" | sed 's/name=miss /name=l1_cache_miss /; / sample /d; $d'
	share_line 3000 "0x$(address_of "$1" 'counters[0].hits')" "0x$(address_of "$1" 'counters[1].hits')"
}

shared() {	# DIRECTORY
	shared_story "$1" | tests/lib/script_trace.py "$work/trace.dat"
	"$annot" report --json --show false_sharing "$work/trace.dat" >"$work/shared.json" 2>"$work/err"
	silent
	python3 - "$work/shared.json" <<-'EOF'
	import json, sys
	with open(sys.argv[1], encoding="utf-8") as file:
	    report = json.load(file)
	for finding in report["findings"]:
	    if finding["kind"] == "false-sharing":
	        print(finding["text"].split(": they")[0].split(" falsely, ")[1])
	for row in report["false_sharing"]["accesses"]:
	    print(row["symbol"], row["field"], row["comm"], row["samples"], row["stores"])
	EOF
}

false_sharing() {
	shared c | diff - <(cat <<-'EOF'
	at counters+0x0, with counters[0].hits (written by prog) and counters[1].hits (written by other)
	counters counters[0].hits prog 20 20
	counters counters[1].hits other 20 20
	EOF
	)
	shared without | diff - <(cat <<-'EOF'
	at counters+0x0
	counters None prog 20 20
	counters None other 20 20
	EOF
	)
}

# An instruction walks down a column of a table.
conflicting_story() {	# DIRECTORY
	local first i
	first=0x$(address_of "$1" 'table[0][1].value')
	$here/symbols_trace.py "$work/$1/said" | sed 's/name=miss /name=l1_cache_miss precise=2 /; / sample /d; $d'
	echo "3000 0 100 marker buf='annot|cpu|0|0|0|0|1d:32768:64:8:64:0'"
	for i in $(seq 160); do
		echo "$((4000 + i * 10)) 0 100 sample period=1000 ip=0x1000 has=0x11 addr=$((first + i % 16 * 4096))"
	done
	echo "9000 0 100 switch prev_state=1"
}

conflicting() {	# DIRECTORY TEXT
	conflicting_story "$1" | tests/lib/script_trace.py "$work/trace.dat"
	"$annot" report "$work/trace.dat" 2>"$work/err" | tr -s '\n ' ' ' >"$work/told"
	silent
	grep -qF "misses, in $2)" "$work/told" || cat "$work/told"
}

set_conflicts() {
	conflicting c 'table[][].value'
	conflicting without table
}

check "a program in C" built c fields_program.c "$CC" -g
check "one in C++" built cpp fields_cpp.cc "$CXX" -g
check "one at a fixed address" built fixed fields_program.c "$CC" -g -no-pie -fno-pie
check "debug information in a file of its own" separate_debug
check "no debug information" without_debug
check "types that cannot be" damaged_types
check "a line that threads share" false_sharing
check "fields whose lines compete for one set" set_conflicts
exit $failed
