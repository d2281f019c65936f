#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# The kernel writes into registered storage for as long as the thread lives: that of an object which
# may be unloaded is not registered.
set -euo pipefail

cd "$(dirname "$0")/../../.."
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
options=(-std=gnu11 -O2 -g -Wall -Wextra -Werror -D_GNU_SOURCE -Iinclude)
export GLIBC_TUNABLES=glibc.pthread.rseq=0

"${CC:-cc}" "${options[@]}" tests/unit/libannot/rseq_plugin.c -o "$work/program" -ldl

check() {	# NAME ANSWER LINKER_OPTION...
	local name=$1 answer=$2 got
	shift 2
	"${CC:-cc}" "${options[@]}" -DPLUGIN -shared -fPIC "$@" tests/unit/libannot/rseq_plugin.c -o "$work/object.so"
	got=$("$work/program" "$work/object.so") || true
	if [ "$got" = none ]; then
		echo "ok - $name # SKIP no restartable sequences"
	elif [ "$got" = "$answer" ]; then
		echo "ok - $name"
	else
		echo "# $got"
		echo "not ok - $name"
	fi
}

check "not that of an object that may be unloaded" "may be unloaded"
check "that of one that says it may not" registered -Wl,-z,nodelete
