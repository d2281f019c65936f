#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# NEEDS: all
#
# A header of viewer/ or libannot/ declares what the source beside it implements, and nothing that another source
# does. Lists of all analyses and subcommands are made by macros, which are not looked into. TAP.
set -euo pipefail

cd "$(dirname "$0")/.."
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
# shellcheck source=tests/lib/tap.sh
. tests/lib/tap.sh
output_is_failure=true
build=${ANNOT_BUILD:-build}

# Prints lines "FUNCTION SOURCE".
defined() {
	local source
	find viewer libannot -name '*.c' | while read -r source; do
		[ ! -e "$build/${source%.c}.o" ] || nm "$build/${source%.c}.o" |
			awk -v source="${source%.c}" '$2 == "T" { print $3, source }'
	done
}

# A declaration begins in the first column, and ends with a semicolon.
declared_elsewhere() {
	defined >"$work/defined"
	[ "$(wc -l <"$work/defined")" -gt 500 ] || echo "only $(wc -l <"$work/defined") functions were found"
	find viewer libannot -name '*.h' -exec awk '
		FILENAME == ARGV[1] { source[$1] = $2; next }
		/^[a-z].*[ *][a-z0-9_]+\(/ && !/^(static|typedef|return)/ {
			name = $0
			sub(/\(.*/, "", name)
			sub(/.*[ *]/, "", name)
			header = FILENAME
			sub(/\.h$/, "", header)
			if (name in source && source[name] != header)
				print FILENAME ": " name "() is in " source[name] ".c"
		}' "$work/defined" {} +
}

check "no header of viewer/ or libannot/ declares what another source implements" declared_elsewhere
exit $failed
