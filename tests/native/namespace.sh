#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# A program in a PID namespace of its own annotates in batches, and is read as if it were in none. TAP.
set -uo pipefail

cd "$(dirname "$0")/../.." || exit
if [ "$(id -u)" -ne 0 ]; then
	echo "1..0 # SKIP only root may trace"
	exit
fi
if [ -z "${ANNOT_TEST_TRACEFS-}" ]; then
	ANNOT_TEST_TRACEFS=1 exec tests/native/with-tracefs -p tests/native/namespace.sh
fi

unset ANNOT_BATCHES ANNOT_TRACEFS ANNOT_DEBUG
export ANNOT_BACKEND=raw
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
# shellcheck source=tests/lib/tap.sh
. tests/lib/tap.sh
output_is_failure=true

builds() {
	${CC:-cc} -std=gnu11 -O2 -Wall -Wextra -Werror -D_GNU_SOURCE -Iinclude \
		tests/native/two_threads.c build/libannot/libannot.a -lpthread -o "$work/program"
}
check "a program of two threads" builds

records() {	# COMMAND...
	rm -f "$work/trace.dat"
	build/annot record -q -o "$work/trace.dat" -- "$@" "$work/program" >"$work/out" 2>&1 ||
		cat "$work/out"
	grep -q 'raw: .* in batches' "$work/out" || cat "$work/out"
	TRACEEVENT_PLUGIN_DIR=build/viewer trace-cmd report "$work/trace.dat" >"$work/text" 2>/dev/null
}

# The kernel's number of the thread that is called so.
thread_called() {	# NAME
	sed -n "s/.* sched_switch: *$1:\([0-9]*\) .*/\1/p" "$work/text" | sort -u
}

# "task,thread number" of each span, and how many.
spans() {
	build/annot convert --csv -o "$work/items.csv" "$work/trace.dat" >/dev/null 2>&1
	python3 -c '
import collections, csv, sys
counts = collections.Counter((row["name"], row["tid"]) for row in csv.DictReader(sys.stdin)
	if row["name"].startswith("of "))
for (name, tid), number in sorted(counts.items()):
	print(f"{name},{tid},{number}")' <"$work/items.csv"
}

all_are_booked() {
	local first second
	first=$(thread_called annot-first)
	second=$(thread_called annot-second)
	diff <(printf 'of first,%s,250\nof second,%s,250\n' "$first" "$second") <(spans)
	build/annot report --json "$work/trace.dat" >"$work/report"
	grep '"[a-z_]*\(lost_events\|_annotations\)": [1-9]' "$work/report"
	# The process is the first thread's, in the kernel's numbers.
	python3 - "$work/report" "$first" "$second" <<-'END'
		import json, sys
		report = json.load(open(sys.argv[1]))
		first, second = int(sys.argv[2]), int(sys.argv[3])
		tgids = {thread["tid"]: thread["tgid"] for thread in report["threads"]
		         if thread["tid"] in (first, second)}
		if tgids != {first: first, second: first}:
		    print(f"threads and their processes: {tgids}, not {first} of both")
	END
}

one_writes_for_the_other() {
	local second
	second=$(thread_called annot-second)
	grep -q "annot-first-.* raw_data: .*of $second: " "$work/text" ||
		echo "the first thread has written nothing for the second, $second"
}

for where in "no namespace" "a PID namespace"; do
	command=(env)
	[ "$where" = "no namespace" ] || command=(unshare --pid --fork)
	check "$where: it is recorded" records "${command[@]}"
	check "$where: 1000 annotations belong to the threads that made them" all_are_booked
	check "$where: one thread wrote for the other" one_writes_for_the_other
done
