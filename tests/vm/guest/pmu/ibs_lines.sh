# SPDX-License-Identifier: GPL-2.0
# BOOT: -E zen2 -s 2 -T single -t 550
# SERIES: 6.12
# DEBUG: no, the emulator is slow enough without
# FILES: tests/vm/record-misses
#
# A Zen 2: lines that compete for a set, and lines that CPUs take from each other, from samples of instructions (IBS), of which
# most hit; and the same with padding. ibs_lines_truth.py holds what annot report says against what the programs know.

. ./record-misses

sampled="-e ibs_op:u -c 2000 --count instr_retired:u"
# shellcheck disable=SC2086	# words
record_twins() {	# NAME BYTES OF PADDING
	record "$1" $sampled "$1" -r 10 -n 50000 -o "/out/$1.json"
	record "$1-padded" $sampled "$1" -r 10 -n 50000 -p "$2" -o "/out/$1-padded.json"
}

# Some 70 samples of each counter for all, of which 16 are needed: fewer come about by a chance of 10^-14.
record_twins sharing 56
# Some 300 samples of 16 lines: one of them is in none by a chance of 16 * (15 / 16)^300, once in ten million.
record_twins conflict 64

# The core's counter brings IBS along, unless it is told not to, or IBS is there.
record pair -e l1_cache_miss:u -c 997 conflict -r 3 -n 50000 -o /out/pair.json
record alone -e l1_cache_miss:u:precise=0 -c 997 conflict -r 1 -n 50000 -o /out/alone.json
record counter -e l1_cache_miss:u,ibs_op:u:period=2000 -c 997 conflict -r 10 -n 50000 -o /out/counter.json
annot list l1_cache_miss >/out/list
# shellcheck disable=SC2154	# set by record-misses
exit "$failed"
