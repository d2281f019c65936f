#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# annot diff --fail-on: what each kind of rule measures, when it fails, and the exit status.
set -uo pipefail

cd "$(dirname "$0")/../../../.." || exit
annot=${ANNOT:-build/annot}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
# shellcheck source=tests/lib/tap.sh
. tests/lib/tap.sh
# shellcheck source=tests/lib/refused.sh
. tests/lib/refused.sh
output_is_failure=true

# A run of 100 spans of 1 to 100 times the unit, in any order, with a sample of 10 misses in every other one, and one of another task.
make_run() {	# NAME UNIT_NS OTHER
	python3 -c 'import random, sys
unit, other = int(sys.argv[1]), sys.argv[2]
now = 1000000
print(f"{now} 0 0 switch next_pid=100 next_comm=prog")
print(f"{now} 0 100 marker buf=\"annot|session\"")
print(f"{now} 0 100 config text=\"event=0 name=l1_cache_miss mode=sample type=4 config=0x8d1 config1=0 config2=0 "
      f"period=10 user=1 kernel=0 precise_asked=2 precise=2 error=0\"")
for name, units in [("a (step)", i) for i in random.Random(1).sample(range(1, 101), 100)] + [(other, 50)]:
    print(f"{now} 0 100 marker buf=\"B|100|{name}\"")
    if units % 2:
        print(f"{now + 1} 0 100 sample period=10 ip=0x401136 has=0x10")
    now += units * unit
    print(f"{now} 0 100 marker buf=\"E|100\"")
print(f"{now} 0 100 switch prev_state=16 next_pid=0")' "$2" "$3" | tests/lib/script_trace.py "$work/$1.dat"
}

# What becomes of one rule: its word, and the status.
judge() {	# STATUS WORD RULE TRACE...
	local wanted="$1 $2" rule=$3 status got
	shift 3
	"$annot" diff --fail-on "$rule" "$@" >"$work/out" 2>"$work/err"
	status=$?
	got=$(tail -n 1 "$work/out")
	[ "$status ${got%% *}" = "$wanted" ] && [ ! -s "$work/err" ] || echo "$rule: $status, $got$(cat "$work/err")"
}

two() { judge "$@" "$work/before.dat" "$work/double.dat"; }

# Each figure is what it is of 1 us to 100 us, and the limit is exact.
figures() {
	local name us
	while read -r name us; do
		judge 0 ok "$name(a (step)) > ${us}us" "$work/before.dat" "$work/before.dat"
		judge 3 FAIL "$name(a (step)) >= ${us}us" "$work/before.dat" "$work/before.dat"
		judge 3 FAIL "$name(a (step))<=${us}us" "$work/double.dat" "$work/before.dat"
		judge 0 ok "$name(a (step)) < ${us} us" "$work/double.dat" "$work/before.dat"
	done <<-END
	p50 50
	p90 90
	p95 95
	p99 99
	max 100
	mean 50.5
	total 5050
	END
	two 0 ok 'length > 10.2ms'
	two 3 FAIL 'length >= 10.2ms'
	two 3 FAIL 'misses(a (step)) > 4.99'
	two 0 ok 'misses(a (step)) > 5'
	two 0 ok 'misses(a (step)) > +0 %'
	two 0 ok 'finding(imbalance) > 0ns'
	two 3 FAIL 'finding(imbalance) >= 0ns'
}

# Perfect balance would save 17.3 ms of 3.37 s: too little for a finding, and the limit says what is too much.
small_losses() {
	local quiet=(tests/data/scene-quiet.dat tests/data/scene-quiet.dat)
	judge 3 FAIL 'finding(imbalance) > 17.2ms' "${quiet[@]}"
	judge 0 ok 'finding(imbalance) > 17.4ms' "${quiet[@]}"
	judge 0 ok 'finding(imbalance) > +0 %' "${quiet[@]}"
	judge 0 ok 'finding(false-sharing) > 0ns' "${quiet[@]}"
}

# All that is longer is twice as long.
changes() {
	two 0 ok 'p95(a (step)) > +100 %'
	two 3 FAIL 'p95(a (step)) > 99.9%'
	two 3 FAIL ' mean ( a (step) )  >  + 50.4 us '
	two 0 ok 'mean(a (step)) > +50.6us'
	two 0 ok 'mean(a (step)) < -10 %'
	judge 3 FAIL 'mean(a (step)) < -10 %' "$work/double.dat" "$work/before.dat"
	judge 3 FAIL 'length < -5ms' "$work/double.dat" "$work/before.dat"
}

several() { judge "$@" "$work"/run?.dat -- "$work"/more?.dat; }

# By 4 % on average, which is more than runs differ; by 10 % in runs that differ by more than that; and what must become better.
by_runs() {
	several 3 FAIL 'mean(a (step)) > +3 %'
	several 0 ok 'mean(a (step)) > +5 %'
	judge 0 ok 'mean(a (step)) > +3 %' "$work/run1.dat" "$work/double.dat" -- "$work/double.dat" "$work/more1.dat" "$work/double.dat"
	grep -q 'within the variation' "$work/out" || cat "$work/out"
	judge 3 FAIL 'mean(a (step)) > +3 %' "$work/run1.dat" "$work/more1.dat"
	grep -q 'how much runs differ is not known' "$work/out" || cat "$work/out"
	judge 3 FAIL 'mean(a (step)) > -3 %' "$work"/run?.dat -- "$work"/run?.dat
	judge 0 ok 'mean(a (step)) > -3 %' "$work"/more?.dat -- "$work"/run?.dat
}

# A gate that cannot measure must not pass.
unknown() {
	judge 3 unknown 'mean(other) > +5 %' "$work/before.dat" "$work/renamed.dat"
	judge 3 unknown 'mean(other) > 5s' "$work/before.dat" "$work/renamed.dat"
	judge 0 ok 'mean(new) < 5us' "$work/before.dat" "$work/renamed.dat"
	judge 3 unknown 'mean(new) < +5us' "$work/before.dat" "$work/renamed.dat"
	grep -q 'not in any run before' "$work/out" || cat "$work/out"
}

# A line for each rule, in text, as JSON and on the page; one that fails is enough.
all_forms() {
	local form rule=(--fail-on 'p95(other) > +5 %')
	"$annot" diff "${rule[@]}" --fail-on 'mean(other) > +200%' "$work/before.dat" "$work/double.dat" >"$work/out"
	[ $? -eq 3 ] && [ "$(grep -c -e '^FAIL  *p95(other) > +5 %  *+100.0 %' -e '^ok  *mean(other) > +200%' "$work/out")" -eq 2 ] ||
		cat "$work/out"
	for form in --json --html; do
		"$annot" diff $form "${rule[@]}" "$work/before.dat" "$work/double.dat" >"$work/out"
		[ $? -eq 3 ] || echo "$form: not status 3"
		"$annot" diff $form "${rule[@]}" "$work/before.dat" "$work/double.dat" -- "$work/double.dat" >"$work/runs"
		[ $? -eq 0 ] || echo "$form: not status 0"
		if [ $form = --html ]; then
			grep -q '<td class="worse">FAIL</td><td>p95(other) > +5 %</td>' "$work/out" || cat "$work/out"
			grep -q '<td>ok</td><td>p95(other) > +5 %</td>' "$work/runs" || cat "$work/runs"
			continue
		fi
		python3 -c 'import json, sys
(rule,), (one,) = (json.load(open(name))["rules"] for name in sys.argv[1:])
if (rule["result"], rule["unit"], rule["figure"], rule["limit"], rule["before"], rule["after"], rule["low"]) != \
        ("fail", "share", 1, .05, 50000, 100000, None):
    print(rule)
if (one["result"], one["before_runs"], one["after_runs"], one["within_variation"]) != ("ok", 2, 1, True) or \
        not one["low"] < one["figure"] < one["high"]:
    print(one)' "$work/out" "$work/runs"
	done
}

refuses() {	# WORDS RULE
	refused 2 "$1" "$annot" diff --fail-on "$2" "$work/before.dat" "$work/double.dat"
}

bad_rules() {
	local rule many=()
	refuses "no trace has a task 'othr'; did you mean 'other'?" 'mean(othr) > 1s'
	refuses "did you mean 'imbalance'?" 'finding(imbalanc) > 1s'
	refuses "no such finding: 'nonsense' (annot explain lists all)" 'finding(nonsense) > 1s'
	refuses "the limit is not" 'length > 0x10ms'
	refuses "begins with none of" 'p42(other) > 1s'
	refuses "begins with none of" ''
	refuses "parentheses" 'p95 > 1s'
	refuses "parentheses" 'p95() > 1s'
	refuses "parentheses" 'length(other) > 1s'
	refuses "must follow the figure" 'p95(other) = 1s'
	refuses "must follow the figure" 'p95(other)'
	for rule in 'p95(other) >' 'p95(other) > 5' 'p95(other) > 1m s s' 'p95(other) > +-5 %' 'p95(other) > %' 'p95(other) > nan%' \
		'misses(other) > 5ms' "p95(other) > $(printf '%070d' 0)s"; do
		refuses "the limit is not" "$rule"
	done
	for rule in {1..32}; do many+=(--fail-on 'length > 1s'); done
	refused 2 "more than 32 rules" "$annot" diff "${many[@]}" --fail-on 'length > 2s' "$work/before.dat" "$work/double.dat"
}

make_run before 1000 other
make_run double 2000 other
make_run renamed 1000 new
i=0
for unit in 1000 1010 990; do
	i=$((i + 1))
	make_run run$i $unit other
	make_run more$i $((unit * 104 / 100)) other
done
check "figures, at their limits" figures
check "losses below those of findings" small_losses
check "changes" changes
check "what runs differ by" by_runs
check "what a side does not have" unknown
check "text, JSON, and page" all_forms
check "what is no rule is one line" bad_rules
exit $failed
