# SPDX-License-Identifier: GPL-2.0
#
# Records /out/scene-*.dat, small ones: what the analyses find something in, or nothing. Where there
# are several CPUs they take turns, as in tests/vm/guest/sched/scenes.sh; one is as in scenes1.sh.

# shellcheck source=tests/lib/tap.sh
. /test/tap.sh

insmod annot.ko || exit 1
. ./few-formats.sh

scene() {	# NAME COMMAND...
	name=$1
	shift
	check "$name" annot record -q -b 1024 -o "/out/scene-$name.dat" -- "$@"
}

if [ "$(nproc)" -gt 1 ]; then
	scene imbalance imbalance
	scene wide wide -t 8 -r 70 -u 16000
	scene quiet quiet
	scene contend taskset 3 contend -t 2
	scene migrate migrate -r 8
	scene hop hop
	scene queue queue
else
	scene wakeup wakeup
fi
rmmod annot
