# SPDX-License-Identifier: GPL-2.0
# BOOT: -s 2 -T multi -t 280
# SERIES: 6.12
# FILES: build/tests/vm/ring_hostile
#
# What a process does to its own rings is its own affair.

# shellcheck source=tests/lib/tap.sh
. /test/tap.sh

nr=250000
[ -z "${SLOWDOWN-}" ] || nr=1000000
insmod annot.ko || exit 1
slowdown=${SLOWDOWN:-1}
# On a slow kernel, what the trace says of each state is as slow to be read.
./ring_hostile $((nr / slowdown / slowdown)) || exit 1
check "annot.ko unloads" rmmod annot
