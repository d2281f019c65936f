# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
#
# To be sourced by tests that run commands under valgrind's memcheck: without it, they are skipped.
# $work is a directory for their files.

if ! command -v valgrind >/dev/null; then
	echo "1..0 # SKIP no valgrind"
	exit
fi
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
# shellcheck source=tests/lib/tap.sh
. tests/lib/tap.sh

# No bad access, nothing unset that decides, no leak; and the status that is expected.
clean() {	# NAME STATUS COMMAND...
	local name=$1 wanted=$2 status=0
	shift 2
	valgrind -q --error-exitcode=99 --leak-check=full --show-leak-kinds=all \
		--errors-for-leak-kinds=all "$@" >/dev/null 2>"$work/log" || status=$?
	if [ $status -eq "$wanted" ]; then
		pass "$name"
	else
		{ head -n 40 "$work/log"; echo "exit status $status, not $wanted"; } >"$tap_log"
		fail "$name"
	fi
}
