#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# SLOW
# TIMED
#
# annot record --attach as users call it, without a word about what the programs use: an OpenMP program of which the
# report must find what it does, by gcc and by clang, and programs of Debian. Each thread's time must add up. TAP.
# shellcheck disable=SC2154,SC2317	# record.bash assigns; checks are called by name
set -u

cd "$(dirname "$0")/../.." || exit
# shellcheck source=tests/native/record.bash
. tests/native/record.bash
unset LD_PRELOAD OMP_TOOL_LIBRARIES INTEL_LIBITTNOTIFY64 NVTX_INJECTION64_PATH KOKKOS_TOOLS_LIBS
export ANNOT_ATTACH_DIR=$here/build/libannot/attach
check_report=$here/tests/lib/check_attached.py

builds() {
	cp "$here/tests/workloads/skewed.c" .
	"${CC:-cc}" -D_GNU_SOURCE -g -O1 -fopenmp -Wall -Wextra -Werror -o skewed-gcc skewed.c &&
		clang -D_GNU_SOURCE -g -O1 -fopenmp -Wall -Wextra -Werror -o skewed-clang skewed.c &&
		"${CC:-cc}" -shared -fPIC -Wall -Wextra -Werror -o tool.so "$here/tests/unit/attach/ompt_tool.c"
}

attached() {	# OPTION COMMAND...
	local option=$1
	shift
	record 0 -q "$option" -o whole.dat -- "$@"
	[ "$option" != --attach ] || cat err
	"$annot" report --json --show all whole.dat >report.json 2>/dev/null || echo "no report"
}

skewed() {	# COMPILER
	attached --attach ./skewed-"$1" 12
	"$check_report" report.json out
}

# A tool that libomp would have loaded hears as much as alone.
beside_another_tool() {
	local alone
	export OMP_TOOL_LIBRARIES=$PWD/tool.so
	alone=$(./skewed-clang 12 | grep 'regions, ')
	attached --attach ./skewed-clang 12
	unset OMP_TOOL_LIBRARIES
	[ "${alone%% regions*}" = 13 ] || echo "alone: $alone"
	grep -qxF "$alone" out || echo "alone: $alone; attached: $(cat out)"
	grep -v 'regions, ' out >said
	"$check_report" report.json said
}

adds_up() {	# OPTION COMMAND...
	attached "$@"
	"$check_report" report.json
}

graphicsmagick() {
	gm convert -size 500x400 plasma:red-blue in.ppm || return
	adds_up --attach gm convert in.ppm -blur 0x2 -rotate 10 out.ppm
	[ -s out.ppm ] || echo "no picture"
}

# How many teams' regions, loops, and critical sections there were.
constructs() {
	jq -r '.tasks[] | select(.kind == "work") | "\(.name | split(" ")[0]) \(.count)"' report.json |
		awk '{ nr[$1] += $2 } END { for (name in nr) print name, nr[name] }' | sort
}

# No package has a program that links libomp. But libomp has libgomp's functions, and runs programs of gcc's.
graphicsmagick_on_libomp() {
	local by_libgomp libomp
	graphicsmagick
	by_libgomp=$(constructs)
	libomp=$(clang -print-file-name=libomp.so.5) || return
	export LD_PRELOAD=$libomp
	graphicsmagick
	"$annot" attach --list gm >fronts
	unset LD_PRELOAD
	grep -q '^openmp  *ompt  *yes ' fronts && grep -q '^openmp  *gomp  *no ' fronts || cat fronts
	[ -n "$by_libgomp" ] && [ "$(constructs)" = "$by_libgomp" ] ||
		printf 'by libgomp:\n%s\nby libomp:\n%s\n' "$by_libgomp" "$(constructs)"
}

compressor() {
	awk 'BEGIN { srand(7); for (i = 0; i < 300000; i++) print i, int(rand() * (i % 9973)) }' >input
	# The waits are in a library of the system's, which alone is no reason to attach.
	adds_up --attach=pthread xz -T2 -1 --block-size=256KiB -k -c input
	cmp input <(xz -dc out)
}

check "a program with a known skew is built" builds
check_afresh "gcc: regions, loops, waits, and the imbalance are found" skewed gcc
check_afresh "clang: the same" skewed clang
check_afresh "clang: beside another tool" beside_another_tool
check_afresh "GraphicsMagick: times add up" graphicsmagick
check_afresh "GraphicsMagick, run by libomp: the same regions, loops, critical sections" graphicsmagick_on_libomp
check_afresh "xz: times add up" compressor
exit $failed
