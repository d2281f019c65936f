#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# NEEDS: workloads
# SLOW
# TIMED
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

# Findings of the kind io-wait in a recording of dd: each with its first thread, and whether the path depends on it.
waits_for_files() {	# ARGUMENT-OF-DD...
	record 0 -q --why -o why.dat -- dd if=/dev/zero bs=4k "$@"
	"$annot" report --json why.dat | python3 -c '
import json, sys
report = json.load(sys.stdin)
comms = {thread["tid"]: thread["comm"] for thread in report["threads"]}
for finding in report["findings"]:
    if finding["kind"] == "io-wait":
        print(comms[finding["evidence"]["tids"][0]], finding["time_lost_at_most_ns"] > 0)'
}

finds_waits_for_files() {
	local found
	found=$(waits_for_files of=written count=60 oflag=dsync)
	[ "$found" = "dd True" ] || echo "found: $found"
	waits_for_files of=small/written count=5000
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
if [ "$(stat -f -c %T .)" = tmpfs ]; then
	skip "a program that waits for the disk, and one that does not" "there is no disk"
else
	check_afresh "a program that waits for the disk, and one that does not" finds_waits_for_files
fi
check_afresh "the trigger goes with the recording" trigger_is_removed
exit $failed
