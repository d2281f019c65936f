#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# The modules of the page's script that need no browser, in node: js/NAME.test.mjs. TAP.
set -uo pipefail

cd "$(dirname "$0")/../../.." || exit
if ! command -v node >/dev/null; then
	echo "1..0 # SKIP no node"
	exit 0
fi

# A file at a time: of several, node makes one tree, in which each file is a single point.
status=0
for file in tests/unit/page/js/*.test.mjs; do
	echo "# ${file##*/}"
	node --test-reporter=tap "$file" || status=1
done
exit $status
