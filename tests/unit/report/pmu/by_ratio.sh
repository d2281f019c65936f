#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# annot report of samples that tell where loads found their data: of IBS, whose samples are no counts, and of another PMU. TAP.
set -u

cd "$(dirname "$0")/../../../.." || exit
annot=${ANNOT:-build/annot}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# shellcheck source=tests/lib/tap.sh
. tests/lib/tap.sh
told=tests/unit/report/pmu/by_ratio.py

tells() {	# PMU
	"$told" story "$1" | tests/lib/script_trace.py "$work/trace.dat" || echo "no trace"
	"$annot" report --json "$work/trace.dat" >"$work/report.json" || echo "no report"
	"$annot" report --json --by thread "$work/trace.dat" >"$work/ranking.json" || echo "no ranking"
	"$told" check "$1" "$work/report.json" "$work/ranking.json"
}

csv_has_no_count() {
	"$told" story ibs_op | tests/lib/script_trace.py "$work/trace.dat"
	"$annot" report --by thread --csv "$work/trace.dat" | grep -q ',200,,,1,60.$'
}

# The misses of the conflict; what is counted beside the samples, and their event's config.
conflict_has() {	# MISSES COUNTED CONFIG
	"$told" story ibs_op "$2" "$3" | tests/lib/script_trace.py "$work/trace.dat" || echo "no trace"
	"$annot" report --json "$work/trace.dat" >"$work/report.json" || echo "no report"
	"$told" check_conflict "$1" "$work/report.json"
}

check "ibs_op: levels, and misses by ratio; no counts" tells ibs_op
check "cpu: levels, and counts by the period; no ratio" tells cpu
check "ibs_op: --csv leaves counts empty" csv_has_no_count
check "set conflicts: misses by counted instructions" conflict_has 300000 instr_retired:u 0x80000
check "set conflicts: misses by the counter of misses" conflict_has 1000000 l1_cache_miss:u 0x80000
check "set conflicts: misses of other modes are no ratio" conflict_has unknown l1_cache_miss:k 0x80000
check "set conflicts: nothing counted beside it: unknown" conflict_has unknown page_faults:u 0x80000
check "l3missonly: unknown by counted instructions" conflict_has unknown instr_retired:u 0x90000
check "l3missonly: unknown by the counter of misses" conflict_has unknown l1_cache_miss:u 0x90000
exit $failed
