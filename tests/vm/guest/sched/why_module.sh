# SPDX-License-Identifier: GPL-2.0
# BOOT: -s 2 -T multi -t 280
# SERIES: 6.1
# DEBUG: no, it is about times
# TIMED
#
# annot record --why with the module: as why.sh. What the module tells is more, so more is compared.

# shellcheck source=tests/lib/tap.sh
. /test/tap.sh

insmod annot.ko || exit 1

waits_are_recorded() {
	for time in 1 2 3; do
		annot record -q --why -b 4096 -o /out/why.$time.dat -- waits 4 >/out/why.$time.said || return
	done
}

check "what threads wait for is recorded" waits_are_recorded
check "annot.ko unloads" rmmod annot
exit $failed
