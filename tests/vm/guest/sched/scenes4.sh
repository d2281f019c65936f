# SPDX-License-Identifier: GPL-2.0
# BOOT: -N -s 4 -T single -t 400
# SERIES: 6.1
# DEBUG: no, it is about times
# FILES: tests/vm/record-scenes
# TIMED
#
# What the analyses are to find on several CPUs, and the twins without it. The emulated CPUs take
# turns, as in scenes.sh: what holds one of them up holds up all.

. ./record-scenes

for i in 0 1; do
	scene hop$i hop
	scene queue$i queue
done
scene hop-quiet hop -q
scene queue-quiet queue -q
rmmod annot
