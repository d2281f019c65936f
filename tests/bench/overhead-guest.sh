# SPDX-License-Identifier: GPL-2.0
#
# What tests/bench/overhead boots: rounds of all kernels in all forms, one line a run in /out/runs.

# Else khugepaged takes its share of the one CPU whenever it likes.
echo never >/sys/kernel/mm/transparent_hugepage/enabled
insmod annot.ko || exit 1
for _ in 1 2 3; do
	sh overhead-round kernels wave:16 match:4 motion:6 -- \
		original disabled traced marker write ring >>/out/runs || exit 1
done
