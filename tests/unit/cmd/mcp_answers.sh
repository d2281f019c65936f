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

check "events that were lost" losses
exit $failed
