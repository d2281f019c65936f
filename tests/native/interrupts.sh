#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Interrupts of this machine, recorded by trace-cmd: the time that they take from each thread is what the text of trace-cmd
# report tells, to the nanosecond; handlers are as many as the machine counts. TAP.
set -uo pipefail

cd "$(dirname "$0")/../.." || exit
if [ "$(id -u)" -ne 0 ]; then
	echo "1..0 # SKIP only root may trace"
	exit
fi
if [ -z "${ANNOT_TEST_TRACEFS-}" ]; then
	ANNOT_TEST_TRACEFS=1 exec tests/native/with-tracefs tests/native/interrupts.sh
fi
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
# shellcheck source=tests/lib/tap.sh
. tests/lib/tap.sh
output_is_failure=true

# Writes that the disk must take, and a thread that does nothing but run.
# shellcheck disable=SC2016	# expanded by the shell within
load='
	cat /proc/interrupts >"$0/before"
	(while :; do :; done) & spinner=$!
	for i in 1 2 3 4 5 6; do
		dd if=/dev/zero of="$0/data" bs=256k count=8 conv=fsync 2>/dev/null
		sleep 0.05
	done
	kill $spinner
	cat /proc/interrupts >"$0/after"'

record() {
	local events=(-e sched_switch -e sched_wakeup -e irq)
	[ ! -d /sys/kernel/tracing/events/irq_vectors ] || events+=(-e irq_vectors)
	timeout 60 trace-cmd record -q -b 16384 -C mono "${events[@]}" -o "$work/trace.dat" sh -c "$load" "$work" >"$work/out" \
		2>"$work/err" || cat "$work/err"
}

is_as_told() {
	build/annot report --json --all "$work/trace.dat" >"$work/report.json" 2>"$work/err" || cat "$work/err"
	tests/native/check-interrupts "$work"/{trace.dat,report.json,before,after} 2>"$work/note"
}

column_is_there() {
	build/annot report "$work/trace.dat" >"$work/text"
	grep -q '^THREAD .* on-CPU stolen useful ' "$work/text" || echo "no column of stolen time: $(grep ^THREAD "$work/text")"
}

check "interrupts are recorded" record
check "the time that they took, and how many they were" is_as_told
cat "$work/note"
check "the report has it" column_is_there
exit "$failed"
