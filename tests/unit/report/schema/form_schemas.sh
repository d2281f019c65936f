#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# SLOW
#
# --json-schema of the commands and forms that print other JSON than annot report --json: what each prints fits the schema of
# its form, and nothing broken does. TAP.
set -u

cd "$(dirname "$0")/../../../.." || exit
annot=${ANNOT:-build/annot}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# shellcheck source=tests/lib/tap.sh
. tests/lib/tap.sh
# shellcheck source=tests/lib/refused.sh
. tests/lib/refused.sh
# shellcheck source=tests/lib/two_regions.sh
. tests/lib/two_regions.sh
output_is_failure=true

kept=$work/kept
keeper=tests/unit/report/schema/keep_forms
KEEP_ANNOT=$(realpath "$annot")
export KEEP=$kept KEEP_ANNOT

# What these tests ask, with all of their options.
keep_asked() {
	local test
	for test in report/stacks report/diff/{diff,diff_runs,diff_rules,diff_why} cmd/what_if symbols/{objects,pages}; do
		ANNOT=$keeper "tests/unit/$test.sh" >"$work/out" 2>&1 || cat "$work/out"
	done
}

keep_rankings() {
	local trace key
	tests/unit/report/pmu/by_ratio.py story ibs_op | tests/lib/script_trace.py "$work/ratio.dat"
	for trace in tests/data/scene-{sharing,conflict}.dat "$work/ratio.dat"; do
		for key in symbol line task thread cpu address object; do
			"$keeper" report --by "$key" --json "$trace" >"$work/out" 2>&1 || cat "$work/out"
		done
	done
}

# Of a recorded trace, and of one that has nothing to be replayed.
keep_what_if() {
	local change form trace
	printf '%s\n' '1000 0 0 switch next_pid=100 next_comm=main' '1000 0 100 switch prev_state=16' |
		tests/lib/script_trace.py "$work/empty.dat"
	for change in "" --try-all --pin; do
		# shellcheck disable=SC2086	# none, or one
		for trace in "$work/empty.dat" tests/data/scene-{imbalance,contend}.dat; do
			"$keeper" what-if --json $change "$trace" >"$work/out" || echo "$trace: no answer"
		done
	done
	for form in "$kept"/what-if*/; do
		[ -n "$(grep -l '"no_answer"' "$form"*.json)" ] || echo "$form: none without an answer"
		[ -n "$(grep -L '"no_answer"' "$form"*.json)" ] || echo "$form: none with an answer"
	done
}

# Of each two, one has what the other lacks, or both are blocked.
keep_diffs() {
	local pair data=tests/data
	make_two_regions
	for pair in "$work/made.dat $work/made.dat" "$data/scene-imbalance.dat $data/scene-contend.dat" \
		"$data/scene-contend.dat $data/scene-imbalance.dat" "$data/scene-sharing.dat $data/scene-sharing-padded.dat"; do
		# shellcheck disable=SC2086	# two words
		keep_diffs_of $pair
	done
}

keep_diffs_of() {	# BEFORE AFTER
	local rule
	for rule in "" "--fail-on=length > +5 %" "--fail-on=length > 1s"; do
		"$keeper" diff --json ${rule:+"$rule"} "$1" "$2" >"$work/out"
		"$keeper" diff --json ${rule:+"$rule"} "$1" "$1" -- "$2" "$2" >"$work/out"
	done
}

# --json-schema goes before the traces of which the form is.
schema_words() {	# FOLDER
	basename "$1" | sed 's/ a b -- c$/ --json-schema&/; t; s/$/ --json-schema/'
}

# Each form's folder has the words that ask for its schema.
fits_each() {
	local folder
	for folder in "$kept"/*; do
		echo "# annot ${folder##*/}"
		# shellcheck disable=SC2046	# words
		"$annot" $(schema_words "$folder") >"$work/schema" || return 1
		tests/unit/report/schema/json_schema.py "$work/schema" "$folder"/*.json || return 1
	done
}

kept_forms() {
	LC_ALL=C ls "$kept" | diff - <(printf '%s\n' "${forms[@]}" | LC_ALL=C sort)
}

refuses() {	# WORDS ARGUMENT...
	refused 2 "$1" "$annot" "${@:2}"
}

refuses_all() {
	refuses "--json-schema stands alone" report --by symbol --json-schema tests/data/scene-quiet.dat
	refuses "--json-schema stands alone" report --by symbol --stacks misses --json-schema
	refuses "--json-schema stands alone" report --stacks misses --threshold 2 --json-schema
	refuses "--json-schema stands alone" what-if --json-schema tests/data/scene-quiet.dat
	refuses "--json-schema stands alone" what-if --json --json-schema
	refuses "--json-schema stands alone" diff --all --json-schema
	refuses "two traces are needed" diff --json-schema tests/data/scene-quiet.dat
	refuses "either --try-all or changes" what-if --try-all --pin --json-schema
}

forms=("report --by "{symbol,line,task,thread,cpu,address,object} "report --stacks "{off-cpu,on-cpu,misses,wakers}
	what-if "what-if --"{pin,try-all} diff{," --fail-on length>1s"}{," a b -- c"})
check "other tests, for their traces" keep_asked
check "rankings of recorded traces" keep_rankings
check "replays, with an answer and without" keep_what_if
check "recorded traces compared" keep_diffs
check "each form was printed" kept_forms
fits_each || failed=1
check "each interval holds its figure" tests/unit/report/schema/intervals.py "$kept"/*/*.json
check "with anything that does not choose the form" refuses_all
exit $failed
