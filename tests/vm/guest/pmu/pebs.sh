# SPDX-License-Identifier: GPL-2.0
# BOOT: -E pebs:1024 -s 2 -T single -t 550
# SERIES: 6.12
# DEBUG: no, the emulator is slow enough without
# FILES: tests/vm/scenes build/tests/vm/pmu build/tests/vm/perf_user
#
# Misses sampled by Intel's own driver, with PEBS, of programs whose misses are known; the NMI
# watchdog has its counter meanwhile. One recording has all scenes, each with events of its own.
# pebs_truth.py holds it against what the programs know.

l1_miss=4:0x8d1
load_latency=4:0x1cd

. ./scenes

scenes() {
	echo 1 >/proc/sys/kernel/nmi_watchdog && limit_to 10000000 || return
	# Another user counts the same, and each thread does: no counter is left.
	scene chase "sampled:$l1_miss:1000:uk:3 counted:$l1_miss:0:uk" \
		sh -c './perf_user 4 0x8d1 0 chase -t 2 -r 1 -w 4096 -n 250000 -e r8d1 \
			-o /out/chase.json >/out/chase.perf' || return
	scene latency "latency:$load_latency:101:u:2:30 misses:$l1_miss:1009:u:2" \
		chase -t 1 -r 1 -w 4096 -n 50000 -o /out/latency.json || return
	scene conflict "sampled:$l1_miss:100:ur:3" \
		conflict -r 2 -n 50000 -o /out/conflict.json || return
	# One more than a CPU can count.
	scene too_many "a:$l1_miss:0:uk b:$l1_miss:0:uk c:$l1_miss:0:uk d:$l1_miss:0:uk e:$l1_miss:0:uk" \
		chase -t 1 -r 1 -w 64 -n 10000 -o /out/too_many.json || return
	# The kernel allows fewer than there would be, on a slow host, too: two in a tick.
	limit_to 500 || return
	scene throttled "sampled:$l1_miss:20:u:3" \
		chase -t 1 -r 1 -w 4096 -n 300000 -o /out/throttled.json
}

record_scenes pebs "$@"
