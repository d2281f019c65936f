# SPDX-License-Identifier: GPL-2.0
# BOOT: -E pebs -s 2 -T single -t 300
# SERIES: 6.12
# DEBUG: no, the emulator is slow enough without
# FILES: tests/vm/record-misses
#
# Energy, which the CPUs of a socket have one counter of, by the kernel's own driver. What the emulator consumes is
# known: energy_truth.py holds the readings against that.

. ./record-misses

cat /sys/bus/event_source/devices/power/cpumask /sys/bus/event_source/devices/power/events/* >/out/pmu
record energy --count power/energy-pkg/,power/energy-ram/,instr_retired \
	sh -c 'echo idle >/out/phase; sleep 1; busy 1; sleep 1'
# shellcheck disable=SC2154	# set by record-misses
exit "$failed"
