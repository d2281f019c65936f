# SPDX-License-Identifier: GPL-2.0
# BOOT: -E pebs -s 2 -T single -t 300
# SERIES: 6.12
# DEBUG: no, the emulator is slow enough without
# FILES: tests/vm/record-misses build/tests/vm/objects build/libannot/libannot.so.0 build/libannot/attach/heap.so
#
# Whose data samples of loads and stores accessed. The program says where its objects are;
# objects_truth.py holds the address of each sample against that. The report is made here, where the
# program's file is.

. ./record-misses

record objects -e l1_cache_miss:u,memory_stores:u -c 97 ./objects /out/objects.said
check "whose data they are" sh -c 'annot report --by object --csv /out/objects.dat >/out/objects.csv'
check "how much of a line is used" sh -c 'annot report --json /out/objects.dat >/out/objects.json'

# A program that nobody annotated: the same of what it allocates. Of its small blocks, one in 16 is told.
mkdir -p /lib/annot
cp libannot.so.0 /lib/
cp heap.so /lib/annot/
export ANNOT_ATTACH_DIR=/lib/annot ANNOT_HEAP_SAMPLE=16
record heap -e l1_cache_miss:u,memory_stores:u -c 97 --attach=heap blocks /out/heap.said
check "by which call it was allocated" sh -c 'annot report --by object --csv /out/heap.dat >/out/heap.csv'
check "the report" sh -c 'annot report --json /out/heap.dat >/out/heap.json'
check "the machine is virtual" sh -c 'grep -q "\"hypervisor\": *\"QEMU\"" /out/heap.json'
check "the samples of that" sh -c 'annot samples --columns tid,addr,symbol /out/heap.dat >/out/heap.samples'
check "those of its nodes" sh -c 'annot samples --columns event,addr,symbol /out/heap.dat >/out/nodes.samples'

# Likewise, of its thread-local variables.
record thread_locals -e l1_cache_miss:u -c 97 --attach=heap thread_locals /out/thread_locals.said
check "whose thread-local variables they are" sh -c 'annot report --by object --csv /out/thread_locals.dat >/out/thread_locals.csv'
check "the samples of these" sh -c 'annot samples --columns tid,addr,data /out/thread_locals.dat >/out/thread_locals.samples'
# shellcheck disable=SC2154	# set by record-misses
exit "$failed"
