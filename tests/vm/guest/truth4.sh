# SPDX-License-Identifier: GPL-2.0
# BOOT: -s 4 -T multi -t 300
# DEBUG: no, it is about times
# FILES: tests/vm/record-workloads
#
# The scenes that are about four CPUs, their annotations one by one.

sh record-workloads --readable imbalance contend migrate
