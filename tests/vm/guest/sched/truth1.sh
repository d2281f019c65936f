# SPDX-License-Identifier: GPL-2.0
# BOOT: -s 1 -T count -t 400
# SERIES: 6.12
# DEBUG: no, it is about times
# FILES: tests/vm/record-workloads
#
# Times to the letter, of annotations in batches, on one CPU whose time is the instructions it executes. An emulated CPU
# that runs on this machine's time stands still for milliseconds now and then; where that falls
# between the scheduler's reading of its clock and the event, the program's CPU clock and the trace
# differ by it, and no tool is to blame.

sh record-workloads imbalance imbalance-omp contend wide
