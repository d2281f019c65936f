# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
#
# For the tests of what is attached: to be sourced after record.bash.
# shellcheck disable=SC2154,SC2034	# record.bash assigns what is not assigned here; others use what is

unset ANNOT_BATCHES ANNOT_TRACEFS ANNOT_DEBUG
export ANNOT_BACKEND=marker
programs=$here/tests/native/attach
fronts=$here/build/libannot/attach
cflags=(-std=gnu11 -O1 -g -Wall -Wextra -Werror -D_GNU_SOURCE "-I$programs")

# Records COMMAND, which exits with STATUS; what is told must be what it writes down itself.
told_as_done() {	# STATUS COMMAND...
	local status=$1
	shift
	rm -f truth
	record "$status" -o told.dat -- env TRUTH="$work/truth" "$@"
	"$programs/check-told" truth told.dat
	adds_up
}

# The parts of each thread's life add up to it.
adds_up() {
	"$annot" report --json told.dat >told.json 2>/dev/null
	"$here/tests/lib/check_attached.py" told.json
}

# Where ftrace is off; what would be written there comes into a file.
silent_while_off() {	# STATUS COMMAND...
	local wanted=$1 status=0
	shift
	rm -rf off
	mkdir -p off/events
	echo 0 >off/tracing_on
	echo 0 >off/events/enable
	: >off/trace_marker
	ANNOT_BACKEND=auto ANNOT_TRACEFS=$work/off "$@" >out 2>err || status=$?
	[ $status -eq "$wanted" ] || echo "exit status $status, not $wanted: $(cat err)"
	[ ! -s off/trace_marker ] || echo "written though nothing records: $(head -c 200 off/trace_marker)"
	[ ! -s err ] || echo "said: $(cat err)"
}

# As many annotations of the regular expression TEXT in told.dat.
told_times() {	# NUMBER TEXT
	local number
	number=$(report told.dat | grep -cE -- "print: .*$2")
	[ "$number" -eq "$1" ] || echo "$number annotations of '$2', not $1"
}
