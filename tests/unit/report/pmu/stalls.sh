#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# annot report of events that keep the core from its work: what they cost by task, and which task the findings name. TAP.
set -uo pipefail

cd "$(dirname "$0")/../../../.." || exit
annot=${ANNOT:-build/annot}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
unset DEBUGINFOD_URLS

# shellcheck source=tests/lib/tap.sh
. tests/lib/tap.sh
output_is_failure=true
told=tests/unit/report/pmu/stalls.py

# shellcheck source=tests/unit/symbols/said.bash
. tests/unit/symbols/said.bash

tells() {	# HOW
	"$told" story "$1" "$work/said" | tests/lib/script_trace.py "$work/trace.dat" || echo "no trace"
	"$annot" report --json "$work/trace.dat" >"$work/$1.json" || echo "no report"
	"$told" check "$1" "$work/$1.json" "$work/said"
}

none() {
	"$annot" report --show stalls tests/data/scene-quiet.dat | grep -q '^Not computed: no such event was measured' || echo "not said"
}

text() {
	"$told" story counted | tests/lib/script_trace.py "$work/trace.dat"
	"$annot" report --show stalls "$work/trace.dat" >"$work/text"
	grep -Eq '^ +branch_miss +sort +40.0ms +1.44M +36000 +17.0 +assumed +30.6 ' "$work/text" || cat "$work/text"
	awk 'length($0) > 100 { print "too long: " $0 }' "$work/text"
}

check "counted, with the clock's rate" tells counted
check "counted, at 3 GHz" tells assumed
check "a third of it: no finding" tells quiet
check "sampled: the line" tells sampled
check "without tasks: the session" tells untasked
check "no such event: said" none
check "text" text
exit $failed
