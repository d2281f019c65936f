#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# What reads traces, under valgrind's memcheck: no bad access, nothing unset that decides, no leak.
# On good traces, on one that is cut short and on one that is damaged. TAP.
# SLOW
# shellcheck disable=SC2154	# work is of memcheck.bash
set -uo pipefail

cd "$(dirname "$0")/../../.." || exit
# shellcheck source=tests/lib/memcheck.bash
. tests/lib/memcheck.bash	# gives work, clean
annot=${ANNOT:-build/annot}

each() {	# NAME STATUS FILE
	clean "report: $1" "$2" "$annot" report "$3"
	clean "html: $1" "$2" "$annot" html -o "$work/page.html" "$3"
}

# A page has its findings and figures from the same analyses as a report: of each trace one of both, of each container both.
for trace in tests/data/*.dat; do
	name=$(basename "$trace" .dat)
	case $name in
	scene-*) clean "report: $name" 0 "$annot" report "$trace" ;;
	*-6.1) clean "html: $name" 0 "$annot" html -o "$work/page.html" "$trace" ;;
	*) each "$name" 0 "$trace" ;;
	esac
done
clean "report --json" 0 "$annot" report --json --all tests/data/lost-6.12.dat
for question in findings explain tasks slow_instances what_if compare no-such-tool; do
	echo '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"'$question'"}}'
done >"$work/questions"
echo nonsense >>"$work/questions"
clean "mcp" 0 "$annot" mcp tests/data/scene-hop.dat tests/data/scene-imbalance.dat <"$work/questions"
clean "convert --perfetto" 0 "$annot" convert --perfetto -o "$work/x.json" tests/data/lost-6.12.dat
clean "convert --csv" 0 "$annot" convert --csv -o "$work/x.csv" tests/data/lost-6.12.dat
clean "report --csv" 0 "$annot" report --csv --sort blocked tests/data/v6-6.1.dat
clean "diff" 0 "$annot" diff --all tests/data/scene-conflict.dat tests/data/scene-conflict-padded.dat
for form in --all --json --html; do
	clean "diff, several a side: $form" 3 "$annot" diff $form --fail-on 'p95(conflict) < 1000s' tests/data/scene-conflict.dat \
		tests/data/lost-6.12.dat -- tests/data/scene-conflict-padded.dat tests/data/scene-sharing.dat
done
head -c -5000 tests/data/v6-6.1.dat >"$work/cut.dat"
each "cut short" 0 "$work/cut.dat"
head -c 10000 tests/data/zstd-6.1.dat >"$work/cut.dat"
each "cut before it says where its data are" 0 "$work/cut.dat"
head -c 4000 tests/data/zstd-6.1.dat >"$work/cut.dat"
each "cut too short" 1 "$work/cut.dat"
# The length field of the last page, with which a version 6 ends.
cp tests/data/v6-6.1.dat "$work/damaged.dat"
offset=$(($(stat -c %s "$work/damaged.dat") - 4096 + 8))
printf '\xff\xff\xff\x07' | dd of="$work/damaged.dat" bs=1 seek=$offset conv=notrunc status=none
each "damaged" 1 "$work/damaged.dat"
for damage in none names lost hostile; do
	tests/lib/make_trace.py little 8 7 "$work/batch.dat" batch $damage
	each "batches, damage: $damage" 0 "$work/batch.dat"
done
tests/lib/make_trace.py little 8 7 "$work/raw.dat" raw hostile
clean "report: raw batches, damage: hostile" 0 "$annot" report "$work/raw.dat"
clean "report: not a trace" 1 "$annot" report /etc/passwd
