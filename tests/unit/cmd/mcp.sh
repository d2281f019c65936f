#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# SLOW
# NEEDS: npm-packages
#
# annot mcp: what the client of the protocol's own SDK is told, of a made trace and of recorded ones; lines that are no
# requests; and that it only reads. TAP.
set -uo pipefail

cd "$(dirname "$0")/../../.." || exit
annot=${ANNOT:-build/annot}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
export NODE_PATH=${ANNOT_BUILD:-build}/tests/npm/node_modules

# shellcheck source=tests/lib/tap.sh
. tests/lib/tap.sh
# shellcheck source=tests/lib/refused.sh
. tests/lib/refused.sh
output_is_failure=true

# Ten steps of one thread in 43 ms: each runs for so many ms, from 1 ms on, a step every 4 ms; the seventh also sleeps for 2 ms.
story() {	# MS
	local step at run=$(($1 * 1000000))
	echo 0 0 0 switch next_pid=100 next_comm=main
	for step in {0..9}; do
		at=$(((1 + 4 * step) * 1000000))
		echo $at 0 100 begin name=step tgid=100
		if [ "$step" -eq 6 ]; then
			echo $((at + 500000)) 0 100 switch prev_state=1
			echo $((at + 2500000)) 0 0 wakeup pid=100 comm=main
			echo $((at + 2500000)) 0 0 switch next_pid=100 next_comm=main
			at=$((at + 2000000))
		fi
		echo $((at + run)) 0 100 end tgid=100
	done
	echo 43000000 0 100 switch prev_state=16
}

tell() {	# MS FILE
	story "$1" | tests/lib/script_trace.py "$2" || echo "no trace"
}

# One span each of 300 names, of an awkward one, and of one that leaves no room for its figures.
tell_many() {
	{
		echo 0 0 0 switch next_pid=100 next_comm=main
		for name in task-{1..300} 'a "b" <c>\' "$(printf 'x%.0s' {1..3600})"; do
			echo 1000 0 100 begin tgid=100 "name='$name'"
			echo 1000 0 100 end tgid=100
		done
		echo 2000 0 100 switch prev_state=16
	} | awk '{ $1 = NR * 1000; print }' | tests/lib/script_trace.py "$work/many.dat" || echo "no trace"
}

ask() {	# TRACE...: requests on standard input
	timeout 60 "$annot" mcp "$@" 2>"$work/err"
}

request() {	# ID METHOD [PARAMS]
	printf '{"jsonrpc":"2.0","id":%s,"method":"%s","params":%s}\n' "$1" "$2" "${3-{\}}"
}

# What is answered to the lines of standard input, as jq filters it, and to a ping behind them.
answers() {	# FILTER
	{ cat; request '"last"' ping; } | ask "$work/before.dat" | jq -c "$1"
	[ ! -s "$work/err" ] || cat "$work/err"
}

# One line each; a notification and an empty line are not answered.
no_requests() {
	{
		printf 'nonsense\n{"jsonrpc":"2.0","id":1\n\n[]\n"text"\nnull\n7\n7 8\n'
		printf '\xff\xfe\x00\n{"jsonrpc":"2.0","id":2,"method":"\xff"}\n'
		printf '[%.0s' {1..100000}
		printf '\n'
		printf '{"jsonrpc":"1.0","id":3,"method":"ping"}\n{"id":4,"method":"ping"}\n{"jsonrpc":"2.0","id":5}\n'
		printf '{"jsonrpc":"2.0","id":null,"method":"ping"}\n{"jsonrpc":"2.0","id":1.5,"method":"ping"}\n'
		printf '{"jsonrpc":"2.0","id":"a\\u0000b","method":"ping"}\n{"jsonrpc":"2.0","id":6,"method":7}\n'
		printf '{"jsonrpc":"2.0","method":"ping"}\n{"jsonrpc":"2.0","method":"notifications/initialized"}\n'
		printf '{"jsonrpc":"2.0","id":9,"result":{}}\n'
		request 10 no/such/method
		request 11 ping '[]'
		request 12 tools/call '[]'
		request 13 tools/call '{"name":"tasks","arguments":[]}'
		request 14 tools/call '{"name":7}'
		request 15 initialize
		request 16 ping | sed 's/.*/ \t& \r/'
		request 17 ping | sed 's/$/x/'
	} | answers '[.id, .error.code // 0]' | diff - <(cat <<-'EOF'
		[null,-32700]
		[null,-32700]
		[null,-32600]
		[null,-32600]
		[null,-32600]
		[null,-32600]
		[null,-32700]
		[null,-32700]
		[null,-32700]
		[null,-32700]
		[3,-32600]
		[4,-32600]
		[5,-32600]
		[null,-32600]
		[null,-32600]
		[null,-32600]
		[6,-32600]
		[10,-32601]
		[11,-32602]
		[12,-32602]
		[13,-32602]
		[14,-32602]
		[15,-32602]
		[16,0]
		[null,-32700]
		["last",0]
	EOF
	)
}

padded() {	# ID BYTES
	head -c "$2" /dev/zero | tr '\0' x | sed "s/.*/{\"jsonrpc\":\"2.0\",\"id\":$1,\"method\":\"ping\",\"params\":{\"x\":\"&\"}}/"
	echo
}

long_lines() {
	{
		padded 1 1000000
		padded 2 1050000
		head -c 200000000 /dev/zero | tr '\0' '{'
		echo
	} | answers '[.id, .error.message]' | diff - <(cat <<-'EOF'
		[1,null]
		[null,"the message is longer than 1 MiB"]
		[null,"the message is longer than 1 MiB"]
		["last",null]
	EOF
	)
}

# The last line without its newline is answered, too.
ends_with_input() {
	[ "$(request 1 ping | tr -d '\n' | ask "$work/before.dat")" = '{"jsonrpc":"2.0","id":1,"result":{}}' ] || echo "no answer"
	ask "$work/before.dat" </dev/null || echo "exit status $?"
	[ ! -s "$work/err" ] || cat "$work/err"
}

# Only with a token, as it was given, and before the answer; the trace is read by the first question.
tells_progress() {
	local token
	for token in '"a \"b\""' 7; do
		{
			request 1 tools/call '{"name":"tasks","_meta":{"progressToken":'"$token"'}}'
			request 2 tools/call '{"name":"tasks","_meta":{"progressToken":'"$token"'}}'
		} | ask "$work/before.dat" | jq -c '[.id, .method, .params.progressToken, .params.progress]' | diff - <(cat <<-EOF
			[null,"notifications/progress",$token,0]
			[null,"notifications/progress",$token,1]
			[1,null,null,null]
			[2,null,null,null]
		EOF
		)
	done
	for token in null '{}' 1.5 '[1]'; do
		request 1 tools/call '{"name":"tasks","_meta":{"progressToken":'"$token"'}}' | ask "$work/before.dat" |
			jq -c .id | diff - <(echo 1) || echo "with $token"
	done
	request 1 tools/call '{"name":"tasks","_meta":7}' | ask "$work/before.dat" | jq -c .id | diff - <(echo 1)
}

# The client's version if it is known, else the newest.
negotiates() {
	local version
	for version in 2024-11-05 2025-06-18 2025-11-25 2025-03-26 1999-01-01; do
		request 1 initialize "{\"protocolVersion\":\"$version\"}"
	done | ask "$work/before.dat" | jq -r .result.protocolVersion |
		diff - <(printf '%s\n' 2024-11-05 2025-06-18 2025-11-25 2025-11-25 2025-11-25)
}

questions() {
	request 1 initialize '{"protocolVersion":"2025-06-18"}'
	request 2 tools/list
	request 3 tools/call '{"name":"findings"}'
	request 4 tools/call '{"name":"tasks","arguments":{"task":"/etc/passwd"}}'
	request 5 tools/call '{"name":"slow_instances"}'
	request 6 tools/call '{"name":"what_if"}'
	request 7 tools/call '{"name":"compare"}'
	request 8 tools/call '{"name":"explain","arguments":{"kind":"../../etc/passwd"}}'
}

# No file is opened but to be read, nor made, moved or removed; no program, no socket; nothing that a question named.
only_reads() {
	questions | strace -f -o "$work/calls" -e trace=%file,%network,%process,write \
		"$annot" mcp "$work/before.dat" "$work/after.dat" >"$work/out" 2>"$work/err"
	[ "$(wc -l <"$work/out")" -eq 8 ] || echo "$(wc -l <"$work/out") answers"
	sed -E 's/^[0-9]+ +//' "$work/calls" | grep -vE '^(\+\+\+|---|<\.\.\.|exit|exit_group|wait4|arch_prctl)' |
		grep -vE '^(openat\([A-Z_]+, "[^"]*", O_RDONLY(\|O_CLOEXEC|\|O_NOFOLLOW|\|O_DIRECTORY|\|O_NONBLOCK)*[,)]|(access|readlink|readlinkat|newfstatat|stat|statx|lstat|getcwd|statfs)\(|clone3?\(.*CLONE_THREAD|write\([12], )' |
		grep -v "^execve(\"$annot\""
	! grep 'passwd"' "$work/calls"
	grep -q 'before.dat", O_RDONLY' "$work/calls" || echo "strace tells nothing"
}

check "a made trace" tell 1 "$work/before.dat"
check "another" tell 2 "$work/after.dat"
timeout 120 node tests/unit/cmd/mcp/client.js "$annot" made "$work/before.dat" "$work/after.dat" || failed=1
check "many tasks" tell_many
timeout 120 node tests/unit/cmd/mcp/client.js "$annot" many "$work/many.dat" || failed=1
timeout 300 node tests/unit/cmd/mcp/client.js "$annot" recorded tests/data/scene-*.dat tests/data/lost-6.12.dat || failed=1
check "lines that are no requests" no_requests
check "lines that are long" long_lines
check "the end of standard input" ends_with_input
check "progress of a call" tells_progress
check "versions of the protocol" negotiates
check "it only reads" only_reads
check "no trace" refused 2 "the trace is missing" "$annot" mcp
check "a trace that is none" refused 1 "tests/README.md" "$annot" mcp tests/README.md
exit $failed
