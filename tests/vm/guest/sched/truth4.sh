# SPDX-License-Identifier: GPL-2.0
# BOOT: -N -s 4 -T single -t 300
# SERIES: 6.12
# DEBUG: no, it is about times
# FILES: tests/vm/record-workloads
# TIMED
#
# The scenes that are about four CPUs, their annotations one by one. The CPUs take turns: in
# parallel, one would stand still while others go on wherever this machine has something else to do,
# and take longer for the same work.

sh record-workloads --readable imbalance contend migrate
