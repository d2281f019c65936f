#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# annot mcp, asked without a client: what answers say of a trace that lacks events, and of arguments that are wrong. TAP.
set -uo pipefail

cd "$(dirname "$0")/../../.." || exit
annot=${ANNOT:-build/annot}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
# shellcheck source=tests/lib/tap.sh
. tests/lib/tap.sh
output_is_failure=true

call() {	# TOOL [ARGUMENTS]: a request
	printf '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"%s","arguments":%s}}\n' "$1" "${2-{\}}"
}

# The text of each answer to the requests of standard input.
answers() {	# OPTION|TRACE...
	"$annot" mcp "$@" 2>"$work/err" | jq -r '.result.content[0].text'
	[ ! -s "$work/err" ] || cat "$work/err"
}

# What a tool answers, or says to be wrong, is this line.
says() {	# WANTED TRACE TOOL [ARGUMENTS]
	local wanted=$1 trace=$2
	shift 2
	call "$@" | answers "$trace" | diff - <(echo "$wanted")
}

# How many traces lack events is known once they are read; what is asked of them says so.
losses() {
	{ call traces; call findings; call tasks; call compare '{"after":1}'; call traces; } | answers tests/data/lost-6.12.dat |
		jq -c '[(.traces[0] | .lost_events, .lost_gaps, .lost_annotations), .note, .before_note, .after_note]' | diff - <(
		note='"events were lost: in 1 gap; figures are lower bounds"'
		echo '[null,null,null,null,null,null]'
		echo "[null,null,null,$note,null,null]"
		echo "[null,null,null,$note,null,null]"
		echo "[null,null,null,null,$note,$note]"
		echo '[0,1,0,null,null,null]'
	)
	call findings | answers tests/data/scene-quiet.dat | jq -c .note | diff - <(echo null)
}

# A page's address may be long; for one that has no room, no row has, either.
long_links() {
	local page
	page=https://example.org/$(printf 'x%.0s' {1..1500})
	call findings | answers --page "$page" "$work/two.dat" | jq -r .session.page | diff - <(echo "$page#t=0-50000000&r=0-50000000")
	call tasks | answers --page "$page$page$page" "$work/two.dat" | jq -c '[.nr, .tasks]' | diff - <(echo '[3,[{"too_long":true}]]')
}

# On two threads, each on a CPU of its own, ten steps of 1 ms, of which the fifth takes longer: 2 and 3 ms. And 3 spans of
# another task, and a wait.
tell_two() {
	{
		for thread in 0 1; do
			echo 0 $thread 0 switch next_pid=10$thread next_comm=main
			for step in {0..9}; do
				at=$((1000000 + 4000000 * step))
				echo $at $thread 10$thread begin name=step tgid=100
				echo $((at + 1000000 + (step == 4) * (thread + 1) * 1000000)) $thread 10$thread end tgid=100
			done
			echo 50000000 $thread 10$thread switch prev_state=16
		done
		for span in few few few "rest kind=1"; do
			at=$((${at:-0} + 1500000))
			echo $at 0 100 begin name=$span tgid=100
			echo $((at + 1000000)) 0 100 end tgid=100
		done
	} | sort -s -n -k 1,1 | tests/lib/script_trace.py "$work/two.dat" || echo "no trace"
}

# Of both threads, of one, by task or not; and why there is none.
slow_instances() {
	local thread
	call slow_instances | answers "$work/two.dat" | jq -c '[.instances[].evidence | .tid, .to_ns - .from_ns]' |
		diff - <(echo '[101,3000000,100,2000000]')
	for thread in 0 1; do
		{
			call slow_instances "{\"tid\":10$thread}"
			call slow_instances "{\"tid\":10$thread,\"task\":\"step\"}"
		} | answers "$work/two.dat" | jq -c '[.nr, (.instances[].evidence | .tid, .to_ns - .from_ns)]' |
			diff - <(line="[1,10$thread,$((2 + thread))000000]"; printf '%s\n' "$line" "$line")
	done
	says "no thread 7 has an instance" "$work/two.dat" slow_instances '{"tid":7}'
	says "no thread 4294967396 has an instance" "$work/two.dat" slow_instances '{"tid":4294967396}'
	for thread in "" ',"at_ns":1' ',"tid":100'; do
		says "the task has fewer than 8 instances to compare with" "$work/two.dat" slow_instances "{\"task\":\"few\"$thread}"
	done
	says "'rest' is a wait: only instances of work are compared" "$work/two.dat" slow_instances '{"task":"rest"}'
}

wrong_arguments() {
	local nr
	for nr in 0 4097; do
		says "'cpus' is not a number of CPUs from 1 to 4096" "$work/two.dat" what_if "{\"cpus\":$nr}"
	done
	says "there is no trace 9223372036854775807: they are numbered from 1 to 1" "$work/two.dat" tasks '{"trace":9223372036854775807}'
	for nr in 9223372036854775808 18446744073709551616; do
		says "the argument 'trace' is not of type integer, or too large" "$work/two.dat" tasks "{\"trace\":$nr}"
	done
	says "no such finding: 'imbalanc'; did you mean 'imbalance'?; without an argument, explain lists all" "$work/two.dat" \
		explain '{"kind":"imbalanc"}'
	says "no such finding: 'nonsense'; without an argument, explain lists all" "$work/two.dat" explain '{"kind":"nonsense"}'
}

check "a made trace" tell_two
check "events that were lost" losses
check "links to a page with a long address" long_links
check "slow instances of a thread, and of none" slow_instances
check "arguments that are wrong" wrong_arguments
exit $failed
