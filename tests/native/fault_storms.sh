#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# SLOW
# TIMED
#
# A program that touches new memory, page by page, and knows how many page faults that took, and how long; its twin uses the
# same memory again. TAP.
# shellcheck disable=SC2154,SC2317	# record.bash assigns; checks are called by name
set -u

cd "$(dirname "$0")/../.." || exit
# shellcheck source=tests/native/record.bash
. tests/native/record.bash

touching() {	# ROUNDS
	record 0 -q -b 16384 --tracepoint exceptions -o faults.dat -- "$work/touching" "$1"
	"$annot" report --json --show fault_storms faults.dat >report.json 2>err || cat err
}

differs() {
	touching 12
	python3 - <<-'EOF'
		import json
		faults, ns = map(int, open("out").read().split())
		report = json.load(open("report.json"))
		row = next(row for row in report["fault_storms"]["threads"] if row["comm"] == "touching")
		if abs(row["storm_faults"] - faults) > 0.01 * faults:
		    print(row["storm_faults"], "faults in storms, not", faults)
		if abs(row["ns"] - ns) > 0.02 * ns:
		    print("storms took", row["ns"], "ns, not", ns)
		if not 8192 <= row["storm_pages"] <= 1.01 * faults:
		    print(row["storm_pages"], "pages")
		found = [finding for finding in report["findings"] if finding["kind"] == "page-fault-storm"]
		if [finding["evidence"]["tids"][0] for finding in found] != [row["tid"]]:
		    print("found:", report["findings"])
	EOF
}

# On a busy machine, others come between many faults: one of three recordings has to agree.
is_as_counted() {
	local differences
	for _ in 1 2 3; do
		differences=$(differs)
		[ -n "$differences" ] || return 0
	done
	printf '%s\n' "$differences"
}

twin_is_quiet() {
	touching 0
	python3 - <<-'EOF'
		import json
		found = [finding["text"] for finding in json.load(open("report.json"))["findings"] if finding["kind"] == "page-fault-storm"]
		if found:
		    print("found:", found)
	EOF
}

if [ ! -e $tracefs/events/exceptions ]; then
	skip "page faults are found" "this kernel has no events of them"
	exit
fi
cc -O2 -Wall -Werror -o "$work/touching" "$here/tests/native/touching.c" || exit
check "page faults are as many, and take as long, as the program says" is_as_counted
check "a program that uses its memory again has no storm" twin_is_quiet
exit "$failed"
