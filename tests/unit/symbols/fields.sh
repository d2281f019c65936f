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

check "a program in C" built c fields_program.c "$CC" -g
check "one in C++" built cpp fields_cpp.cc "$CXX" -g
check "one at a fixed address" built fixed fields_program.c "$CC" -g -no-pie -fno-pie
check "debug information in a file of its own" separate_debug
check "no debug information" without_debug
check "types that cannot be" damaged_types
exit $failed
