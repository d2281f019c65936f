# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=dash disable=SC2034	# scripts use $failed
#
# Test points, as TAP. To be sourced by shell scripts: by bash on this machine, by busybox's sh in
# guests, where it lies in /test.
#
# A script that has a directory $work sets it first. What a command prints goes to $tap_log; a point
# that fails shows it, and sets $failed to 1.

failed=0
tap_log=${work:-/tmp}/tap.log
# A script sets this to true if a command of its checks prints something only to say why it failed.
output_is_failure=false

pass() { echo "ok - $1"; }	# NAME
skip() { echo "ok - $1 # SKIP $2"; }	# NAME REASON

fail() {	# NAME
	[ ! -e "$tap_log" ] || sed 's/^/# /' "$tap_log"
	echo "not ok - $1"
	failed=1
}

# Commands of a check see the local variables of these, and must not set them by chance.
check() {	# NAME COMMAND...: which must succeed
	local tap_name="$1" tap_status=0
	shift
	"$@" >"$tap_log" 2>&1 || tap_status=$?
	if [ $tap_status -ne 0 ] || { $output_is_failure && [ -s "$tap_log" ]; }; then
		[ $tap_status -eq 0 ] || echo "exit status $tap_status" >>"$tap_log"
		fail "$tap_name"
	else
		pass "$tap_name"
	fi
}

refuse() {	# NAME COMMAND...: which must fail
	local tap_name="$1"
	shift
	if "$@" >"$tap_log" 2>&1; then fail "$tap_name"; else pass "$tap_name"; fi
}
