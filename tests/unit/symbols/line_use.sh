#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# How much of each line arrays of structures use, in annot report: of a program that is compiled here and says itself what it accesses. TAP.
set -uo pipefail

cd "$(dirname "$0")/../../.." || exit
CC=${CC:-cc}
# shellcheck source=tests/unit/symbols/fields.bash
. tests/unit/symbols/fields.bash

"$CC" -g -O1 -Wl,--build-id -o "$work/program" $here/line_use_program.c && "$work/program" >"$work/said" || exit

told() {	# EVENT ACCESSES
	$here/symbols_trace.py "$work/said" | sed "s/name=miss /name=$1 /" | tests/lib/script_trace.py "$work/trace.dat"
	"$annot" report --json "$work/trace.dat" >"$work/json" 2>"$work/err" || echo "no report"
	$here/line_use.py "$work/said" "$work/json" "$2"
	silent
}

# Of misses, those of fields that stand behind others of their line are missing.
of_misses() { told l1_cache_miss none; }

without_types() {
	cp "$work/program" "$work/whole"
	objcopy --strip-debug "$work/program"
	told memory_loads none
	mv "$work/whole" "$work/program"
}

text() {
	told memory_loads loads
	"$annot" report --show data_objects "$work/trace.dat" >"$work/text"
	grep -Eq '^ +fours +32 +16 +32.0 +.a 80 %, .c 20 % +loads +500 +0.600$' "$work/text" || cat "$work/text"
}

check "loads" told memory_loads loads
check "stores, by the CPU's name" told MEM_INST_RETIRED:ALL_STORES stores
check "misses: no row" of_misses
check "without debug information: no row" without_types
check "text" text
exit $failed
