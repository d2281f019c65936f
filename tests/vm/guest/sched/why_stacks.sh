# SPDX-License-Identifier: GPL-2.0
# BOOT: -s 2 -T multi -t 280
# SERIES: 6.1
# DEBUG: no, it is about times
# TIMED
#
# annot record --why --call-stacks: where a program without frame pointers waits, and for how long, and where those are that wake it
# up. Recorded three times, for the
# emulator may stop a CPU for longer than a wait.

# shellcheck source=tests/lib/tap.sh
. /test/tap.sh

insmod annot.ko || exit 1

# There is no cache of ldconfig's here, by which libraries are found elsewhere.
export LD_LIBRARY_PATH=/lib/x86_64-linux-gnu

waits_are_recorded() {
	for time in 1 2 3; do
		annot record -q --why --call-stacks -b 4096 -o /out/stacks.$time.dat -- stack_waits >/out/stacks.$time.said || return
		# Here the program is where the trace says.
		annot convert --folded off-cpu -o /out/folded.$time /out/stacks.$time.dat || return
	done
}

wakers_are_recorded() {
	for time in 1 2 3; do
		annot record -q --why --call-stacks -b 4096 -o /out/wakers.$time.dat -- stack_wakers >/out/wakers.$time.said || return
		annot convert --folded wakers -o /out/wakers.$time /out/wakers.$time.dat || return
	done
}

check "where threads wait is recorded" waits_are_recorded
check "where others wake them up is recorded" wakers_are_recorded
check "annot.ko unloads" rmmod annot
exit $failed
