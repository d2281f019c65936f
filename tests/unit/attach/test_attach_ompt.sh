#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# What the front of OMPT makes of what a runtime of OpenMP 5.2 tells.
set -u

cd "$(dirname "$0")/../../.." || exit 1
# shellcheck source=tests/lib/raw.bash
. tests/lib/raw.bash
here=tests/unit/attach

compiles() {
	local flags=(-D_GNU_SOURCE -std=gnu11 -O1 -g -Wall -Wextra -Werror)
	${CC:-cc} "${flags[@]}" $here/ompt_runtime.c -o "$work/runtime" &&
		${CC:-cc} "${flags[@]}" -shared -fPIC $here/ompt_tool.c -o "$work/tool.so"
}

attached() {	# BACKEND [full | detached]
	recorded ANNOT_BACKEND="$1" "$work/runtime" "$PWD/build/libannot/attach/ompt.so" "${@:2}" || echo "exit status $?"
}

# Without addresses, places are their words.
expected() {
	local team
	for team in 1 3; do
		printf '%s\n' "B parallel $team" 'B for 5' 'I @chunks 5' E 'B for 5' E 'B for 5' 'I @chunks 0' E \
			"B parallel $((team + 1))" 'B for 5' E E "I @team_ompt $((team + 1))" \
			'W barrier' E 'B task' E 'W barrier 0' E \
			'B for 5' 'I @chunks 2' E E "W barrier @team_ompt $team" "I @team_ompt $team"
	done
}

tells() {
	attached raw
	diff <(expected) <(told)
}

heard='4 regions, 4 parts, 16 chunks, 10 waits, 0 wrong'

# A tool that was to be loaded before hears all of it, too, and has its words for itself.
chained() {
	export ANNOT_ATTACH_NEXT_OMPT=/no/such/tool.so:$work/tool.so
	diff <(echo "$heard") <(attached raw)
	diff <(expected) <(told)
	diff <(echo "$heard") <(attached off)
	unset ANNOT_ATTACH_NEXT_OMPT
}

# The room of tasks that were detached is free again.
chained_detached() {
	export ANNOT_ATTACH_NEXT_OMPT=$work/tool.so
	diff <(echo "$heard") <(attached raw detached)
	diff <(expected) <(told)
	unset ANNOT_ATTACH_NEXT_OMPT
}

# Of regions that find no room beside it, no begin is told whose end would not be.
chained_without_room() {
	local team
	export ANNOT_ATTACH_NEXT_OMPT=$work/tool.so
	diff <(echo "$heard") <(attached raw full)
	diff <(for team in 1 3; do printf '%s\n' "I @team_ompt $((team + 1))" 'W barrier' E "I @team_ompt $team"; done) <(told)
	unset ANNOT_ATTACH_NEXT_OMPT
}

silent() {
	attached off
	[ ! -s "$raw" ] || echo "it tells all the same"
}

check "a runtime is built" compiles
check "regions, loops and their chunks, a task within a wait" tells
check "another tool hears the same" chained
check "beside another tool, more tasks than there is room for" chained_without_room
check "beside another tool, many tasks that were detached" chained_detached
check "nothing is told when nothing records" silent
