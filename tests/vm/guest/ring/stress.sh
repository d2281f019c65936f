# SPDX-License-Identifier: GPL-2.0
# BOOT: -s 4 -m 1536M -T multi -t 280
# SERIES: 7 arm64
# MORE: riscv64
# FILES: build/tests/vm/stress tests/vm/when-recorded
#
# Four million records from threads that are preempted, moved and interrupted all the time, in
# batches. The buffers hold all of it, whether or not trace-cmd finds the time to read them.

# For other machines our command is not built: this records what it does.
# shellcheck source=tests/lib/tap.sh
. /test/tap.sh

record() {
	if command -v annot >/dev/null; then
		annot record -b 65536 -o /out/stress.dat -- "$@"
	else
		trace-cmd record -C mono -b 65536 -o /out/stress.dat -e sched:sched_switch \
			-e annot:annot_name -e annot:annot_lost -e annot:annot_config -e annot:annot_batch \
			./when-recorded /out/stress.dat "$@"
	fi
}

# Those are emulated more slowly than this one, too.
slowdown=${SLOWDOWN:-1}
[ "$(uname -m)" = x86_64 ] || slowdown=$((slowdown * 5))

insmod annot.ko || exit 1
check "it annotates into rings, and is recorded" record ./stress /out/stress.truth "$slowdown"
cp "$tap_log" /out/stress.log
# There the kernel takes half a minute to unload a module: tests/vm/guest/ring/machine.sh has that.
[ "$(uname -m)" != riscv64 ] || exit 0
check "annot.ko unloads" rmmod annot
