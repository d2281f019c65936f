# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
#
# To be sourced: holds call stacks that annot convert --folded off-cpu wrote against tests/workloads/stack_waits.c.

# Of the lines of FILE with that cause and main(): all have the chain, and together what the program MEASURED, but for
# LATE_PCT in which it was awake, and not on a CPU yet.
folded_chain() {	# FILE CAUSE CHAIN MEASURED LATE_PCT
	awk -v cause="$2" -v chain="$3" -v measured="$4" -v late="$5" '
		BEGIN { head = "stack_waits;[" cause "];" }
		index($0, head) == 1 && index($0, ";main;") {
			if (!index($0, ";" chain ";") && !index($0, ";" chain " ")) { print "another chain: " $0 }
			sum += $NF; nr++
		}
		END {
			if (!nr) print "no stack of " cause
			else if (sum > measured || sum < measured * (1 - late / 100)) print cause ": " sum " ns, the program measured " measured
		}' "$1"
}
