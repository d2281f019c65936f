#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# SLOW
#
# Places in names of annotations of programs by each compiler, at addresses of their own choice and at fixed ones. TAP.
set -uo pipefail

cd "$(dirname "$0")/../../.." || exit
# shellcheck source=tests/unit/symbols/places.bash
. tests/unit/symbols/places.bash

# Code of a system's header is inlined into a function of the program, here through a function of its own.
inlined() {	# COMPILER
	local program=$work/inlined line address
	cat >"$work/inlined.cc" <<-'EOF'
		#include <mutex>
		std::mutex mutex;
		static inline void enter()
		{
			mutex.lock(); // here
		}
		int main()
		{
			enter();
			return 0;
		}
	EOF
	"$1" -g -O2 -Wl,--build-id -o "$program" "$work/inlined.cc" -pthread || return
	line=$(grep -n '// here' "$work/inlined.cc" | cut -d: -f1)
	# The call's address is one below where it returns to.
	address=$(objdump -d --no-show-raw-insn "$program" | awk '/call .*<pthread_mutex_lock@plt>/ { getline; sub(":", ""); print $1; exit }')
	printf 'begin mutex @%s#%.16s+0x%x\n' "$program" "$(build_id "$program")" $((0x$address - 1)) | trace
	diff <(tasks) <(echo "work mutex inlined.cc:$line")
	silent
}

# A variable, and the lock that compilers make of a critical section's name.
variables() {	# COMPILER
	local program=$work/variables address lock
	cat >"$work/variables.c" <<-'EOF'
		int table[8] = { 1 };
		int main(void)
		{
		#pragma omp parallel num_threads(1)
		#pragma omp critical(dot)
			table[0]++;
			return table[0];
		}
	EOF
	"$1" -g -fopenmp -Wl,--build-id -o "$program" "$work/variables.c" || return
	address=0x$(nm "$program" | awk '$3 == "table" { print $1 }')
	lock=0x$(nm "$program" | awk '/gomp_critical_user_dot/ { print $1 }')
	printf 'begin critical $%s#%.16s+0x%x\n' "$program" "$(build_id "$program")" $((address)) \
		"$program" "$(build_id "$program")" $((address + 4)) \
		"$program" "$(build_id "$program")" $((lock)) | trace
	diff <(tasks) <(printf 'work critical %s\n' dot table table+0x4)
	silent
}

# clang makes one call of these two, which is of neither line: that is line 0.
no_line() {
	cat >"$work/merged.c" <<-EOF
	#include "places_tell.h"
	int main(int argc, char **argv)
	{
		(void)argv;
		if (argc > 1)
			TELL("main", main);
		else
			TELL("main", main);
		return 0;
	}
	EOF
	mkdir "$work/merged"
	clang -g -O2 -I$here -Wl,--build-id -o "$work/merged/program" "$work/merged.c"
	"$work/merged/program" >"$work/merged/said"
	objdump --dwarf=decodedline "$work/merged/program" | grep -q 'merged.c  *0  ' || echo "no line 0"
	names merged | trace
	diff <(tasks) <(by_function merged)
	silent
}

for compiler in gcc clang; do
	check "$compiler: a position-independent program is built" build $compiler-pie $compiler -g -pie -fPIE
	check "$compiler: lines" shown $compiler-pie by_line
	check "$compiler: one at a fixed address is built" build $compiler-fixed $compiler -g -no-pie -fno-pie
	check "$compiler: lines of it" shown $compiler-fixed by_line
	check "$compiler: one without lines is built" build $compiler-bare $compiler -pie -fPIE
	check "$compiler: functions" shown $compiler-bare by_function
	check "$compiler: one at a fixed address without lines is built" build $compiler-far $compiler -no-pie -fno-pie
	check "$compiler: functions of it" shown $compiler-far by_function
done
check "inlined code of g++" inlined g++
check "inlined code of clang++" inlined clang++
check "variables of gcc" variables gcc
check "variables of clang" variables clang
check "code of no line" no_line

exit $failed
