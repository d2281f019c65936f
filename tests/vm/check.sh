# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=dash
#
# To be sourced by a guest's script, where it lies in /test. Prints a test point for a command, with what
# the command said if it failed; and notes that in $failed.

failed=0

check() {	# NAME COMMAND...
	name=$1
	shift
	if "$@" >/tmp/log 2>&1; then
		echo "ok - $name"
	else
		sed 's/^/# /' /tmp/log
		echo "not ok - $name"
		failed=1
	fi
}
