#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# What tsc, strict, says of the types in the page's script. It remembers in a file what it has seen already. TAP.
set -uo pipefail

cd "$(dirname "$0")/../../.." || exit
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
# shellcheck source=tests/lib/tap.sh
. tests/lib/tap.sh
output_is_failure=true

if command -v tsc >/dev/null; then
	check "the types of the page's script are right" tsc --pretty false -p viewer/page/js \
		--incremental --tsBuildInfoFile "${ANNOT_BUILD:-build}/tests/page-types.tsbuildinfo"
else
	skip "the types of the page's script are right" "no tsc"
fi

exit $failed
