# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
#
# To be sourced by a script of tests whose directory for its files is $work.

# Runs FUNCTION, which says on its output why it failed; silence is success.
check() {	# NAME FUNCTION [ARGUMENT...]
	local name=$1 status=0
	shift
	"$@" >"$work/why" 2>&1 || status=$?
	if [ $status -eq 0 ] && [ ! -s "$work/why" ]; then
		echo "ok - $name"
	else
		sed 's/^/# /' "$work/why"
		echo "not ok - $name"
	fi
}
