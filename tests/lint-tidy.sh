#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# SLOW
#
# Usage: tests/lint-tidy.sh
#
# clang-tidy on the command and the library, by .clang-tidy; TAP. Tests are left out: cmocka's
# assertions do not tell the analyzer that they end a test, so it follows what cannot happen.
set -euo pipefail

cd "$(dirname "$0")/.."
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
# shellcheck source=tests/lib/tap.sh
. tests/lib/tap.sh
output_is_failure=true

# The sources of FOLDER as make compiles them, without options that only GCC has.
tidy() {	# FOLDER
	find "$1" -name '*.c' -print0 | xargs -0 -P 2 -n 8 clang-tidy --quiet -p "$work" 2>"$work/err" || true
	grep -v ' warnings\? generated\.$' "$work/err" || true
}

if [ "$(clang-tidy --version 2>/dev/null | sed -En 's/.*version ([0-9]+).*/\1/p')" != 14 ]; then
	skip "clang-tidy is content" "clang-tidy is not version 14, for which .clang-tidy is made"
	exit
fi
VIEWER_LTO='' tests/compile-commands >"$work/compile_commands.json"
check "clang-tidy is content with libannot/" tidy libannot
check "clang-tidy is content with viewer/" tidy viewer
