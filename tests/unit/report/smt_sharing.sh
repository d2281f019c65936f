#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# annot report of a trace in which a program shares its core with another one, and of twins in which it does not. TAP.
set -u

cd "$(dirname "$0")/../../.." || exit
annot=${ANNOT:-build/annot}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# shellcheck source=tests/lib/tap.sh
. tests/lib/tap.sh
output_is_failure=true
told=tests/unit/report/smt_sharing.py

tells() {	# HOW
	"$told" story "$1" | tests/lib/script_trace.py "$work/trace.dat" || echo "no trace"
	"$annot" report --json --show smt_sharing "$work/trace.dat" >"$work/report.json" || echo "no report"
	"$told" check "$1" "$work/report.json"
}

check "a busy sibling: what it costs, within 1 %" tells beside
check "nothing counted: the time with an idle core, at most" tells bare
check "the other program on another core: nothing" tells apart
check "no CPUs that share a core: nothing" tells flat
exit $failed
