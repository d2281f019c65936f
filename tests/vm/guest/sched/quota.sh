# SPDX-License-Identifier: GPL-2.0
# BOOT: -s 2 -T multi -t 280
# SERIES: 6.1
# DEBUG: no, it is about times
# FILES: build/tests/vm/quota
# TIMED
#
# A program whose cgroup may use a fifth of a CPU, and the same one without a quota. The kernel counts for how long it throttles.

# shellcheck source=tests/lib/tap.sh
. /test/tap.sh

groups=/sys/fs/cgroup

make_groups() {
	mkdir -p "$groups" && mount -t cgroup2 none "$groups" && echo +cpu >"$groups/cgroup.subtree_control" &&
		mkdir "$groups/quota" "$groups/quota-quiet" && echo "20000 100000" >"$groups/quota/cpu.max"
}

record() {	# GROUP
	annot record -q -b 4096 -o "/out/$1.dat" -- ./quota "$groups/$1" 3 >"/out/$1.said"
}

check "cgroups can have quotas" make_groups
check "a program with a quota is recorded" record quota
check "one without is recorded" record quota-quiet
exit $failed
