# SPDX-License-Identifier: GPL-2.0
# BOOT: -E pebs -s 2 -T single -t 300
# SERIES: 6.12
# DEBUG: no, the emulator is slow enough without
# FILES: tests/vm/record-misses
#
# Conflicting addresses, and the same with padding, told by registers: samples that are not precise
# have no address. lines_truth.py holds what annot report says against what the program knows.

. ./record-misses

record conflict -e l1_cache_miss:u:precise=0 --registers -c 997 conflict -r 2 -n 500000 -o /out/conflict.json
record conflict-padded -e l1_cache_miss:u:precise=0 --registers -c 997 conflict -r 2 -n 500000 -p 64 -o /out/conflict-padded.json
# shellcheck disable=SC2154	# set by record-misses
exit "$failed"
