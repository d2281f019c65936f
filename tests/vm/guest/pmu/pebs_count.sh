# SPDX-License-Identifier: GPL-2.0
# BOOT: -E pebs -s 1 -T count -t 550
# SERIES: 6.12
# DEBUG: no, the emulator is slow enough without
# FILES: tests/vm/scenes build/tests/vm/pmu build/tests/vm/perf_user
#
# Misses counted to the letter: on one CPU whose time is the instructions it executes, they are the
# same whatever else this machine does. (The emulator cannot sample there.)

l2_miss=4:0x10d1
instructions=0:1

. ./scenes

chase() {	# NAME WORKING-SET-KIB
	scene "$1" "misses:$l2_miss:0:u counted:$instructions:0:uk" \
		sh -c "./perf_user 0 1 0 chase -t 1 -r 1 -w $2 -n 300000 -e r10d1 \
			-o /out/$1.json >/out/$1.perf"
}

scenes() {
	chase small 16 && chase large 65536 &&
		scene polluter "misses:$l2_miss:0:u" polluter -e r10d1 -o /out/polluter.json
}

record_scenes pebs "$@"
