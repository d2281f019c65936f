# SPDX-License-Identifier: GPL-2.0
# BOOT: -s 2 -T multi -t 300
# SERIES: 6.1
# DEBUG: no, it is about times
# FILES: tests/vm/measure-changes
# TIMED
#
# What annot what-if predicts of programs on two CPUs, against what they take when they are changed. CPUs that are emulated in
# parallel differ by several percent from run to run: what_if1.sh is stricter. QEMU must not be preferred here (-N): two of its
# threads that spin would keep the one that has the timers from the machine's two CPUs.

sh measure-changes 15 balance serial pipeline lock tree neighbour
