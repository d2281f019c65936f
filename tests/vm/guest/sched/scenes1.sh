# SPDX-License-Identifier: GPL-2.0
# BOOT: -s 1 -T count -t 300
# SERIES: 6.1
# DEBUG: no, it is about times
# FILES: tests/vm/record-scenes
#
# What the analyses are to find where programs share a CPU, and its twin without it. The CPU's time is
# the instructions it executes, whatever else this machine does.

. ./record-scenes

scene wakeup wakeup
scene wakeup-quiet wakeup -q
rmmod annot
