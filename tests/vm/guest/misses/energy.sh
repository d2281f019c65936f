# SPDX-License-Identifier: GPL-2.0
# BOOT: -E pebs -s 2 -T single -t 300
# SERIES: 6.12
# DEBUG: no, the emulator is slow enough without
# FILES: tests/vm/record-misses
#
# Energy, which the CPUs of a socket have one counter of, by the kernel's own driver. What the emulator consumes is
# known: energy_truth.py holds the readings against that.

. ./record-misses

record energy --count power/energy-pkg/,power/energy-ram/,instr_retired sh -c 'sleep 0.5; busy -t 2 -r 50 -o /dev/null; sleep 0.5'

check "they are listed" sh -c 'annot list energy-pkg | grep -q "^power/energy-pkg/ .* Joules$"'

refused() {	# WHAT WORDS COMMAND...
	what=$1 words=$2
	shift 2
	check "$what" sh -c '! "$@" 2>/out/refused && grep -q "$0" /out/refused' "$words" "$@"
}
refused "it is not sampled" "the CPUs of a socket share its counter" annot record -e power/energy-pkg/ true
refused "nor divided by who caused it" "counts for a socket, not what user code" annot record --count power/energy-pkg/u true
refused "nor in annot stat" "annot record --count power/energy-pkg/" annot stat -e power/energy-pkg/ true
refused "nor in a group" "cannot be in a group" annot record --count '{power/energy-pkg/}' true
refused "an event that is not there" "has no 'energy-moon'" annot record --count power/energy-moon/ true

check "what is read is told" sh -c 'annot record -o /out/told.dat --count power/energy-ram/ true 2>&1 |
	grep -qx "annot: reads power/energy-ram/ (Joules) of 1 socket every 10 ms"'

rmmod annot
record without_module --count power/energy-pkg/ true
# shellcheck disable=SC2154	# set by record-misses
exit "$failed"
