# SPDX-License-Identifier: GPL-2.0
# BOOT: -E pebs -s 2 -T single -t 300
# SERIES: 6.12
# DEBUG: no, the emulator is slow enough without
# FILES: tests/vm/record-misses
#
# Stacks of samples, in the NMI: of a program without frame pointers that knows who called whom, with
# PEBS and without. stacks_truth.py holds them against what the program says.

. ./record-misses

# There is no cache of ldconfig's here, by which libraries are found elsewhere.
export LD_LIBRARY_PATH=/lib/x86_64-linux-gnu

record precise -e instr_retired:u:precise=1 --call-stacks -c 4999 callers /out/precise.chains 12
# A child has what its parent had.
record skid -e instr_retired:u:precise=0 --call-stacks -c 4999 callers /out/skid.chains 12 child
# shellcheck disable=SC2154	# set by record-misses
exit "$failed"
