# SPDX-License-Identifier: GPL-2.0
# BOOT: -s 2 -T single -a tsc=unstable
# SERIES: 6.1
# FILES: build/tests/vm/ring build/tests/vm/device
#
# Without a clock that the kernel trusts there are no rings, and all else works.

# shellcheck source=tests/lib/tap.sh
. /test/tap.sh

no_ring() {
	! ./ring hold && grep 'No such device' "$tap_log"
}

annotates() { grep -q ^ok /tmp/device && ! grep '^not ok' /tmp/device; }

insmod annot.ko || exit 1
check "mapping a ring is ENODEV when the TSC is unstable" no_ring
./device check >/tmp/device || failed=1
check "annotating by write() works as ever" annotates
exit $failed
