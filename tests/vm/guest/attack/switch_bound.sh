# SPDX-License-Identifier: GPL-2.0
# BOOT: -s 1 -T count -m 2G -t 400
# SERIES: 6.1-rt 6.12
# DEBUG: no, it counts instructions
# FILES: build/tests/vm/switch_bound
#
# The most that a process can make a switch cost, with interrupts off and the run queue locked.

tracing=/sys/kernel/tracing
mkdir $tracing/instances/other || exit 1
echo 16384 >$tracing/buffer_size_kb
echo 16384 >$tracing/instances/other/buffer_size_kb
./switch_bound annot.ko
