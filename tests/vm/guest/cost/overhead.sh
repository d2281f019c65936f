# SPDX-License-Identifier: GPL-2.0
# BOOT: -s 1 -T count -t 400
# SERIES: 6.12
# DEBUG: no, it is about costs
# FILES: tests/bench/overhead-round build/tests/bench/kernels
#
# The forms of the benchmark tests/bench/overhead: that they do what they are said to, not what they
# cost. In the recordings is what the kernels counted themselves.

# shellcheck source=tests/lib/tap.sh
. /test/tap.sh

insmod annot.ko || exit 1
rounds() {
	sh overhead-round kernels wave:1 match:1 motion:1 -- original disabled traced marker write ring >/out/runs
}
check "each form can be recorded" rounds
rmmod annot
