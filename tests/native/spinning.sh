#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# NEEDS: workloads
# SLOW
# TIMED
#
# Threads that spin, and more threads than CPUs, recorded with this machine's own ftrace: what annot report says of them,
# held against what the programs measured. TAP.
# shellcheck disable=SC2154	# record.bash assigns what is not assigned here
set -u

cd "$(dirname "$0")/../.." || exit
if [ "$(nproc)" -lt 2 ]; then
	echo "1..0 # SKIP one CPU"
	exit
fi

# shellcheck source=tests/native/record.bash
. tests/native/record.bash
unset ANNOT_BACKEND ANNOT_BATCHES ANNOT_TRACEFS ANNOT_DEBUG
cpus=$(taskset -cp $$ | sed 's/.*: //' | awk -F'[-,]' '{ print $1 "," ($2 ? $2 : $1 + 1) }')

# Whatever else this machine does, it does little of it on these CPUs.
scene() {	# NAME COMMAND...
	local name=$1
	shift
	record 0 -q -b 8192 -o "$name.dat" -- taskset -c "$cpus" "$@" -o "$work/$name.truth.json"
	"$annot" report --json "$name.dat" >"$name.json" || echo "no report"
}

# Some kernels do not record all switches: again, until nothing is unknown of what is compared within 2 %.
scene_without_gaps() {	# NAME COMMAND...
	for _ in 1 2 3 4 5; do
		scene "$@"
		python3 - "$1.json" <<-'EOF' && return
			import json, sys
			with open(sys.argv[1], encoding="utf-8") as file:
			    tasks = json.load(file)["tasks"]
			sys.exit(any(task["unknown_ns"] for task in tasks if task["name"] == "barrier"))
		EOF
	done
	return 0
}

workloads=$here/build/workloads
check "two threads that spin: recorded" scene_without_gaps spin2 chrt -f 1 "$workloads/spin" -t 2
check "four threads that spin: recorded" scene spin4 nice -n -20 "$workloads/spin" -t 4
check "two threads that sleep: recorded" scene quiet nice -n -20 "$workloads/spin" -t 2 -q
check "four busy threads: recorded" scene busy4 nice -n -20 "$workloads/busy" -t 4
check "two busy threads: recorded" scene busy2 nice -n -20 "$workloads/busy" -t 2
"$here/tests/native/check-spinning" "$work" || echo "not ok - what was recorded could be checked"
