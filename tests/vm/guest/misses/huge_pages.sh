# SPDX-License-Identifier: GPL-2.0
# BOOT: -E pebs -s 2 -T single -t 300
# SERIES: 6.1 6.12
# DEBUG: no, the emulator is slow enough without
# FILES: tests/vm/record-misses build/tests/vm/huge_pages
#
# In which pages data lies that samples of loads and stores accessed. The program says how the kernel sees its memory;
# huge_pages_truth.py holds the report against that.

. ./record-misses

thp=/sys/kernel/mm/transparent_hugepage
check "the kernel has huge pages" test -s $thp/hpage_pmd_size
echo madvise >$thp/enabled
echo always >$thp/defrag
# Else it puts together again what the program splits, of which a page is missing.
echo 0 >$thp/khugepaged/defrag
echo 0 >$thp/khugepaged/max_ptes_none
echo 4 >/proc/sys/vm/nr_hugepages
check "and some of hugetlbfs" grep -q "HugePages_Total: *4" /proc/meminfo

# The program goes on until the recording ends, at which it is read for sure: how often before depends on what that costs here.
record huge_pages --duration 25 -e l1_cache_miss:u,memory_stores:u -c 997 ./huge_pages /out/huge_pages.said
check "the report by object" sh -c 'annot report --by object --csv /out/huge_pages.dat >/out/huge_pages.csv'
check "and the analysis" sh -c 'annot report --json --show data_objects /out/huge_pages.dat >/out/huge_pages.json'
# shellcheck disable=SC2154	# set by record-misses
exit "$failed"
