#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# The kernel writes into registered storage for as long as the thread lives: that of an object which
# may be unloaded is not registered.
set -euo pipefail

cd "$(dirname "$0")/../../.."
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
# shellcheck source=tests/lib/tap.sh
. tests/lib/tap.sh
options=(-std=gnu11 -O2 -g -Wall -Wextra -Werror -D_GNU_SOURCE -Iinclude)
export GLIBC_TUNABLES=glibc.pthread.rseq=0

"${CC:-cc}" "${options[@]}" tests/unit/libannot/rseq_plugin.c -o "$work/program" -ldl

registers() {	# NAME ANSWER LINKER_OPTION...
	local name=$1 answer=$2 got
	shift 2
	"${CC:-cc}" "${options[@]}" -DPLUGIN -shared -fPIC "$@" tests/unit/libannot/rseq_plugin.c -o "$work/object.so"
	got=$("$work/program" "$work/object.so") || true
	echo "$got" >"$tap_log"
	if [ "$got" = none ]; then
		skip "$name" "no restartable sequences"
	elif [ "$got" = "$answer" ]; then
		pass "$name"
	else
		fail "$name"
	fi
}

registers "not that of an object that may be unloaded" "may be unloaded"
registers "that of one that says it may not" registered -Wl,-z,nodelete
