# SPDX-License-Identifier: GPL-2.0
# BOOT: -E pebs -s 2 -T single -t 550
# SERIES: 6.12
# DEBUG: no, the emulator is slow enough without
# TIMED
# FILES: tests/vm/record-misses
#
# Where and why programs miss, from samples of Intel's own driver with PEBS: conflicting addresses
# and the same with padding, and working sets of five sizes, whose misses are counted, too. (What time
# it is there means nothing.)
# misses_truth.py holds what annot report says against what the programs know. Ticks of the guest's kernel come by the time of the machine
# outside: where that stands still, there are more of them among as many accesses.

. ./record-misses

record conflict -e l1_cache_miss:u -c 997 conflict -r 2 -n 500000 -o /out/conflict.json
record conflict-padded -e l1_cache_miss:u -c 997 conflict -r 2 -n 500000 -p 64 -o /out/conflict-padded.json
# Three samples of each line. More of them would themselves take from the first level what the program
# has there: 28 KiB do not stay in it.
record chase -e memory_loads:u -c 251 --max-samples 200000 --count l1_cache_miss:u,l2_cache_miss:u \
	chase -t 1 -r 1 -s 16,20,48,160,320 -n 4300000 -e r8d1 -o /out/chase.json
# shellcheck disable=SC2154	# set by record-misses
exit "$failed"
