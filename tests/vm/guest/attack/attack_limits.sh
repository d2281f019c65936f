# SPDX-License-Identifier: GPL-2.0
# BOOT: -s 48 -T single -t 300 -a maxcpus=2
# SERIES: 6.12
# FILES: build/tests/vm/attack_limits
#
# The CPUs beyond two are there, but not started: there are rings for them, too.
#
# What users make the kernel keep counts against them, and ends with them.

# shellcheck source=tests/lib/tap.sh
. /test/tap.sh

groups=/tmp/cgroup

insmod annot.ko || exit 1
chgrp 100 /dev/annot/*
mkdir $groups && mount -t cgroup2 none $groups || exit 1
echo +memory >$groups/cgroup.subtree_control || exit 1
mkdir $groups/test || exit 1
./attack_limits $groups/test || failed=1
check "annot.ko unloads" rmmod annot
exit $failed
