# SPDX-License-Identifier: GPL-2.0
# BOOT: -N -s 2 -T multi -t 400
# SERIES: 6.1
# DEBUG: no, it is about times
# FILES: tests/vm/measure-changes
# TIMED
#
# What annot what-if predicts of programs on two CPUs, against what they take when they are changed.

sh measure-changes 15 balance serial pipeline lock tree neighbour
