# SPDX-License-Identifier: GPL-2.0
# BOOT: -s 2 -T multi -t 280
# SERIES: 7
# DEBUG: no, it is about times
# TIMED
#
# annot record --why without the module: a program that waits for all kinds of things. Recorded three times, for the emulator may
# stop a CPU for longer than a wait.

# shellcheck source=tests/lib/tap.sh
. /test/tap.sh

waits_are_recorded() {
	for time in 1 2 3; do
		annot record -q --why -b 4096 -o /out/why.$time.dat -- waits 4 >/out/why.$time.said || return
	done
}

check "what threads wait for is recorded" waits_are_recorded
