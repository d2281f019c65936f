#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Programs with the markers of LIKWID and Score-P, with their libraries and without.
set -u

cd "$(dirname "$0")/../../.." || exit 1
# shellcheck source=tests/lib/raw.bash
. tests/lib/raw.bash
here=tests/unit/attach
attach=$PWD/build/libannot/attach

compile() {	# OPTION...
	${CC:-cc} -D_GNU_SOURCE -std=gnu11 -O1 -g -Wall -Wextra -Werror $here/regions_program.c "$@"
}

# The program is linked with a library that has all functions, and run with one that has some or none.
compiles() {
	mkdir "$work"/{all,some,none}
	nm -D --defined-only "$attach"/{likwid,scorep}.so | sed -n 's/.* T \(.*\)/void \1(void); void \1(void) {}/p' |
		${CC:-cc} -x c - -shared -fPIC -Wl,-soname,libregions.so -o "$work/all/libregions.so"
	echo | ${CC:-cc} -x c - -shared -fPIC -o "$work/none/libregions.so"
	compile -DAS_LIBRARY -shared -fPIC -o "$work/some/libregions.so"
	compile -L"$work/all" -lregions -o "$work/program"
}

attached() {	# LIBRARY
	recorded LD_LIBRARY_PATH="$work/$1" LD_PRELOAD="$attach/likwid.so:$attach/scorep.so" "$work/program" ||
		echo "exit status $?"
}

# Of both threads: where "outer" ends, "second" ends, too, and begins again.
expected() {
	printf '%s\n' 'B outer' 'B inner' E 'B second' E E 'B second' E 'B of Fortran' E
	printf '%s\n' 'B begun' 'B entered' 'C metric 10' E E 'B begun' 'B entered' 'C metric 11' E E \
		'B by name' 'I parameter -5' 'I text value' E 'B of class' E
	printf '%s\n' 'B of thread' E
}

tells_without() {
	attached none >"$work/out"
	diff <(printf '%s\n' 'returned 0 0 0 0 0' 'enabled 0') "$work/out"
	diff <(expected) <(told)
}

calls() {
	printf '%s\n' 'start outer' 'start inner' 'stop inner' 'start second' 'stop outer' 'stop outer' \
		'start of thread' 'stop of thread' 'stop second' 'start of Fortran' 'stop of Fortran' 'get outer' \
		'returned 11 12 5 6 7'
	printf '%s\n' 'init entered 1 a.c 10' 'metric metric bytes 2 1' \
		'init begun 1 a.c 20' 'begin begun' 'enter 0' 'trigger 99 10.75' 'end 0' 'end 2' \
		'begin begun' 'enter 0' 'trigger 99 11.75' 'end 0' 'end 2' 'enabled 1'
}

tells_with() {
	attached some >"$work/out"
	diff <(calls) "$work/out"
	diff <(expected) <(told)
}

check "the programs compile" compiles
check "regions without the libraries" tells_without
check "the libraries get all calls" tells_with
