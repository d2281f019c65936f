#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# annot report --show slow_instances of a trace in which each slow instance is so for a known reason. TAP.
set -u

cd "$(dirname "$0")/../../.." || exit
annot=${ANNOT:-build/annot}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# shellcheck source=tests/lib/tap.sh
. tests/lib/tap.sh
output_is_failure=true
told=tests/unit/report/slow_instances.py

tells_reasons() {	# HOW
	"$told" story "$1" | tests/lib/script_trace.py "$work/trace.dat" || echo "no trace"
	"$annot" report --json --show slow_instances "$work/trace.dat" >"$work/report.json" || echo "no report"
	"$told" check "$1" "$work/report.json"
}

check "instructions, misses, siblings, frequency, interrupts, waits: each its part" tells_reasons BOTH
check "user code and the kernel counted apart: the same" tells_reasons APART
check "nothing counted: useful time is one part" tells_reasons BARE
exit $failed
