# SPDX-License-Identifier: GPL-2.0
# BOOT: -E zen4 -s 2 -T single -t 550
# SERIES: 6.12
# DEBUG: no, the emulator is slow enough without
# FILES: tests/vm/record-misses tests/vm/record-ibs
#
# A Zen 4, which tells its levels in finer words: loads whose level is known, sampled by AMD's own driver with IBS, and counted by the core's counters.
# ibs_truth.py holds it against what the program knows.

. ./record-ibs
