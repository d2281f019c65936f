#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# NEEDS: workloads
#
# annot record --why: a program that waits for all kinds of things, and knows for which and how long. TAP.
# shellcheck disable=SC2154,SC2317	# record.bash assigns; checks are called by name
set -u

cd "$(dirname "$0")/../.." || exit
# shellcheck source=tests/native/record.bash
. tests/native/record.bash

# A busy machine loses switches: one of three recordings has to be whole.
tells_causes() {
	local differences
	for _ in 1 2 3; do
		record 0 -q --why -o why.dat -- "$here/build/workloads/waits" 8
		"$annot" report --json --show all why.dat >report.json 2>/dev/null || echo "no report"
		differences=$("$here/tests/lib/check_waits.py" report.json out 2>&1)
		[ -n "$differences" ] || return 0
	done
	printf '%s\n' "$differences"
}

says_how() {
	record 0 -q -o why.dat -- sleep 0.1
	"$annot" report --show blocked_on why.dat | grep -q 'WAITS FOR' && echo "causes without --why"
	return 0
}

# While it records, there is a trigger in its own buffer only; then there is none, even if it is killed.
trigger_is_removed() {
	local recorder
	"$annot" record -q --why -o why.dat -- sleep 100 >out 2>err &
	recorder=$!
	until [ -s why.dat ] && pgrep -P $recorder sleep >/dev/null; do sleep 0.05; done
	grep -qs 'stacktrace:.* if prev_state & 255' $tracefs/instances/annot-*/events/sched/sched_switch/trigger ||
		grep -qs 'stacktrace:.* if prev_state & 255' $tracefs/events/sched/sched_switch/trigger || echo "no trigger"
	kill -TERM $recorder
	wait $recorder
	grep -s 'stacktrace:' $tracefs/instances/annot-*/events/sched/sched_switch/trigger \
		$tracefs/events/sched/sched_switch/trigger
	nothing_is_left
}

check_afresh "the causes of waits, their lengths, and who ended them" tells_causes
check_afresh "without --why there are none" says_how
check_afresh "the trigger goes with the recording" trigger_is_removed
exit $failed
