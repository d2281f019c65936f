#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# The plugin for libtraceevent: what trace-cmd report prints of batches with it. TAP.
set -uo pipefail

cd "$(dirname "$0")/../../.." || exit
if ! command -v trace-cmd >/dev/null; then
	echo "1..0 # SKIP no trace-cmd"
	exit
fi
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# shellcheck source=tests/lib/tap.sh
. tests/lib/tap.sh
output_is_failure=true

print() {	# DAMAGE ENDIAN [FORM]
	tests/lib/make_trace.py "$2" 8 7 "$work/batch.dat" "${3:-batch}" "$1"
	TRACEEVENT_PLUGIN_DIR=$PWD/build/viewer trace-cmd report -i "$work/batch.dat" >"$work/text" 2>"$work/err" ||
		echo "exit status $?: $(cat "$work/err")"
}

has() {	# TEXT
	grep -qaF -- "$1" "$work/text" || echo "not printed: $1"
}

no_control_characters() {
	LC_ALL=C grep -aq $'[\x01-\x08\x0b-\x1f]' "$work/text" && echo "a control character is printed"
	return 0
}

good() {	# ENDIAN
	print none "$1"
	has "annot_batch:          B loop48 -7 -607000000ns; E -7000000ns; W barrier -7000000ns"
	has "annot_name:           2 of 3 is barrier"
	has '; B "a,\"b\"\\<script>'
	has "; N next -2000000ns; C done 1 -2000000ns; I here -1000000ns; E -1000000ns; E -1000000ns"
	no_control_characters
}

good_raw() {	# ENDIAN
	print none "$1" raw
	has "raw_data:             B loop48 -7 -607000000ns; E -7000000ns; W barrier -7000000ns"
	has "raw_data:             2 is barrier"
	has '; B "a,\"b\"\\<script>'
	has "; N next -2000000ns; C done 1 -2000000ns; I here -1000000ns; E -1000000ns; E -1000000ns"
	no_control_characters
}

hostile_raw() {
	print hostile little raw
	has "-77    [001]  5000.411000: raw_data:             [annot: damaged]"
	has "raw_data:             E -99000000ns"
}

# What is not ours is printed as the kernel does.
strangers() {
	tests/lib/make_trace.py little 8 7 "$work/batch.dat" raw
	LC_ALL=C sed -i 's/anot/none/g' "$work/batch.dat"
	TRACEEVENT_PLUGIN_DIR=$PWD/build/viewer trace-cmd report -i "$work/batch.dat" >"$work/text" 2>"$work/err" ||
		echo "exit status $?: $(cat "$work/err")"
	has "raw_data:             # 656e6f6e buf: 01 00 "
}

nameless() {
	print names little
	has 'W "name 2 of 3" -7000000ns'
}

hostile() {
	print hostile little
	has "[op 16777215] -18446744073709551615ns; "
	has '; N "name 77 of 3" -0ns; ['
	has " of 4294967295]"
}

check "a little-endian trace" good little
check "a big-endian trace" good big
check "trace_marker_raw, little-endian" good_raw little
check "trace_marker_raw, big-endian" good_raw big
check "trace_marker_raw with what cannot be" hostile_raw
check "trace_marker_raw that others wrote" strangers
check "names that the trace does not tell" nameless
check "numbers that cannot be" hostile
