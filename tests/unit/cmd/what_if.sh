#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# annot what-if of recorded scenes: what it predicts, in both forms, and what it refuses. TAP.
set -uo pipefail

cd "$(dirname "$0")/../../.." || exit
annot=${ANNOT:-build/annot}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# shellcheck source=tests/lib/tap.sh
. tests/lib/tap.sh
# shellcheck source=tests/lib/refused.sh
. tests/lib/refused.sh
output_is_failure=true
scene=tests/data/scene-imbalance.dat

# What is more than 10 % off has no answer.
replays() {
	local trace
	for trace in tests/data/scene-*.dat; do
		"$annot" what-if --json "$trace" >"$work/answer"
		python3 - "$trace" "$work/answer" <<-'EOF'
			import json, sys
			answer = json.load(open(sys.argv[2]))
			if abs(answer["replay_error_pct"]) > 7 or "no_answer" in answer or "predicted_ns" in answer:
			    print(sys.argv[1], answer)
		EOF
	done
}

# A balanced loop saves what the finding says, to 2 % of the length.
balances() {
	"$annot" report --json "$scene" >"$work/report" 2>/dev/null
	"$annot" what-if --json --balance loop48 "$scene" >"$work/answer"
	python3 - "$work/report" "$work/answer" <<-'EOF'
		import json, sys
		report, answer = (json.load(open(path)) for path in sys.argv[1:])
		lost_ns = next(one["time_lost_ns"] for one in report["findings"] if one["kind"] == "imbalance")
		saved_ns = answer["recorded_ns"] - answer["predicted_ns"]
		if abs(saved_ns - lost_ns) > 0.02 * answer["recorded_ns"]:
		    print(f"saves {saved_ns}, and the finding says {lost_ns}")
		if not answer["predicted_least_ns"] <= answer["predicted_ns"] <= answer["predicted_most_ns"]:
		    print(f"not in its interval: {answer}")
	EOF
}

# As text, the same.
tells() {
	"$annot" what-if --faster loop48=2 "$scene" >"$work/out" || echo "exit status $?"
	grep -q '^Recorded   6.16 s$' "$work/out" || cat "$work/out"
	grep -Eq '^Predicted  [0-9.]+ s \([0-9.]+ s to [0-9.]+ s\): (48|49|50)\.[0-9] % shorter$' "$work/out" || cat "$work/out"
	grep -Eq '^ +0\.9[0-9] +9\.9[0-9]s +loop48 +#+$' "$work/out" || cat "$work/out"
	awk 'length($0) > 80' "$work/out"
}

refuses() {	# STATUS WORDS OPTION...
	refused "$1" "$2" "$annot" what-if "${@:3}" "$scene"
}

check "unchanged replays of all scenes" replays
check "a loop that is balanced" balances
check "a task that is faster, as text" tells
check "a task that is not there" refuses 1 "has no task 'loop4'; did you mean 'loop48'?" --faster loop4=2
check "a region that is not there" refuses 1 "has no parallel region 'x'" --balance x
check "a program that is not there" refuses 1 "has no program 'imbalanc'; did you mean 'imbalance'?" --without imbalanc
check "all of the session left out" refuses 1 "all threads of the session are of the program 'imbalance'" --without imbalance
check "all of the session left out, as JSON" refuses 1 "without it, nothing is left" --json --without imbalance
check "a task of chunks that is not there" refuses 1 "has no task 'chunk'" --merge-chunks chunk
check "a lock that is not there" refuses 1 "has no lock 'mutex'" --no-lock mutex
# Threads that bound themselves to one CPU gain by nothing but that they are not.
tries_all() {
	"$annot" what-if --json --try-all tests/data/scene-queue.dat >"$work/queue"
	"$annot" what-if --json --try-all "$scene" >"$work/answer"
	python3 - "$work/queue" "$work/answer" <<-'EOF'
		import json, sys
		def gains(path):
		    answer = json.load(open(path))
		    return [(one["change"], one.get("name", ""), 1 - one["predicted_ns"] / answer["recorded_ns"]) for one in answer["trials"]]
		queue, imbalance = (gains(path) for path in sys.argv[1:])
		if queue[0][0] != "unpin" or not 0.45 < queue[0][2] < 0.5 or any(gain > 0.02 for _, _, gain in queue[1:]):
		    print(queue)
		if imbalance[0][:2] != ("balance", "loop48") or not 0.15 < imbalance[0][2] < 0.17:
		    print(imbalance)
		if "unpin" in [change for change, _, _ in imbalance] or {"cpus", "pin"} - {change for change, _, _ in imbalance}:
		    print(imbalance)
	EOF
}

# Each ms of ten, thread 101 waits for half of it, until 100 leaves its futex; then it works for 5 ms.
story() {
	local ms at
	echo 0 0 0 switch next_pid=100 next_comm=main
	echo 0 0 100 begin name=step tgid=100
	echo 0 1 0 switch next_pid=101 next_comm=main
	echo 0 1 101 begin name=step tgid=100
	for ms in {0..9}; do
		at=$((ms * 1000000))
		echo $((at + 500000)) 1 101 blocked nr=-1 arg1=128 what=1 object=0x1000 holder=100 flags=2
		echo $((at + 500000)) 1 101 switch prev_state=1
		echo $((at + 1000000)) 0 100 wakeup pid=101 comm=main target_cpu=1
		echo $((at + 1000000)) 1 0 switch next_pid=101 next_comm=main
	done
	echo 10000000 0 100 end tgid=100
	echo 10000000 0 100 switch prev_state=16
	echo 15000000 1 101 end tgid=100
	echo 15000000 1 101 switch prev_state=16
}

# Without its waits, thread 101 has 10 ms of work.
leaves_out_futex() {
	story | tests/lib/script_trace.py "$work/futex.dat" || echo "no trace"
	"$annot" what-if --json --no-lock "futex 0x1000" "$work/futex.dat" >"$work/answer" || echo "exit status $?"
	"$annot" what-if --json --try-all "$work/futex.dat" >"$work/trials" || echo "exit status $?"
	"$annot" report --json "$work/futex.dat" >"$work/report" 2>/dev/null || echo "exit status $?"
	python3 - "$work/answer" "$work/trials" "$work/report" <<-'EOF'
		import json, sys
		answer, trials, report = (json.load(open(path)) for path in sys.argv[1:])
		lock = report["lock_contention"]["locks"][0]["lock"]
		finding = next(one for one in report["findings"] if one["kind"].startswith("lock-"))
		first = trials["trials"][0]
		if lock != "futex 0x1000" or [answer["recorded_ns"], round(answer["predicted_ns"], -4)] != [15000000, 10000000]:
		    print(lock, answer)
		if (first["change"], first["name"], first["predicted_ns"]) != ("no-lock", lock, answer["predicted_ns"]):
		    print(trials)
		if finding["gain_ns"] != answer["recorded_ns"] - answer["predicted_ns"]:
		    print(finding)
	EOF
}

# 125 tasks of 1 ms, one after the other; if LONG is 1, one more of 9 ms behind them.
many_tasks() {	# LONG
	local i at=0
	echo 0 0 0 switch next_pid=100 next_comm=main
	for i in {1..125}; do
		echo $at 0 100 begin name="small-$i" tgid=100
		echo $((at += 1000000)) 0 100 end tgid=100
	done
	[ "$1" -eq 0 ] || echo $at 0 100 begin name=large tgid=100
	[ "$1" -eq 0 ] || echo $((at += 9000000)) 0 100 end tgid=100
	echo $at 0 100 switch prev_state=16
}

# A task of less than 1 % of the work has no row, but is counted.
counts_unlisted() {	# LONG
	many_tasks "$1" | tests/lib/script_trace.py "$work/many.dat" || echo "no trace"
	"$annot" what-if "$work/many.dat" | tail -1 |
		diff - <(echo "Not listed: 125 tasks of less than 1 % of the work, or without an answer.")
	"$annot" what-if --json "$work/many.dat" | jq -c '[(.tasks | length), .tasks_left_out]' | diff - <(echo "[$1,125]")
	! "$annot" what-if "$scene" | grep "Not listed"
}

# loop48 takes most of the time; ten times as fast, it takes less than serial. Nobody is worth it of many small ones.
names_next() {
	"$annot" what-if tests/data/scene-wide.dat | sed -n '/^First/p' |
		grep -Ex 'First      loop48: 1 % less work in it makes the run 0\.7[0-9] % shorter' >/dev/null || echo "not loop48"
	"$annot" what-if --faster loop48=10 tests/data/scene-wide.dat | sed -n '/^Next/p' |
		grep -Ex 'Next       serial: 1 % less work in it makes the run 0\.[0-9]+ % shorter' >/dev/null || echo "not serial"
	"$annot" what-if --json --faster loop48=10 tests/data/scene-wide.dat | jq -r '.next_task, .tasks[0].name' | uniq |
		diff - <(echo serial)
	many_tasks 0 | tests/lib/script_trace.py "$work/many.dat" || echo "no trace"
	! "$annot" what-if "$work/many.dat" | grep '^First'
	"$annot" what-if --json "$work/many.dat" | jq -c .next_task | diff - <(echo null)
}

# A thread that is ready, on an idle CPU, for half of the time: no scheduler does that.
inexplicable() {
	local ms
	echo 0 0 0 switch next_pid=100 next_comm=main
	for ms in {1..19..2}; do
		echo $((ms * 1000000)) 0 100 switch prev_state=0
		echo $(((ms + 1) * 1000000)) 0 0 switch next_pid=100 next_comm=main
	done
	echo 21000000 0 100 switch prev_state=16
}

# Beyond 10 %, there is no figure that could be taken for an answer.
gives_no_answer() {
	inexplicable | tests/lib/script_trace.py "$work/inexplicable.dat" || echo "no trace"
	"$annot" what-if "$@" "$work/inexplicable.dat" >"$work/out" || echo "exit status $?"
	diff - "$work/out" <<-'EOF'
		Recorded   21.0 ms
		Replayed   11.0 ms unchanged: -47.6 %
		No answer: the replay differs from the recording by more than 10 %.
	EOF
	"$annot" what-if --json "$@" "$work/inexplicable.dat" | jq -c 'keys' |
		diff - <(echo '["latency_ns","no_answer","recorded_ns","replay_error_pct","replayed_ns","slice_ns"]')
}

# The slowest thread of loop48 no later than the mean, serial in half the time; CPUs that nobody needs change nothing. On four
# CPUs, eight threads of loop48 take turns.
makes_several() {
	local trace=tests/data/scene-wide.dat
	"$annot" report --json $trace >"$work/report" 2>/dev/null
	"$annot" what-if --json --balance loop48 --faster serial=2 --cpus 16 $trace >"$work/on16"
	"$annot" what-if --json --cpus 4 --faster serial=2 --balance loop48 $trace >"$work/on4"
	python3 - "$work"/{report,on16,on4} <<-'EOF'
		import json, sys
		report, on16, on4 = (json.load(open(path)) for path in sys.argv[1:])
		loop, serial = (next(task for task in report["tasks"] if task["name"] == name) for name in ("loop48", "serial"))
		rest_ns = on16["recorded_ns"] - loop["wall_ns"]["max"] - serial["wall_ns"]["sum"] / 2
		for answer, nr_cpus in (on16, 8), (on4, 4):
		    true_ns = rest_ns + loop["on_cpu_ns"] / nr_cpus
		    if abs(answer["predicted_ns"] / true_ns - 1) > 0.01:
		        print(f"{nr_cpus} CPUs: {answer['predicted_ns']}, not {true_ns}")
	EOF
}

check "no answer where the replay is off" gives_no_answer
check "no answer with a change" gives_no_answer --cpus 2 --pin
check "no answer to what suggests itself" gives_no_answer --try-all
check "several changes at once" makes_several
check "small tasks only: none listed, all counted" counts_unlisted 0
check "small tasks beside a large one" counts_unlisted 1
check "the next bottleneck" names_next
check "what suggests itself, the greatest gain first" tries_all
check "a lock that only its futex tells of" leaves_out_futex
check "a futex that is not there" refused 1 "has no lock 'futex 0x2000'; did you mean 'futex 0x1000'?" \
	"$annot" what-if --no-lock "futex 0x2000" "$work/futex.dat"
check "--try-all and a change" refuses 2 "either --try-all or changes" --try-all --pin
check "pinned and not pinned" refuses 2 "either --pin or --unpin" --pin --unpin
check "two regions" refuses 2 "--balance 'serial': may be given only once" --balance loop48 --balance serial
check "two programs" refuses 2 "--without 'b': may be given only once" --without a --without b
check "two locks" refuses 2 "--no-lock 'b': may be given only once" --no-lock a --no-lock b
check "two tasks of chunks" refuses 2 "--merge-chunks 'b': may be given only once" --merge-chunks a --merge-chunks b
check "two numbers of CPUs" refuses 2 "--cpus '8': may be given only once" --cpus 4 --cpus 8
check "a task whose name has a newline, ESC and a byte that is no UTF-8" \
	refuses 1 "has no task 'a?b?[1m?ä'" --faster $'a\nb\e[1m\xffä=2'
check "a value that has a newline" refuses 2 "--cpus 'a?b': not a number of CPUs" --cpus $'a\nb'
check "an option that has a newline" refuses 2 "unknown option '--a?b'" $'--a\nb'
check "no factor" refuses 2 "not TASK=FACTOR" --faster loop48
check "a factor that is none" refuses 2 "not a factor from 0.01 to 1000" --faster loop48=0
check "no CPUs" refuses 2 "not a number of CPUs" --cpus 0
exit $failed
