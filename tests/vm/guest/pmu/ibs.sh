# SPDX-License-Identifier: GPL-2.0
# BOOT: -E zen2 -s 2 -T single -t 550
# SERIES: 6.1
# DEBUG: no, the emulator is slow enough without
# FILES: tests/vm/record-misses tests/vm/record-ibs
#
# A Zen 2: loads whose level is known, sampled by AMD's own driver with IBS, and counted by the core's counters.
# ibs_truth.py holds it against what the program knows.

. ./record-ibs
