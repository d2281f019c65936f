#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# annot report of energy and other counters of sockets: in all, and by region. TAP.
set -uo pipefail

cd "$(dirname "$0")/../../../.." || exit
annot=${ANNOT:-build/annot}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# shellcheck source=tests/lib/tap.sh
. tests/lib/tap.sh
output_is_failure=true
told=tests/unit/report/pmu/uncore.py

tells() {	# HOW
	"$told" story "$1" | tests/lib/script_trace.py "$work/trace.dat" || echo "no trace"
	"$annot" report --json "$work/trace.dat" >"$work/$1.json" || echo "no report"
	"$told" check "$1" "$work/$1.json"
}

none() {
	"$annot" report --show uncore tests/data/scene-quiet.dat | grep -q '^Not computed: the trace has no counters of sockets' || echo "not said"
}

text() {
	"$told" story turns | tests/lib/script_trace.py "$work/trace.dat"
	"$annot" report --show uncore "$work/trace.dat" >"$work/text"
	grep -Eq '^ +power/energy-pkg/ +8 +1.98 +Joules +120ms +16.5 +15.0 +18.0 +100$' "$work/text" || cat "$work/text"
	grep -Eq '^ +solve +uncore_imc_0/reads/ +0 +3.66 +MiB +61.0 +60.0ms$' "$work/text" || cat "$work/text"
	awk 'length($0) > 100 { print "too long: " $0 }' "$work/text"
}

check "regions begin at readings" tells whole
check "regions begin between readings" tells between
check "counted half of the time" tells turns
check "readings are missing" tells lost
check "no counters of sockets: said" none
check "text" text
exit $failed
