# SPDX-License-Identifier: GPL-2.0
#
# Records /out/*.dat, small ones.

# shellcheck source=tests/lib/tap.sh
. /test/tap.sh

insmod annot.ko || exit 1
. ./few-formats.sh

record() {	# NAME [OPTION...] -- COMMAND...
	name=$1
	shift
	check "$name" trace-cmd record -q -C mono -e sched_switch -e sched_wakeup -e sched_wakeup_new \
		-e sched_migrate_task -e sched_process_fork -e sched_process_exec \
		-e sched_process_exit -e task_newtask -e task_rename -e annot \
		-o "/out/$name.dat" "$@"
}

record v6 --file-version 6 -- imbalance -r 3 -u 300 -o /out/v6.truth.json
record plain --compression none -- migrate -u 500 -o /out/plain.truth.json
record zstd -- contend -r 3 -u 1000 -o /out/zstd.truth.json
# Without the module: the same text as /dev/annot/cpuN gets, as trace_marker wants it.
ANNOT_BACKEND=marker record marker -- wide -t 8 -u 300 -o /out/marker.truth.json
# Far more than the buffers hold while trace-cmd is kept from emptying them.
cat >/tmp/burst <<'END'
exec 3>/dev/annot/cpu0
step() {
	echo "B step $1" >&3
	echo E >&3
}
for i in 0 1 2 3 4; do step $i; done
recorders=$(pidof trace-cmd)
kill -STOP $recorders
for i in $(seq 5 1500); do step $i; done
kill -CONT $recorders
sleep 0.5
for i in $(seq 1501 1600); do step $i; done
END
record lost -b 64 -- sh /tmp/burst
rmmod annot
