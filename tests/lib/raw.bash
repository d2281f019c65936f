# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
#
# For tests of what programs annotate where nothing of ftrace is needed: to be sourced first, at the top of the tree.
# Annotations come in batches into $raw, a plain file in the place of trace_marker_raw. These have times of the
# processor's clock: where the kernel does not trust that, the script is skipped.
set -uo pipefail

if ! grep -qE '^(tsc|kvm-clock|hyperv_clocksource)' \
	/sys/devices/system/clocksource/clocksource0/current_clocksource; then
	echo "1..0 # SKIP the kernel does not trust the processor's clock"
	exit
fi
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
# shellcheck source=tests/lib/tap.sh
. tests/lib/tap.sh
output_is_failure=true
mkdir -p "$work/tracefs"
raw=$work/tracefs/trace_marker_raw

raw_empty() {
	: >"$raw"
	: >"$work/tracefs/trace_marker"
}

# Runs COMMAND, records what it annotates, and exits as it does.
recorded() {	# [NAME=VALUE...] COMMAND...
	raw_empty
	timeout 60 env ANNOT_BACKEND=raw ANNOT_TRACEFS="$work/tracefs" "$@"
}

# All that was recorded, thread by thread.
told() { tests/unit/libannot/read_raw.py "$raw" | sort -s -n -k 1,1 | cut -d ' ' -f 3-; }
