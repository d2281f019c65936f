#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# NEEDS: workloads
# SLOW
#
# Annotations without the module: through trace_marker and trace_marker_raw, into this machine's own
# ftrace. TAP.
set -uo pipefail

cd "$(dirname "$0")/../.." || exit
if [ "$(id -u)" -ne 0 ]; then
	echo "1..0 # SKIP only root may trace"
	exit
fi
if [ -z "${ANNOT_TEST_TRACEFS-}" ]; then
	ANNOT_TEST_TRACEFS=1 exec tests/native/with-tracefs tests/native/fallback.sh
fi
tracefs=/sys/kernel/tracing
if [ ! -e $tracefs/trace_marker ]; then
	echo "1..0 # SKIP no tracefs"
	exit
fi

unset ANNOT_BACKEND ANNOT_BATCHES ANNOT_TRACEFS ANNOT_DEBUG
work=$(mktemp -d)
instance=$tracefs/instances/annot-fallback-$$
trap 'rm -rf "$work"; rmdir "$instance" 2>/dev/null' EXIT
# shellcheck source=tests/lib/tap.sh
. tests/lib/tap.sh

# Under auto a loaded module would be preferred; here it is to be without.
without_module=auto in_batches=auto
[ ! -e /dev/annot ] || without_module=marker in_batches=raw

with_trace_cmd() {	# WORKLOAD
	rm -f "$work"/truth.json "$work"/trace.dat
	ANNOT_BACKEND=$without_module trace-cmd record -q -C mono -e sched:sched_switch \
		-o "$work/trace.dat" tests/vm/when-recorded "$work/trace.dat" \
		"build/workloads/$1" -o "$work/truth.json"
}

with_annot_record() {	# BACKEND WORKLOAD [OPTION...]
	rm -f "$work"/truth.json "$work"/trace.dat
	ANNOT_BACKEND=$1 build/annot record "${@:3}" -o "$work/trace.dat" -- \
		"build/workloads/$2" -u 200 -o "$work/truth.json"
}

annotations_are_true() {	# NAME [PLUGINS]; only if there is something to check: else a failure was told already
	[ -e "$work/truth.json" ] && [ -e "$work/trace.dat" ] || return
	tests/native/check-annotations "$1" "$work/truth.json" "$work/trace.dat" "${@:2}" ||
		echo "not ok - $1: could be checked"
}

# What trace-cmd report needs to print raw_data in full.
plugins=$work/plugins
mkdir "$plugins"
read -ra flags < <(pkg-config --cflags libtraceevent)
check "a plugin that prints raw_data" ${CC:-cc} -shared -fPIC "${flags[@]}" \
	tests/native/plugin_raw_bytes.c -o "$plugins/plugin_raw_bytes.so"

# What a report tells whenever the same is recorded again: no times.
counts_of() {	# TRACE
	build/annot report --json "$1" | python3 -c 'import json, sys
report = json.load(sys.stdin)
print(*(f"{key} {value}" for key, value in report["trace"].items()
	if "lost" in key or "annotations" in key), sep="\n")
print(*sorted((task["name"], task["kind"], task["instances"]) for task in report["tasks"]), sep="\n")'
}

same_counts() {
	diff "$work/counts-readable" "$work/counts" && grep -q "'work'" "$work/counts"
}

for workload in imbalance imbalance-omp contend migrate wide; do
	check "$workload: recorded by trace-cmd" with_trace_cmd $workload
	annotations_are_true $workload
	check "$workload: recorded by annot record --readable" \
		with_annot_record $without_module $workload --readable
	annotations_are_true "$workload, readable"
	counts_of "$work/trace.dat" >"$work/counts-readable"
	check "$workload: recorded by annot record" with_annot_record $in_batches $workload
	annotations_are_true "$workload, in batches" "$plugins"
	counts_of "$work/trace.dat" >"$work/counts"
	check "$workload: both reports count the same" same_counts
done

# An instance of ftrace of our own, where nobody else records.
mkdir "$instance"
short=(build/workloads/imbalance -r 2 -u 100 -o "$work/truth.json")

entries() { grep -c tracing_mark_write "$instance/trace"; }

writes() {	# EXPECTED BACKEND: annotations that a run leaves in the instance, as it is now
	local nr
	: >"$instance/trace"
	ANNOT_BACKEND=$2 ANNOT_TRACEFS=$instance "${short[@]}" || return
	nr=$(entries)
	[ "$nr" -eq "$1" ] || { echo "$nr annotations in the buffer, not $1"; return 1; }
}

made=$("${short[@]}" && sed -n 's/^"annotations": \([0-9]*\),$/\1/p' "$work/truth.json")

check "nothing is written while no event is enabled" writes 0 $without_module
check "all is written with ANNOT_BACKEND=marker" writes "$made" marker
echo 1 >"$instance/events/sched/sched_process_exit/enable"
if [ $without_module = auto ]; then
	check "all is written while an event is enabled" writes "$made" auto
else
	skip "all is written while an event is enabled" "the module is loaded"
fi
echo 0 >"$instance/tracing_on"
check "nothing is written while tracing is off" writes 0 $without_module
echo 1 >"$instance/tracing_on"
echo 0 >"$instance/events/sched/sched_process_exit/enable"

# A program that does nothing but annotate, in two threads, so many times each.
cat >"$work/busy.c" <<-EOF
	#include <annot/annot.h>
	#include <pthread.h>
	#include <stdlib.h>
	#include <unistd.h>
	static long nr, pause_us;
	static void *busy(void *name)
	{
		annot_thread_name(name);
		for (long i = 0; i < nr; i++) {
			if (pause_us)
				usleep(pause_us);
			annot_begin_value("outer", i);
			annot_begin("inner");
			annot_next("second");
			annot_end();
			annot_counter("count", i);
			annot_end();
		}
		return NULL;
	}
	int main(int argc, char **argv)
	{
		pthread_t threads[2];
		nr = atol(argv[1]);
		pause_us = argc > 2 ? atol(argv[2]) : 0;
		pthread_create(&threads[0], NULL, busy, "busy0");
		pthread_create(&threads[1], NULL, busy, "busy1");
		pthread_join(threads[0], NULL);
		pthread_join(threads[1], NULL);
		return 0;
	}
EOF
check "a busy program" ${CC:-cc} -O2 -Iinclude "$work/busy.c" build/libannot/libannot.a -pthread -o "$work/busy"

nr_each=20000
all_of_many() {
	ANNOT_BACKEND=$in_batches build/annot record -b 32768 -o "$work/busy.dat" -- "$work/busy" $nr_each ||
		return
	build/annot report --json "$work/busy.dat" >"$work/busy.json" || return
	python3 - "$work/busy.json" $nr_each <<-EOF
		import json, sys
		report, each = json.load(open(sys.argv[1])), int(sys.argv[2])
		for key in ("lost_events", "lost_annotations", "reordered_annotations", "altered_annotations",
			    "nameless_annotations"):
		    if report["trace"][key]:
		        sys.exit(f"{key}: {report['trace'][key]}")
		found = {task["name"]: task["instances"] for task in report["tasks"]}
		wanted = dict.fromkeys(("outer", "inner", "second"), 2 * each)
		if found != wanted:
		    sys.exit(f"{found}, not {wanted}")
	EOF
}
check "$((2 * nr_each)) spans in each of three tasks, all there, none out of order" all_of_many

# The recording ends, the program does not notice; what it made before is there, but for the last.
ends_early() {
	ANNOT_BACKEND=$in_batches build/annot record --duration 0.5 -o "$work/early.dat" -- "$work/busy" 1000 1000 ||
		return
	build/annot report --json "$work/early.dat" >"$work/early.json" &&
		grep -q '"name": "outer"' "$work/early.json" && grep -q '"lost_annotations": 0' "$work/early.json"
}
check "a recording that ends before the program" ends_early

user_decides() {
	with_annot_record marker migrate && trace-cmd report -i "$work/trace.dat" 2>/dev/null >"$work/text" &&
		grep -q tracing_mark_write "$work/text" && ! grep -q " raw_data: " "$work/text"
}
check "ANNOT_BACKEND=marker under annot record" user_decides

# 1000 of them, in events of the least size that each kernel takes whole.
into_instance() {
	: >"$instance/trace"
	ANNOT_BACKEND=raw ANNOT_TRACEFS=$instance "$work/busy" 100 || return
	[ "$(grep -c '# 746f6e61 buf' "$instance/trace")" -ge 10 ] || cat "$instance/trace"
}
check "into an instance" into_instance
