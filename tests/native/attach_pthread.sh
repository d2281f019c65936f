#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# SLOW
# TIMED
#
# Recordings of programs that nobody annotated, to which the front of POSIX threads is attached: their output is
# the same, and the report has their waits. TAP.
# shellcheck disable=SC2154	# record.bash assigns what is not assigned here
set -u

cd "$(dirname "$0")/../.." || exit
# shellcheck source=tests/native/record.bash
. tests/native/record.bash
unset ANNOT_BATCHES ANNOT_TRACEFS ANNOT_DEBUG ANNOT_BACKEND
preload=$here/build/libannot/libannot.so.0:$here/build/libannot/attach/pthread.so

makes_programs() {
	${CC:-cc} -D_GNU_SOURCE -std=gnu11 -O1 -g -Wall -Wextra -Werror "$here/tests/unit/attach/pthread_waits.c" \
		-lpthread -o waits
	${CC:-cc} -D_GNU_SOURCE -std=gnu11 -O1 -g -Wall -Wextra -Werror "$here/tests/native/attach/convoy.c" \
		-lpthread -o convoy
	# Neither random nor all alike: blocks differ in what they take.
	awk 'BEGIN { srand(7); for (i = 0; i < 400000; i++) print i, int(rand() * (i % 9973)) }' >input
}

record_attached() {	# OUTPUT COMMAND...
	local output=$1
	shift
	timeout 120 "$annot" record -q -o trace.dat -- env LD_PRELOAD="$preload" "$@" >"$output" 2>err ||
		echo "exit status $?: $(cat err)"
	timeout 60 "$annot" report --json trace.dat >report.json || echo "no report"
}

# Prints the sum of what is waited for in tasks whose names begin with WORD.
waited_ns() {	# WORD
	python3 - "$1" <<-'EOF'
		import json, sys
		with open("report.json") as file:
		    tasks = json.load(file)["tasks"]
		print(sum(task["waiting_ns"] for task in tasks
		          if task["kind"] == "wait" and task["name"].startswith(sys.argv[1] + " ")))
	EOF
}

# Within 2 % of what the program's own clock says.
waits_as_long() {	# SCENARIO WORD
	local made told
	record_attached made ./waits "$1"
	made=$(awk -v word="$2" '$1 == word { sum += $4 } END { printf "%d", sum }' made)
	told=$(waited_ns "$2")
	[ "$made" -gt 100000000 ] || echo "only $made ns were waited"
	[ "$told" -le "$made" ] && [ "$told" -ge $((made * 98 / 100)) ] || echo "told are $told ns, made $made"
}

# Says what is wrong with the convoy that is found, and with who waited for whom, which the program measures.
finds_convoy() {
	record_attached made ./convoy 1000 300
	python3 - <<-'EOF'
		import json
		with open("report.json") as file:
		    report = json.load(file)
		with open("made") as file:
		    made = {int(tid): int(ns) for tid, ns in map(str.split, file)}
		if [own["kind"] for own in report["findings"]].count("lock-convoy") != 1:
		    print("no convoy is found")
		lock = report["lock_contention"]["locks"][0]
		if lock["convoy_waits"] < 0.9 * lock["waits"] or lock["waits"] < 200:
		    print(f'{lock["convoy_waits"]} of {lock["waits"]} waits are in convoys')
		for tid, ns in made.items():
		    told = sum(pair["ns"] for pair in report["lock_contention"]["pairs"] if pair["tid"] == tid)
		    if not 0.95 * ns <= told <= 1.02 * ns:
		        print(f"{tid} waited {ns} ns, for others {told}")
	EOF
}

# The threads seldom meet: there may be contention, but no convoy, unless a busy machine keeps a holder from its CPU.
finds_no_convoy() {
	for _ in 1 2 3; do
		record_attached made ./convoy 100 8000
		grep -q '"kind": *"lock-convoy"' report.json || return 0
	done
	echo "a convoy is found"
}

# Of a program of Debian's that compresses in two threads, and waits as the WORDS say.
same_output() {	# WORDS COMMAND...
	local words=$1 word
	shift
	timeout 60 "$@" <input >bare || echo "exit status $?"
	record_attached attached sh -c '"$@" <input' sh "$@"
	cmp bare attached
	for word in $words; do
		[ "$(waited_ns "$word")" -gt 0 ] || echo "no wait is a $word"
	done
}

check "programs and their input" makes_programs
check_afresh "barriers: the report has what the program measures" waits_as_long barrier barrier
check_afresh "mutexes: the report has what the program measures" waits_as_long held mutex
check_afresh "a convoy at a mutex, and who waited for whom" finds_convoy
check_afresh "no convoy where threads seldom meet" finds_no_convoy
check_afresh "xz with two threads" same_output condition xz -T2 -1 --block-size=256KiB -c
check_afresh "zstd with two threads" same_output 'condition join' zstd -T2 -B262144 -q -c
