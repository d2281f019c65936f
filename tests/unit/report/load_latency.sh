#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# annot report of samples that tell how long loads took: by task, and what misses cost by them; and of samples that do not. TAP.
set -u

cd "$(dirname "$0")/../../.." || exit
annot=${ANNOT:-build/annot}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# shellcheck source=tests/lib/tap.sh
. tests/lib/tap.sh
output_is_failure=true
told=tests/unit/report/load_latency.py

tells() {	# HOW
	"$told" story "$1" | tests/lib/script_trace.py "$work/trace.dat" || echo "no trace"
	"$annot" report --json "$work/trace.dat" >"$work/report.json" || echo "no report"
	"$told" check "$1" "$work/report.json"
}

text_has() {	# LINE
	"$told" story sampled | tests/lib/script_trace.py "$work/trace.dat" || echo "no trace"
	"$annot" report --show load_latency "$work/trace.dat" >"$work/text" || echo "no report"
	grep -Eq "$1" "$work/text" || cat "$work/text"
}

check "enough samples: costs by them" tells sampled
check "few samples of the line: its cost is assumed" tells few
check "no sample tells: said, and costs are assumed" tells silent
check "text: the task, its percentiles and the level" text_has '^load_latency:3:u +walk +250 +20 .* L2 '
check "text: what a line costs that is taken" text_has '^taken line +11[0-9] .* samples +400 '
exit $failed
