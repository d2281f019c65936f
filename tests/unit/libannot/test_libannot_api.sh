#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# The library as its users get it: installed, found by pkg-config, compiled as C11 and C++17 by each
# compiler there is, linked as a shared and as a static library, and compiled away.
set -uo pipefail

cd "$(dirname "$0")/../../.." || exit 1
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
# shellcheck source=tests/lib/tap.sh
. tests/lib/tap.sh
export ANNOT_BACKEND=marker ANNOT_TRACEFS=$work/tracefs
mkdir -p "$ANNOT_TRACEFS"
api=tests/unit/libannot/libannot_api.c
strict=(-pedantic -Wall -Wextra -Wshadow -Wconversion -Werror)

# Runs a program; what it wrote to trace_marker, without the process id, must be what is expected.
annotates() {	# EXPECTED COMMAND...
	local expected=$1 got
	shift
	: >"$ANNOT_TRACEFS/trace_marker"
	"$@" || return
	got=$(sed -E 's/([BEIC])\|[0-9]+/\n\1/g' "$ANNOT_TRACEFS/trace_marker")
	[ "$got" = "$expected" ] || { diff <(echo "$expected") <(echo "$got"); return 1; }
}

scopes=$'\nB|scope\nB|wait scope|wait'
common=$'\nB|evaluated\nB|begin|1\nB|wait|wait\nB|wait|wait|-1\nE\nE\nE\nE\nB|next\nE\nB|evaluated|2\nB|function\nI|mark\nI|mark|9223372036854775807\nC|counter|0'
common+=$'\nI|@object_bytes|64\nI|@object grid|4096\nI|@object_bytes|1\nI|@object |8192\nI|@object_end|4096\nE'
common+="$scopes"$'\nB|scope with value|-9223372036854775808\nE\nE\nE'
common+="$scopes"$'\nB|left by break\nE\nE\nE'
in_c=$common
in_cxx=$common$'\nB|thrown out of\nB|wait|wait|-1\nE\nE'

installs() {
	make -s install-libannot DESTDIR="$work/root" PREFIX=/opt/annot
}
check "make install-libannot" installs

export PKG_CONFIG_PATH=$work/root/opt/annot/lib/pkgconfig PKG_CONFIG_SYSROOT_DIR=$work/root
read -ra flags < <(pkg-config --cflags --libs annot)
lib=$work/root/opt/annot/lib
check "pkg-config knows it" test "${flags[*]}" = "-I$work/root/opt/annot/include -L$lib -lannot"

has_all_man_pages() {
	local page
	for page in annot annot_begin annot_end annot_counter annot_object annot_object_end annot_status annot_flush ANNOT_SCOPE; do
		[ -f "$work/root/opt/annot/share/man/man3/$page.3" ] || { echo "$page"; return 1; }
	done
}
check "man pages are installed" has_all_man_pages

# Without a version: the wrappers of the C library's functions.
exports() {	# versioned|plain
	nm -D --defined-only "$lib/libannot.so.0" | awk -v wanted="$1" '$2 != "A" {
		if (($3 ~ /@/ ? "versioned" : "plain") == wanted) { sub(/@.*/, "", $3); print $3 } }' | sort
}

exports_the_map() {
	diff <(sed -n '/global:/,/^}/s/^\t\(.*\);/\1/p' libannot/libannot.map | sort) <(exports versioned)
}
check "the shared library exports what its map names" exports_the_map

exports_wrappers() {
	diff <(sed -n 's/^WRAPPER [a-z]* \([_A-Za-z]*\)(.*/\1/p' libannot/interpose.c | sort) <(exports plain)
}
check "and wrappers, and nothing else" exports_wrappers

static_has_no_wrappers() {
	! nm --defined-only "$lib/libannot.a" | grep -w 'execve\|_exit'
}
check "the static library has none" static_has_no_wrappers

for compiler in gcc clang; do
	command -v $compiler >/dev/null || { skip "$compiler" "not installed"; continue; }
	c=("$compiler" -x c -std=c11 "${strict[@]}")
	cxx=("${compiler/gcc/g}++" -x c++ -std=c++17 "${strict[@]}" -Wold-style-cast)
	for opt in -O0 -O2; do
		check "$compiler $opt C11, shared" "${c[@]}" $opt $api -x none "${flags[@]}" \
			-o "$work/c"
		check "$compiler $opt C11 annotates" annotates "$in_c" \
			env LD_LIBRARY_PATH="$lib" "$work/c"
		check "$compiler $opt C++17, static" "${cxx[@]}" $opt "-I$work/root/opt/annot/include" \
			$api -x none "$lib/libannot.a" -o "$work/cxx"
		check "$compiler $opt C++17 annotates" annotates "$in_cxx" "$work/cxx"
		check "$compiler $opt C11 ANNOT_DISABLE, no library" "${c[@]}" $opt -DANNOT_DISABLE \
			-Iinclude $api -o "$work/off"
		check "$compiler $opt C11 disabled still evaluates" test "$("$work/off")" = \
			"2 0 off: compiled with ANNOT_DISABLE"
		check "$compiler $opt C++17 ANNOT_DISABLE, no library" "${cxx[@]}" $opt -DANNOT_DISABLE \
			-Iinclude $api -o "$work/off"
		check "$compiler $opt C++17 disabled annotates nothing" annotates "" "$work/off"
	done
done

compiled_away() {
	local code='#include <annot/annot.h>
int f(int a);
int f(int a) { ANNOT_SCOPE("x"); annot_counter("c", a); return annot_enabled() ? 2 : a; }'
	${CC:-cc} -O2 -DANNOT_DISABLE -Iinclude -x c -c -o "$work/off.o" - <<<"$code" &&
		${CC:-cc} -O2 -x c -c -o "$work/plain.o" - <<<'int f(int a) { return a; }' || return
	diff <(objdump -d "$work/off.o" | tail -n +4) <(objdump -d "$work/plain.o" | tail -n +4)
}
check "ANNOT_DISABLE leaves no instruction" compiled_away

example_compiles() {
	sed -n '/^\.EX/,/^\.EE/{/^\./d;p}' libannot/annot.3 >"$work/example.c"
	${CC:-cc} -std=gnu11 "${strict[@]}" -O2 "$work/example.c" "${flags[@]}" -lpthread \
		-o "$work/example" && LD_LIBRARY_PATH=$lib "$work/example"
}
check "the man page's example compiles and runs" example_compiles
