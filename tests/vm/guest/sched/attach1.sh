# SPDX-License-Identifier: GPL-2.0
# BOOT: -s 1 -T count -t 400
# SERIES: 6.12
# DEBUG: no, it is about times
# FILES: build/libannot/libannot.so.0 build/libannot/attach/gomp.so tests/vm/record-attached
#
# A program with OpenMP that nobody annotated, attached. One CPU, which both threads share: the one that waits spins while the other wants the CPU.

sh record-attached 3
