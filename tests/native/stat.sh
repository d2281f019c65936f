#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# NEEDS: workloads
#
# annot stat on this machine, with what every kernel counts. Others run on its CPUs as well, so
# counts have a lower bound only; the guest measure holds them to the letter. TAP.
# shellcheck disable=SC2317	# functions as arguments
set -u

cd "$(dirname "$0")/../.." || exit
here=$PWD
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
chmod 755 "$work"
cp build/annot "$work/annot"
annot=$work/annot
# shellcheck source=tests/lib/tap.sh
. tests/lib/tap.sh
output_is_failure=true
cd "$work" || exit
cpu=$(taskset -cp $$ | sed 's/.*[ ,-]//')

if ! "$annot" stat -I 1 --interval-count 1 -e page_faults >out 2>err; then
	if [ "$(id -u)" -eq 0 ] || ! grep -q "not permitted" err; then
		sed 's/^/# /' err
		echo "not ok - counts page faults"
		exit 1
	fi
	echo "1..0 # SKIP perf_event_open is not permitted: $(head -n 1 err)"
	exit
fi

# Runs annot stat, its streams in out and err; fails unless it exits with STATUS.
count() {	# STATUS ARGUMENT...
	local wanted=$1 status=0
	shift
	"$annot" stat "$@" >out 2>err </dev/null || status=$?
	[ $status -eq "$wanted" ] || echo "stat $*: exit status $status, not $wanted: $(cat err)"
}

says() { grep -qF -- "$1" err || echo "nothing of '$1' in: $(cat err)"; }

counts_a_program() {
	count 0 -C "$cpu" -I 600000 --csv -e page_faults -e page_faults:u -- \
		sh -c "$here/build/workloads/faults -c $cpu 3000 >truth"
	awk -F , -v cpu="$cpu" '
		FNR == NR { if (sub(/^counted=/, "")) counted = $0 + 0; next }
		FNR == 1 { if ($0 != "time_s,cpu,event,user,kernel,both,ran_percent") print "head: " $0; next }
		$2 != cpu || NF != 7 || $7 != "100.00" { print "line: " $0 }
		$3 == "page_faults" { if ($4 + $5 != $6) print "no sum: " $0
			if ($6 < counted || counted < 9000) print $6 " of " counted " counted"; user = $4; nr++ }
		$3 == "page_faults:u" { if ($4 < 9000 || $5 != "" || $6 != "") print "not user alone: " $0; nr++ }
		END { if (nr != 2) print nr " lines" }' truth out
	[ ! -s err ] || cat err
}

intervals() {
	count 0 -I 20 --interval-count 5 --csv -e page_faults,context_switches
	awk -F , -v cpus="$(nproc --all)" 'NR > 1 {
			if ($1 < last) print "time goes back: " $0
			if ($1 > last) intervals++
			last = $1; lines++ }
		END { if (intervals != 5 || last < 0.1) print intervals " intervals until " last
			if (lines < 10 || lines > 10 * cpus) print lines " lines" }' out
}

# What the table has in its intervals adds up to its totals.
totals() {
	count 0 -I 20 --interval-count 4 -e page_faults
	awk 'NF == 7 && $1 != "TIME_S" { sum[$2] += $6 } NF == 6 { total[$1] = $5; nr++ }
		END { for (cpu in total) if (total[cpu] != sum[cpu]) print cpu ": " total[cpu] " in all, " sum[cpu]
			if (!nr) print "no totals" }' out
	grep -q "^in all, in [0-9]\.[0-9]* s:$" out || cat out
	LC_ALL=C awk 'length > 80 { print "too long: " $0 }' out
}

interrupted() {
	local status=0
	"$here/tests/native/in-terminal" -k ' page_faults :\x03' "$annot" stat -I 50 -e page_faults >out || status=$?
	[ $status -eq 0 ] || echo "exit status $status"
	grep -q "in all, in" out || echo "no totals: $(tail -n 3 out)"
}

commands() {
	count 3 --interval-count 1 -I 1 -e page_faults -- sh -c 'sleep 0.1; exit 3'
	# shellcheck disable=SC2016	# expanded by the shell within
	count 143 -e page_faults -- sh -c 'kill -TERM $$'
	count 127 -e page_faults -- no-such-command
	says "no-such-command: command not found"
	count 126 -e page_faults -- /etc
	count 2 -e page_faults,nonsense -- true
	[ "$(wc -l <err)" -eq 1 ] || cat err
}

unprivileged() {
	local status=0
	setpriv --reuid nobody --regid nogroup --clear-groups "$annot" stat --interval-count 1 -e page_faults >out 2>err || status=$?
	[ $status -eq 1 ] || echo "exit status $status"
	says "not permitted: it needs root or CAP_PERFMON"
}

no_pmu() {
	count 1 --interval-count 1 -e r00c0
	says "the kernel refuses event 'r00c0': the kernel has no PMU here"
	says "none of the events can be counted"
	count 0 --interval-count 1 -I 10 --csv -e r00c0,page_faults
	says "the kernel refuses event 'r00c0'"
	grep -q ,page_faults, out || cat out
}

no_such_cpu() {
	count 1 -C 8000 --interval-count 1 -e page_faults
	says "none of these CPUs is online"
}

check "counts a program's faults, and user and kernel apart" counts_a_program
check "as many intervals as asked for" intervals
check "intervals add up to the totals" totals
check "^C ends with the totals" interrupted
check "exit status is the command's" commands
check "a CPU that is not there" no_such_cpu
if [ "$(id -u)" -eq 0 ] && [ "$(cat /proc/sys/kernel/perf_event_paranoid)" -gt 0 ]; then
	check "stat without the permission to count says so" unprivileged
else
	echo "ok - stat without the permission to count says so # SKIP anybody may count here, or this is not root"
fi
if [ -e /sys/bus/event_source/devices/cpu ]; then
	echo "ok - without a PMU, says so # SKIP this machine has one"
else
	check "without a PMU, says so" no_pmu
fi
