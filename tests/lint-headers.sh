#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# NEEDS: all
# SLOW
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
	find viewer libannot -name '*.c' | sed "s,^,$build/,; s,c\$,o," | xargs ls 2>/dev/null | xargs nm -A |
		awk -v build="$build/" '$2 == "T" {
			source = $1
			sub(build, "", source)
			sub(/\.o:.*/, "", source)
			print $3, source
		}'
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

# Each header brings all that it needs. Those of the module only compile in a kernel's tree.
headers() {
	local file
	find include viewer libannot tests -name '*.h' | sort | while read -r file; do
		case $file in
		include/trace/*) continue ;;
		*/lttng*) pkg-config --exists lttng-ust || continue ;;	# a package that only benches use
		esac
		echo "#include \"$file\"" |
			"${CC:-cc}" -std=gnu11 -Wall -Wextra -Werror -D_GNU_SOURCE -DANNOT_VERSION='""' -I. -Iinclude \
				-Iviewer -Itests/lib -Itests/vm/guest/lib -fsyntax-only -x c - || true
	done
}

check "each header compiles alone" headers
check "no header of viewer/ or libannot/ declares what another source implements" declared_elsewhere
exit $failed
