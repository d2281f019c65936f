# SPDX-License-Identifier: GPL-2.0
# BOOT: -s 1 -T count -t 400
# SERIES: 6.1
# DEBUG: no, it is about times
# FILES: tests/vm/measure-changes
#
# What annot what-if predicts of programs, against what they take when they are changed: on one CPU, whose time is the instructions
# that it executes.

sh measure-changes 3 serial pipeline lock tree chunks neighbour wakeup queue unlocked
