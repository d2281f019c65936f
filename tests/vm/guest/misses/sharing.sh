# SPDX-License-Identifier: GPL-2.0
# BOOT: -E pebs -s 2 -T single -t 300
# SERIES: 6.12
# DEBUG: no, the emulator is slow enough without
# FILES: tests/vm/record-misses
#
# Lines that CPUs take from each other, from samples of loads that miss and of stores: threads whose
# counters lie side by side, and the same with padding. lines_truth.py holds what annot report says
# against what the program knows.

. ./record-misses

record sharing -e l1_cache_miss:u,memory_stores:u -c 499 sharing -n 50000 -o /out/sharing.json
record sharing-padded -e l1_cache_miss:u,memory_stores:u -c 499 sharing -n 50000 -p 56 -o /out/sharing-padded.json
# shellcheck disable=SC2154	# set by record-misses
exit "$failed"
