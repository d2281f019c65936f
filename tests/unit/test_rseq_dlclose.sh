#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# dlclose() of a shared object whose code annotates into a ring.
set -euo pipefail

cd "$(dirname "$0")/../.."
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
options=(-std=gnu11 -O2 -g -Wall -Wextra -Werror -D_GNU_SOURCE -Iinclude)

"${CC:-cc}" "${options[@]}" -DPLUGIN -shared -fPIC tests/unit/rseq_dlclose.c -o "$work/object.so"
# the object finds the library in the program, all of it
"${CC:-cc}" "${options[@]}" -rdynamic tests/unit/rseq_dlclose.c tests/unit/anon_rings.c \
	-Wl,--whole-archive build/libannot/libannot.a -Wl,--no-whole-archive -o "$work/program" -lpthread -ldl
"$work/program" "$work/object.so"
