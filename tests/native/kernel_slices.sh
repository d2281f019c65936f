#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# SLOW
# TIMED
#
# System calls that trace-cmd records on this machine, by either system of events, against what the program says that
# it did. TAP.
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

record() {	# NAME ARGUMENT...
	local name=$1
	shift
	tests/native/with-tracefs trace-cmd record -q -b 8000 -e sched -e task "$@" -o "$work/$name.dat" \
		"$work/calls" >"$work/$name.truth" 2>"$work/$name.err" ||
		cat "$work/$name.err"
}

# What the program's calls are in the table: NAME RESULT LENGTH, of those that are there as a whole.
calls_of() {	# TRACE
	"$annot" convert --csv -o "$work/calls.csv" "$1" 2>"$work/err" || cat "$work/err" >&2
	python3 - "$work/calls.csv" <<-'EOF'
		import csv, sys
		for row in csv.DictReader(open(sys.argv[1])):
		    if row["kind"] == "system call" and row["comm"] == "calls" and not row["state"]:
		        print(row["name"], row["value"], int(row["end_ns"]) - int(row["start_ns"]))
	EOF
}

# Counts and errors are exact; the program's own clock saw a little more than the calls took.
figures() {	# NAME
	calls_of "$work/$1.dat" >"$work/ours"
	python3 - "$work/ours" "$work/$1.truth" <<-'EOF'
		import sys
		calls = [line.rsplit(maxsplit=2) for line in open(sys.argv[1])]
		for line in open(sys.argv[2]):
		    name, count, errors, slept_ns = line.split()
		    own = [(int(value), int(length)) for call, value, length in calls if call == name]
		    failed = sum(value < 0 for value, _ in own)
		    total_ns = sum(length for _, length in own)
		    if (len(own), failed) != (int(count), int(errors)):
		        print(name, "is there", len(own), "times,", failed, "errors")
		    if int(slept_ns) and not total_ns <= int(slept_ns) <= 1.02 * total_ns + 1e6:
		        print(name, "took", total_ns, "not", slept_ns)
	EOF
}

# Others may make these calls, too: no less than the program's is there.
report_has() {	# NAME
	"$annot" report --json --show system_calls "$work/$1.dat" >"$work/report.json" 2>"$work/err" || cat "$work/err"
	python3 - "$work/report.json" "$work/$1.truth" <<-'EOF'
		import json, sys
		with open(sys.argv[1]) as file:
		    calls = {call["call"]: call for call in json.load(file)["system_calls"]["calls"]}
		for line in open(sys.argv[2]):
		    name, count, errors, slept_ns = line.split()
		    call = calls[name]
		    if call["calls"] < int(count) or call["errors"] < int(errors):
		        print(name, "has", call)
		    if int(slept_ns) and call["blocked_ns"] < 0.9 * 20 * 5e6:
		        print(name, "was blocked for", call["blocked_ns"])
		    known = call["on_cpu_ns"] + call["blocked_ns"] + call["waiting_ns"]
		    if not 0.9 * call["total_ns"] <= known <= call["total_ns"]:
		        print(name, "is divided into", known, "of", call["total_ns"])
	EOF
}

# Each result, as trace-cmd has it.
as_trace_cmd() {
	trace-cmd report -i "$work/raw.dat" 2>/dev/null |
		sed -n 's/^ *calls-[0-9]* .* sys_exit: *NR 140 = \(-\?[0-9]*\)$/\1/p' >"$work/theirs"
	calls_of "$work/raw.dat" | sed -n 's/^getpriority \(.*\) .*/\1/p' >"$work/ours"
	[ "$(wc -l <"$work/ours")" -eq 1000 ] || echo "not 1000"
	diff "$work/ours" "$work/theirs"
}

check "a program is built" "${CC:-cc}" -O2 -o "$work/calls" tests/native/calls.c
check "raw_syscalls: it is recorded" record raw -e raw_syscalls
check "raw_syscalls: counts, errors and times" figures raw
check "raw_syscalls: the report has them" report_has raw
if [ -d /sys/kernel/tracing/events/syscalls/sys_enter_getpriority ]; then
	check "syscalls: it is recorded" record named -e syscalls
	check "syscalls: counts, errors and times" figures named
	check "both: it is recorded" record both -e syscalls -e raw_syscalls
	check "both: each call is there once" figures both
else
	skip "syscalls" "this kernel has no events of single system calls"
fi
if [ "$(uname -m)" = x86_64 ]; then
	check "results as trace-cmd has them" as_trace_cmd
else
	skip "results as trace-cmd has them" "the number is that of x86"
fi
exit $failed
