# SPDX-License-Identifier: GPL-2.0
# BOOT: -s 1 -T count -t 300
# SERIES: 6.12
# DEBUG: no, it is about times
#
# A lock whose holder waits for a slow device: who waited for whom, and for what in the end. Nobody annotated the lock: the
# module tells its waits. On one CPU whose time is the instructions it executes, times do not depend on this machine.

# shellcheck source=tests/lib/tap.sh
. /test/tap.sh

insmod annot.ko || exit 1

# There is no cache of ldconfig's here, by which libraries are found elsewhere.
export LD_LIBRARY_PATH=/lib/x86_64-linux-gnu

journal_is_recorded() {
	annot record -q --why --call-stacks -b 8192 -o /out/journal.dat -- journal >/out/journal.said
}

check "the journal is recorded" journal_is_recorded
check "annot.ko unloads" rmmod annot
exit $failed
