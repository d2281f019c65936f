# SPDX-License-Identifier: GPL-2.0
#
# What tests/demo has a guest do: the recording. An emulated CPU takes longer over a sample than the
# kernel would allow it.

echo 0 >/proc/sys/kernel/perf_cpu_time_max_percent
insmod annot.ko && sh ./record-demo /out
