#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# annot list: aliases on CPUs of all generations, masks, filters; on a terminal and in a pipe. TAP.
# shellcheck disable=SC2317	# functions as arguments
set -u	# no pipefail: grep -q ends before who writes to it does

cd "$(dirname "$0")/../../.." || exit
annot=$PWD/build/annot
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# shellcheck source=tests/lib/tap.sh
. tests/lib/tap.sh
output_is_failure=true

list() { "$annot" list "$@" 2>"$work/err"; }

# The events that aliases stand for, p before those that are precise.
resolves() {	# CPU ALIAS=EVENT...
	local cpu=$1 pair line wanted
	shift
	list --pmu "$cpu" >"$work/out" || echo "$cpu: $(cat "$work/err")"
	for pair; do
		line=$(grep "^${pair%%=*} " "$work/out")
		wanted=${pair#*=}
		case $line in
		*" - "*" $wanted" | *" p "*" ${wanted#p }") ;;
		*) echo "$cpu: '$line', not $wanted"; continue ;;
		esac
		case $wanted,$line in
		p\ *,*\ p\ * | [!p]*,*\ -\ *) ;;
		*) echo "$cpu: '$line': precision is not that of $pair" ;;
		esac
	done
}

generations() {
	resolves nhm "l1_cache_miss=L1-DCACHE-LOAD-MISSES" "l2_cache_miss=L2_RQSTS:LD_MISS" \
		"l3_cache_miss=p MEM_LOAD_RETIRED:L3_MISS" "dtlb_load_miss=p MEM_LOAD_RETIRED:DTLB_MISS" \
		"load_latency=p MEM_INST_RETIRED:LATENCY_ABOVE_THRESHOLD:ldlat=30"
	resolves snb "l3_cache_miss=p MEM_LOAD_UOPS_MISC_RETIRED:LLC_MISS" "l2_cache_miss=(none on this CPU)" \
		"dtlb_store_miss=p MEM_UOPS_RETIRED:STLB_MISS_STORES"
	resolves hsw "l1_cache_miss=p MEM_LOAD_UOPS_RETIRED:L1_MISS" "memory_loads=p MEM_UOPS_RETIRED:ALL_LOADS" \
		"icache_miss=ICACHE:MISSES" "page_walk_cycles=DTLB_LOAD_MISSES:WALK_DURATION" "instr_retired=INST_RETIRED:ANY_P"
	for cpu in skl icx spr; do
		resolves $cpu "l1_cache_miss=p MEM_LOAD_RETIRED:L1_MISS" "l2_cache_miss=p MEM_LOAD_RETIRED:L2_MISS" \
			"l3_cache_miss=p MEM_LOAD_RETIRED:L3_MISS" \
			"dtlb_load_miss=p MEM_INST_RETIRED:STLB_MISS_LOADS" \
			"dtlb_store_miss=p MEM_INST_RETIRED:STLB_MISS_STORES" \
			"memory_loads=p MEM_INST_RETIRED:ALL_LOADS" \
			"memory_stores=p MEM_INST_RETIRED:ALL_STORES" \
			"branch_miss=p BR_MISP_RETIRED:ALL_BRANCHES" "icache_miss=p FRONTEND_RETIRED:L1I_MISS" \
			"page_walk_cycles=DTLB_LOAD_MISSES:WALK_ACTIVE" \
			"load_latency=p MEM_TRANS_RETIRED:LOAD_LATENCY:ldlat=30" \
			"page_faults=PAGE-FAULTS" "context_switches=CONTEXT-SWITCHES"
	done
	resolves slm "l2_cache_miss=p MEM_UOP_RETIRED:LD_L2_MISS" "memory_loads=MEM_UOP_RETIRED:ANY_LD"
	# Events of data have their places from another one, if the kernel of this machine has it.
	local places="no IBS here for places"
	[ ! -e /sys/bus/event_source/devices/ibs_op ] || places="places by ibs_op"
	resolves amd64_fam17h_zen2 "l1_cache_miss=L1-DCACHE-LOAD-MISSES: counts, $places" \
		"memory_loads=LS_DISPATCH:LD_DISPATCH: counts, $places" "uops_retired=RETIRED_UOPS" \
		"branch_miss=RETIRED_BRANCH_INSTRUCTIONS_MISPREDICTED" "page_walk_cycles=(none on this CPU)" \
		"load_latency=(none on this CPU), $places"
}

masks() {
	list --pmu skl mem_load_retired >"$work/out"
	grep -q "^masks:$" "$work/out" || cat "$work/out"
	grep -q "^  :L1_MISS  *p .*missed the L1D" "$work/out" || cat "$work/out"
	grep -q "^  :precise=N " "$work/out" || cat "$work/out"
	grep -E "^  :(freq|excl|mg|cpu)" "$work/out"
	list --pmu skl inst_retired >"$work/out"
	grep -q "^  :ANY_P  *- .*(if none is given)" "$work/out" || cat "$work/out"
}

alias_alone() {
	list --pmu skl load_latency >"$work/out"
	grep -q "^here *MEM_TRANS_RETIRED:LOAD_LATENCY:ldlat=30$" "$work/out" || cat "$work/out"
	grep -q "^parameter *load_latency:THRESHOLD" "$work/out" || cat "$work/out"
	grep -q "^event *MEM_TRANS_RETIRED$" "$work/out" || cat "$work/out"
	list --pmu snb l2_cache_miss | grep -q "^here *(none on this CPU)" || echo "snb has l2_cache_miss"
}

filters() {
	list --pmu skl TLB >"$work/out"
	grep -q "^dtlb_load_miss " "$work/out" || echo "no dtlb_load_miss"
	grep -q "^DTLB_LOAD_MISSES " "$work/out" || echo "no DTLB_LOAD_MISSES"
	grep -iv tlb "$work/out"
	list --pmu skl nothing_has_this >"$work/out" && echo "exit status 0"
	[ "$(grep -c "no line contains 'nothing_has_this'" "$work/err")" -eq 1 ] || cat "$work/err"
}

# In a pipe, nothing but events, a line each, none cut off.
pipe() {
	list --pmu skl >"$work/out"
	grep -vE '^[A-Za-z0-9_./-]+ +[p-] .*[^ ]' "$work/out"
	grep '\.\.\.$' "$work/out"
	[ "$(wc -l <"$work/out")" -gt 90 ] || echo "$(wc -l <"$work/out") events only"
	awk 'length > 80 { long++ } END { if (!long) print "no line is longer than 80 columns: a weak test" }' "$work/out"
}

terminal() {
	local argument
	for argument in "" MEM_TRANS_RETIRED l1_cache_miss; do
		# shellcheck disable=SC2086	# none, or one
		tests/native/in-terminal "$annot" list --pmu skl $argument | tr -d '\r' >"$work/out"
		[ "$(wc -l <"$work/out")" -gt 10 ] || echo "list $argument: $(cat "$work/out")"
		awk -v what="list $argument" 'length > 80 { print what ": " length " columns: " $0 }' "$work/out"
	done
	tests/native/in-terminal "$annot" list --pmu skl >"$work/out"
	grep -q "^ALIAS  *P COUNTS" "$work/out" || echo "no heading: $(head -n 3 "$work/out")"
}

check "aliases stand for the events of each generation" generations
check "an event's masks and modifiers" masks
check "all about an alias" alias_alone
check "a filter" filters
check "in a pipe: whole lines, nothing else" pipe
check "on a terminal: 80 columns, with headings" terminal
