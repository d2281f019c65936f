#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# What the front of OMPT makes of what a runtime of OpenMP 5.2 tells.
set -uo pipefail

cd "$(dirname "$0")/../../.." || exit 1
here=tests/unit/attach
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
# shellcheck source=tests/lib/tap.sh
. tests/lib/tap.sh
output_is_failure=true
mkdir -p "$work/tracefs"
raw=$work/tracefs/trace_marker_raw

if ! grep -qE '^(tsc|kvm-clock|hyperv_clocksource)' \
	/sys/devices/system/clocksource/clocksource0/current_clocksource; then
	echo "1..0 # SKIP the kernel does not trust the processor's clock"
	exit
fi

compiles() {
	${CC:-cc} -D_GNU_SOURCE -std=gnu11 -O1 -g -Wall -Wextra -Werror $here/ompt_runtime.c -o "$work/runtime"
}

attached() {	# BACKEND
	: >"$raw"
	: >"$work/tracefs/trace_marker"
	timeout 60 env ANNOT_BACKEND="$1" ANNOT_TRACEFS="$work/tracefs" \
		"$work/runtime" "$PWD/build/libannot/attach/ompt.so" || echo "exit status $?"
}

told() { tests/unit/libannot/read_raw.py "$raw" | cut -d ' ' -f 3-; }

# Without addresses, places are their words.
expected() {
	local team
	for team in 1 2; do
		printf '%s\n' "B parallel $team" 'B for 5' 'I @chunks 5' E 'B for 5' E 'B for 5' 'I @chunks 0' E \
			'W barrier' E 'B task' E 'W barrier 0' E \
			'B for 5' 'I @chunks 2' E E "W barrier @team_ompt $team" "I @team_ompt $team"
	done
}

tells() {
	attached raw
	diff <(expected) <(told)
}

silent() {
	attached off
	[ ! -s "$raw" ] || echo "it tells all the same"
}

check "a runtime is built" compiles
check "regions, loops and their chunks, a task within a wait" tells
check "nothing is told when nothing records" silent
