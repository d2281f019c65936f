# SPDX-License-Identifier: GPL-2.0
# BOOT: -E pebs:1024 -s 2 -T single -t 550
# SERIES: 6.12
# DEBUG: no, the emulator is slow enough without
# FILES: tests/vm/record-misses
#
# Counts by task, where tasks of very different counts take turns and move from CPU to CPU: counted,
# sampled, and both; by our library, and by write(); and by annot itself, as a group. tasks_truth.py holds what annot report says
# against what the program knows. The period is one with which the program's pieces, of 393 misses in
# turn, are not in step: samples each 97 would drift through them by 5 a turn, and not be random.

. ./record-misses

misses=l3_cache_miss
instructions=instr_retired

record count --count $misses:u,$instructions:u pieces -o /out/count.json
record count_both --count $misses,$instructions pieces -o /out/count_both.json
record sample -e $misses:u -c 89 pieces -o /out/sample.json
record sample_count -e $misses:u -c 89 --count $instructions:u,$misses:u pieces -o /out/sample_count.json
record group --count "{$misses:u,$instructions:u}" pieces -o /out/group.json
record write --count $misses:u,$instructions:u pieces -a /dev/annot/cpu0 -o /out/write.json
# shellcheck disable=SC2154	# set by record-misses
exit "$failed"
