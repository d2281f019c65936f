#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# NEEDS: fuzz-corpus-program
#
# Files that the fuzzer found (make fuzz), and those that reach all that it reached, under the
# sanitizers of addresses, leaks and undefined behaviour. TAP.
# SLOW
cd "$(dirname "$0")/../../.." || exit

if ! command -v clang >/dev/null; then
	echo "1..0 # SKIP no clang"
	exit
fi
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
# shellcheck source=tests/lib/tap.sh
. tests/lib/tap.sh
nr=$(find tests/fuzz/corpus -type f | wc -l)

harmless() {
	[ "$nr" -gt 0 ] && build/fuzz-corpus/trace -runs=0 -timeout=10 -malloc_limit_mb=256 -artifact_prefix="$work/" \
		tests/fuzz/corpus >"$work/log" 2>&1 && return
	tail -n 40 "$work/log"
	return 1
}
check "$nr files do no harm" harmless
