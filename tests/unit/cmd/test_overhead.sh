#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# What tests/bench/overhead makes of runs whose figures are known, and that it refuses such as mean
# nothing. The kernels themselves run in tests/native/overhead.sh and tests/vm/guest/cost/overhead.sh.
set -uo pipefail

cd "$(dirname "$0")/../../.." || exit 1
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
# shellcheck source=tests/lib/tap.sh
. tests/lib/tap.sh

# Three rounds of a kernel of 100 tasks and 4 waits, 208 annotations; of one task and no wait, 2.
# Traced it takes 1 % longer, each annotation another 1000 ns.
made() {
	local round
	for round in 1000000 2000000 4000000; do
		cat <<-EOF
			original fine $((round * 2)) $round 100 208 abc 0 0 0
			traced fine $((round * 2)) $((round + 10000)) 100 208 abc 0 0 0
			ring fine $((round * 3)) $((round + 218000)) 100 208 abc 100 4 0
			original coarse 400 100000 1 2 def 0 0 0
			traced coarse 440 101000 1 2 def 0 0 0
			ring coarse 480 102000 1 2 def 1 0 0
		EOF
	done
}
made >"$work/runs"

figures() {
	PYTHONDONTWRITEBYTECODE=1 PYTHONPATH=tests/bench /usr/bin/python3 - "$work/runs" <<-EOF
		import sys
		from overhead_runs import Runs, summary
		figures = summary(Runs(open(sys.argv[1])), "here", 1)
		def same(what, got, wanted):
		    if abs(got - wanted) > 1e-9:
		        sys.exit(f"{what} is {got}, not {wanted}")
		fine = figures["forms"]["ring"]["fine"]
		same("rounds", figures["rounds"], 3)
		same("median", fine["cpu_ratio"]["median"], 1 + 218 / 2000)
		same("least", fine["cpu_ratio"]["min"], 1 + 218 / 4000)
		same("third quartile", fine["cpu_ratio"]["q3"], 1 + 218 * (1 / 1000 + 1 / 2000) / 2)
		same("elapsed", fine["wall_ratio"]["median"], 1.5)
		same("task", figures["kernels"]["fine"]["task_ns"], 10000)
		same("an annotation", figures["forms"]["ring"]["annotation_ns"], 1000)
		same("share", fine["annotations_share"], 0.208)
		same("other's share", figures["forms"]["ring"]["coarse"]["annotations_share"], 0.02)
	EOF
}
check "ratios, their spread, what an annotation costs" figures

checked() {	# WHAT SED: the point of TAP that says WHAT fails for the runs as SED makes them, alone
	sed "$2" "$work/runs" >"$work/changed"
	tests/bench/overhead_runs.py "$work/changed" fine,coarse original,traced,ring >"$work/tap"
	cat "$work/tap"
	[ "$(grep -c '^not ok' "$work/tap")" -eq 1 ] && grep -q "^not ok - .*$1" "$work/tap"
}

all_well() {
	tests/bench/overhead_runs.py "$work/runs" fine,coarse original,traced,ring >"$work/tap"
	cat "$work/tap"
	[ "$(grep -c '^ok' "$work/tap")" -eq 3 ] && ! grep -q '^not ok' "$work/tap"
}
check "runs as they should be are accepted" all_well
check "a form that computes something else is found" checked "compute the same" '/ring fine/s/abc/abd/'
check "fewer tasks are found" checked "compute the same" '/ring fine/s/100 208/99 208/'
check "an annotation that is not recorded is found" checked recorded '/ring fine/s/abc 100/abc 99/'
check "a wait that is not recorded is found" checked recorded '/ring fine/s/100 4 0/100 3 0/'
check "an annotation that no program made is found" checked recorded '/traced fine/s/0 0 0/1 0 0/'
check "lost events are found" checked lost '/ring coarse/s/1 0 0/1 0 7/'
check "a form that has not run is found" checked "each kernel" '/ring coarse/d'
