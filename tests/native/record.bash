# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
#
# For the tests of annot record: to be sourced first, at the top of the tree. Only root may trace: for others, the script
# is skipped. It is started once more in a mount namespace, for small and closed file systems of its own, where it has
# this machine's ftrace (with-tracefs). Then it goes to a directory of its own.

if [ "$(id -u)" -ne 0 ]; then
	echo "1..0 # SKIP only root may trace"
	exit
fi
if [ -z "${ANNOT_TEST_TRACEFS-}" ]; then
	ANNOT_TEST_TRACEFS=1 exec tests/native/with-tracefs -p unshare --mount "tests/native/${0##*/}"
fi

tracefs=/sys/kernel/tracing
# shellcheck disable=SC2034	# for whoever sources this
here=$PWD
work=$(mktemp -d)
trap 'umount -l "$work"/{small,slow,net} 2>/dev/null; rm -rf "$work"' EXIT
# shellcheck source=tests/lib/tap.sh
. tests/lib/tap.sh
output_is_failure=true
# Where anybody may run it.
chmod 755 "$work"
cp build/annot "$work/annot"
annot=$work/annot
cd "$work" || exit
mkdir small
mount -t tmpfs -o size=24m tmpfs small || exit

# As check, without what was recorded before.
check_afresh() {	# NAME FUNCTION [ARGUMENT...]
	rm -f "$work"/*.dat* "$work"/small/* "$work"/{out,err}
	check "$@"
}

# Runs annot record, its streams in out and err; fails unless it exits with STATUS.
record() {	# STATUS ARGUMENT...
	local wanted=$1 status=0
	shift
	"$annot" record "$@" >out 2>err || status=$?
	[ $status -eq "$wanted" ] || echo "exit status $status, not $wanted: $(cat err)"
}

# err holds one line, which has each TEXT in it.
one_line() {	# TEXT...
	local text
	[ "$(wc -l <err)" -eq 1 ] || echo "not one line on stderr: $(cat err)"
	for text; do
		grep -qF -- "$text" err || echo "nothing of '$text' in: $(cat err)"
	done
}

report() { trace-cmd report "$@" 2>/dev/null; }

# What a killed or ended recording has to leave of itself: nothing.
nothing_is_left() {	# [OUTPUT]
	local left
	left=$(find $tracefs/instances -maxdepth 1 -name 'annot-[0-9]*')
	[ -z "$left" ] || echo "left: $left"
	left=$(find . -name "${1:-trace.dat}.cpu*")
	[ -z "$left" ] || echo "left: $left"
	[ "$(cat $tracefs/events/enable)" = 0 ] || echo "events are still enabled"
}

# A command that leaves NUMBER marks, where its annotations would go, and then whatever TEXT runs.
write_marks() {	# NUMBER [TEXT]
	cat >marks.sh <<-EOF
		yes "I|1|a mark among many" | dd iflag=fullblock of="\${ANNOT_TRACEFS:-$tracefs}/trace_marker" bs=22 count=$1 2>/dev/null
		${2-}
	EOF
}

count_marks() { report "$1" | grep -c "I|1|a mark among many"; }

# What is left of a recording that nobody could finish.
count_restored() {	# OUTPUT
	trace-cmd restore -o restored.dat "$1".cpu* >restored 2>&1 || cat restored
	count_marks restored.dat
	rm restored.dat
}

recorder_of() { pgrep -x annot -P "$1"; }	# PID

# Waits until COMMAND succeeds, a minute at most.
await() {
	local tries
	for tries in {1..1200}; do
		"$@" 2>/dev/null && return
		sleep 0.05
	done
	echo "after $((tries / 20)) s still not: $*"
	return 1
}

nobody() { setpriv --reuid nobody --regid nogroup --clear-groups "$@"; }
