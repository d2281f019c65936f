#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Findings of top-down tell at which lines a task's samples fell, and whose data it was: of a program that is compiled here and
# says itself where its things are. TAP.
set -uo pipefail

cd "$(dirname "$0")/../../../.." || exit
annot=${ANNOT:-build/annot}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
unset DEBUGINFOD_URLS

# shellcheck source=tests/lib/tap.sh
. tests/lib/tap.sh
output_is_failure=true

# shellcheck source=tests/unit/symbols/said.bash
. tests/unit/symbols/said.bash

# The sentence of the finding memory-bound.
sentence() {	# OPTION...
	tests/unit/report/pmu/topdown_places.py "$@" "$work/said" | tests/lib/script_trace.py "$work/trace.dat"
	"$annot" report --json "$work/trace.dat" |
		python3 -c 'import json, sys; print(*[own["text"] for own in json.load(sys.stdin)["findings"] if own["kind"] == "memory-bound"])'
}

line_of() {	# FUNCTION
	awk -v name="$1" '$1 == "code" && $2 == name { print $4 }' "$work/said"
}

told() {
	diff <(sentence) - <<-EOF_SENTENCE
		chase: 60.0 % of its issue slots wait for memory; l1_cache_miss at symbols_program.c:$(line_of hot) (75 %), symbols_program.c:$(line_of cold) (25 %); of zeroed (50 %), filled (45 %)
	EOF_SENTENCE
}

few() {
	diff <(sentence -n) <(echo "chase: 60.0 % of its issue slots wait for memory")
}

check "lines and variables, with their shares" told
check "of fewer than 10 samples: nothing" few
exit $failed
