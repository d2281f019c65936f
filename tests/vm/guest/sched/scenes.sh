# SPDX-License-Identifier: GPL-2.0
# BOOT: -N -s 8 -T single -t 400
# SERIES: 6.1
# DEBUG: no, it is about times
# FILES: tests/vm/record-scenes
# TIMED
#
# What the analyses are to find, and a quiet run, in which there is nothing to be found, ten times.
# The emulated CPUs take turns of some milliseconds: whatever else this machine does, it holds them
# all up, and equal work takes equal time.

. ./record-scenes

scene imbalance imbalance
scene wide wide -t 8 -r 70 -u 16000
for i in 0 1 2 3 4 5 6 7 8 9; do
	scene quiet$i quiet
done
rmmod annot
