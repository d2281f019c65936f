#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# NEEDS: all
#
# Which file uses functions and data of which: there is no circle, in the command and in the library.
# The library's raw*.c are taken as one. A name that the C library has is the C library's: a front before malloc() has
# users in the program, not in the library. TAP.
set -euo pipefail

cd "$(dirname "$0")/.."
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
# shellcheck source=tests/lib/tap.sh
. tests/lib/tap.sh
build=${ANNOT_BUILD:-build}

nm -D --defined-only "$("${CC:-gcc}" -print-file-name=libc.so.6)" | sed 's/.* //; s/@.*//' >"$work/libc"

# Prints lines "USER USED" of objects.
uses() {	# OBJECT...
	nm -A "$@" | sed 's/\/raw[_a-z]*\.o:/\/raw.o:/' | awk -F '[: ]+' -v libc="$work/libc" '
		BEGIN { while ((getline name <libc) > 0) in_libc[name] = 1 }
		$NF in in_libc { next }
		$(NF - 1) ~ /^[BCDRTV]$/ { file[$NF] = $1 }
		$(NF - 1) == "U" { users[$NF] = users[$NF] " " $1 }
		END {
			for (name in users)
				for (i = split(users[name], user, " "); i > 0; i--)
					if (name in file && file[name] != user[i])
						print user[i], file[name]
		}'
}

no_circle() {	# FOLDER
	local objects source
	# Of files that are no longer there, objects may be.
	mapfile -t objects < <(find "$1" -name '*.c' | while read -r source; do
		[ ! -e "$build/${source%.c}.o" ] || echo "$build/${source%.c}.o"
	done)
	uses "${objects[@]}" >"$work/uses"
	[ "$(wc -l <"$work/uses")" -gt 20 ] && tsort "$work/uses" >"$work/order"
}

check "no circle of files in viewer/" no_circle viewer
check "no circle of files in libannot/" no_circle libannot
exit $failed
