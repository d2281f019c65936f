#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# SLOW
#
# Of hundreds of thousands of events in annot record: none is lost unseen, in each form of the file. TAP.
set -u

cd "$(dirname "$0")/../.." || exit
# shellcheck source=tests/native/record.bash
. tests/native/record.bash

# Marks are as many as were written, in each form of the file.
all_events() {
	local form marks=200000
	write_marks $marks
	for form in "" "--compression none" "--compression zstd" --v6; do
		# shellcheck disable=SC2086	# a list of options
		record 0 $form sh marks.sh
		grep -q "no event lost" err || cat err
		[ "$(count_marks trace.dat)" -eq $marks ] || echo "$form: $(count_marks trace.dat) of $marks marks are there"
		"$annot" report trace.dat >out || echo "$form: annot does not read it"
	done
	# Debian's trace-cmd reads no zlib.
	record 0 --compression zlib sh marks.sh
	[ "$("$annot" report --json trace.dat | sed -n 's/.*"events": \([0-9]*\).*/\1/p' | head -n 1)" -ge $marks ] ||
		echo "zlib: $("$annot" report --json trace.dat | head -n 5)"
	record 2 --v6 --compression zstd true
	one_line "version 6"
	record 2 --compression lzma true
	one_line lzma "zstd, zlib or none"
	nothing_is_left
}

# A recorder that sleeps is as slow as can be: what is written meanwhile overruns the buffer on any machine.
lost_events() {
	local lost marks=100000
	write_marks $marks
	cat >overrun.sh <<-EOF
		recorder=\$(pgrep -x annot -P \$PPID)
		[ -n "\$recorder" ] || echo "no recorder" >&2
		kill -STOP \$recorder
		until grep -q "^State:.*stopped" /proc/\$recorder/status; do sleep 0.01; done
		sh marks.sh
		kill -CONT \$recorder
	EOF
	record 0 -o lost.dat -b 100 sh overrun.sh
	grep -q "annot: warning: [0-9]* events LOST.* -b 400" err || echo "no warning: $(cat err)"
	grep -q "recorded .* with gaps" err || echo "not in the summary: $(cat err)"
	lost=$(sed -n 's/.*warning: \([0-9]*\) events LOST.*/\1/p' err)
	[ "$lost" -eq "$(trace-cmd report --stat lost.dat |
		awk '/overrun: |^dropped events: / { lost += $NF } END { print lost }')" ] ||
		echo "trace-cmd counted another number"
	# The kernel leaves the number out where the page behind the gap has no room for it.
	"$annot" report --json lost.dat | tr -d '\n\t' |
		grep -qE "\"lost_events\": ($lost,|0,\"lost_gaps\": [1-9])" ||
		echo "not $lost in the report: $("$annot" report --json lost.dat | grep lost_)"
	[ $((lost + $(count_marks lost.dat))) -ge $marks ] ||
		echo "$lost lost and $(count_marks lost.dat) there are not $marks"
	record 0 -q -o lost.dat true
	! grep -q LOST err || echo "lost events are remembered: $(cat err)"
}

check_afresh "all events are there, in each form of the file" all_events
check_afresh "lost events are reported with a warning" lost_events

exit $failed
