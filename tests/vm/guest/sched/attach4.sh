# SPDX-License-Identifier: GPL-2.0
# BOOT: -s 4 -T multi -t 280
# SERIES: 6.12
# DEBUG: no, it is about times
# FILES: build/libannot/libannot.so.0 build/libannot/attach/gomp.so tests/vm/record-attached
# TIMED
#
# A program with OpenMP that nobody annotated, attached. Four CPUs: each thread has its own, and the one that waits spins beside the other.

sh record-attached 3
