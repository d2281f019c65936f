#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# dlclose() of a shared object whose code annotates into a ring.
set -euo pipefail

cd "$(dirname "$0")/../../.."
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
# shellcheck source=tests/lib/tap.sh
. tests/lib/tap.sh
options=(-O2 -g -Wall -Wextra -Werror -D_GNU_SOURCE -Iinclude -Itests/lib)

# the object finds the library in the program, all of it
"${CC:-cc}" -std=gnu11 "${options[@]}" -rdynamic tests/unit/libannot/rseq_dlclose.c tests/lib/anon_rings.c \
	-Wl,--whole-archive build/libannot/libannot.a -Wl,--no-whole-archive -o "$work/program" -lpthread -ldl
"${CC:-cc}" -std=gnu11 "${options[@]}" -DPLUGIN -shared -fPIC tests/unit/libannot/rseq_dlclose.c -o "$work/object.so"
"$work/program" "$work/object.so"

# An object of C++ stays for ever if it defines what the process is to have once.
of_cxx() {	# COMPILER
	"$1" -std=c++17 "${options[@]}" -DPLUGIN -shared -fPIC -x c++ tests/unit/libannot/rseq_dlclose.c \
		-o "$work/$1.so"
	readelf -sW "$work/$1.so" >"$work/symbols"
	refuse "$1: no unique symbols" grep ' UNIQUE ' "$work/symbols"
	"$work/program" "$work/$1.so" | sed "s/ok - /&$1: /"
}
for compiler in g++ clang++; do
	if command -v $compiler >/dev/null; then
		of_cxx $compiler
	else
		skip "$compiler: objects come and go" "not installed"
	fi
done
