#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# SLOW
#
# annot events of what trace-cmd recorded on this machine: every event type that this kernel offers, once. TAP.
# shellcheck disable=SC2154	# record.bash assigns what is not assigned here
set -u

cd "$(dirname "$0")/../.." || exit
# shellcheck source=tests/native/record.bash
. tests/native/record.bash

# Files and pipes, processes, timers, memory.
write_load() {
	cat >load.sh <<-'EOF'
		for i in 1 2 3; do
			sleep 0.02
			ls -lR /usr/share/doc | head -n 2000 >/dev/null
			dd if=/dev/zero of=file bs=64k count=20 2>/dev/null
			cat file | wc -c >/dev/null
			rm file
		done
	EOF
}

# Some kernels refuse trace-cmd the files of the function tracer.
records() {	# OPTION...
	timeout 100 "$here/tests/native/with-tracefs" trace-cmd record -q -b 30000 -o all.dat "$@" sh load.sh >log 2>&1 ||
		sed 's/^/trace-cmd: /' log
	[ -s all.dat ] || echo "nothing is recorded"
}

prints_the_same() {	# LEAST-TYPES
	local types
	ANNOT=$annot "$here/tests/lib/trace_cmd_report.py" all.dat >out 2>err || head -c 2000 err
	types=$(sed -n 's/.* events of \([0-9]*\) types, .*/\1/p' out)
	[ "${types:-0}" -ge "$1" ] || echo "only ${types:-no} types of events"
}

# Each has as many lines as it has by itself, and the sum is all.
counts_each() {
	local count name listed
	"$annot" events --summary all.dat >summary
	[ "$("$annot" events all.dat | grep -vc ' LOST ')" = "$(awk '$2 != "-" && NR > 1 { n += $1 } END { print n }' summary)" ] ||
		echo "the summary is not the sum of the lines"
	while read -r count _ _ name; do
		[ "$name" != EVENT ] || continue
		listed=$("$annot" events all.dat "$name" | grep -vc ' LOST ')
		[ "$listed" = "$count" ] || echo "$name: $listed lines, not $count"
	done < <(awk 'NR % 20 == 1' summary)
}

# The others that read traces take what they know.
others_read_it() {
	"$annot" report all.dat >out 2>err || cat err
	"$annot" html -o page.html all.dat >out 2>err || cat err
	"$annot" convert --csv -o table.csv all.dat >out 2>err || cat err
}

write_load
check "events of interrupts, timers, power, system calls and memory are recorded" \
	records -e sched -e irq -e timer -e power -e syscalls -e kmem
check "they are printed as trace-cmd prints them" prints_the_same 40
check "all events of this kernel are recorded" records -e all
check "all are printed as trace-cmd prints them" prints_the_same 100
check "each type is counted" counts_each
check "report, html and convert read the trace" others_read_it
