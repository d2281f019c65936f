#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Priority inheritance, recorded by trace-cmd on this machine: each change is a mark of the thread whose priority changes, as
# the program reads it from /proc. TAP.
set -uo pipefail

cd "$(dirname "$0")/../.." || exit
annot=${ANNOT:-build/annot}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# shellcheck source=tests/lib/tap.sh
. tests/lib/tap.sh
output_is_failure=true

if [ "$(id -u)" -ne 0 ]; then
	echo "1..0 # SKIP only root may trace"
	exit
fi

record() {	# PRIORITY
	tests/native/with-tracefs trace-cmd record -q -e sched:sched_switch -e sched:sched_pi_setprio -o "$work/lend.dat" \
		"$work/lend" 20 "$1" >"$work/truth" 2>"$work/err" || cat "$work/err"
	[ "$(wc -l <"$work/truth")" -eq 40 ] || echo "the program says: $(cat "$work/truth")"
}

# As the program says them: thread, priority before, and after.
words_of_truth() {
	awk 'function words(prio) { return prio < 100 ? "real-time priority " 99 - prio : "nice " prio - 120 }
		{ print $1, words($2) " to " words($3) }' "$work/truth"
}

marks() {
	"$annot" convert --csv -o "$work/lend.csv" "$work/lend.dat" >"$work/err" 2>&1 || cat "$work/err"
	python3 - "$work/lend.csv" <<-'EOF'
		import csv, sys
		for row in csv.DictReader(open(sys.argv[1])):
		    if row["kind"] == "priority" and row["comm"] == "lend":
		        print(row["tid"], row["text"].split(", by ")[0])
	EOF
}

check "a program is built" "${CC:-cc}" -O2 -pthread -o "$work/lend" tests/native/lend.c
for priority in 10 99; do
	check "priority $priority: it is recorded" record $priority
	check "priority $priority: marks say what is lent and given back" diff <(words_of_truth) <(marks)
done
exit $failed
