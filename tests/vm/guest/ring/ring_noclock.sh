# SPDX-License-Identifier: GPL-2.0
# BOOT: -s 2 -T single -a tsc=unstable
# FILES: build/tests/vm/ring build/tests/vm/device
#
# Without a clock that the kernel trusts there are no rings, and all else works.

failed=0

insmod annot.ko || exit 1
if ./ring hold >/tmp/log 2>&1 || ! grep -q 'No such device' /tmp/log; then
	sed 's/^/# /' /tmp/log
	echo "not ok - mapping a ring is ENODEV when the TSC is unstable"
	failed=1
else
	echo "ok - mapping a ring is ENODEV when the TSC is unstable"
fi
./device check >/tmp/device || failed=1
if grep -q ^ok /tmp/device && ! grep '^not ok' /tmp/device; then
	echo "ok - annotating by write() works as ever"
else
	echo "not ok - annotating by write() works as ever"
	failed=1
fi
exit $failed
