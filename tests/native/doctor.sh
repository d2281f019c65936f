#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# annot doctor on this machine: as root and as nobody, in namespaces, interrupted. TAP.
# shellcheck disable=SC2317	# functions as arguments
set -u

cd "$(dirname "$0")/../.." || exit
if [ "$(id -u)" -ne 0 ]; then
	echo "1..0 # SKIP only root may trace, and make namespaces"
	exit
fi

tracefs=/sys/kernel/tracing
[ -d $tracefs/events ] || mount -t tracefs tracefs $tracefs
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
# Where anybody may run it.
chmod 755 "$work"
cp build/annot "$work/annot"
annot=$work/annot
# shellcheck source=tests/lib/tap.sh
. tests/lib/tap.sh
output_is_failure=true
cd "$work" || exit

nobody() { setpriv --reuid nobody --regid nogroup --clear-groups "$@"; }

# Runs COMMAND, which is annot doctor somewhere: what it prints is in out, and its status must be that
# of the worst severity.
examine() {	# COMMAND...
	local status=0 wanted=0
	"$@" >out 2>err || status=$?
	! grep -q '^[a-z-]* *limits ' out || wanted=1
	! grep -q '^[a-z-]* *prevents ' out || wanted=2
	[ $status -eq $wanted ] || echo "exit status $status, not $wanted"
	[ ! -s err ] || cat err
	awk 'length > 80 { print "too long: " $0 }' out
	grep -vE '^[a-z-]+ +(ok|unknown|limits|prevents) +[^ ]|^ {12}cure {5}[^ ]|^ {21}[^ ]' out |
		sed 's/^/strange: /'
}

# In out, CHECK has SEVERITY and says TEXT; a cure is said, unless it is "-", too.
says() {	# CHECK SEVERITY TEXT CURE
	awk -v name="$1" '/^[a-z]/ { mine = $1 == name } mine' out >said
	grep -qE "^$1 +$2 .*$3" said || echo "$1: nothing of $2, '$3' in: $(cat said)"
	[ "$4" = - ] || grep -qE "^ +cure .*$4" said || echo "$1: no cure '$4' in: $(cat said)"
}

no_instance_is_left() {
	local left
	left=$(find $tracefs/instances -maxdepth 1 -name 'annot-doctor-*')
	[ -z "$left" ] || echo "left: $left"
}

as_root() {
	examine "$annot" doctor
	says tracefs ok $tracefs -
	says trace-clock ok mono -
	says perf ok "root may measure" -
	says memlock ok CAP_IPC_LOCK -
	[ -e /proc/modules ] || says module limits "cannot load modules" CONFIG_MODULES
	[ -e /sys/bus/event_source/devices/cpu ] || says pmu limits "no PMU" page_faults
	if grep -q '^flags.* hypervisor' /proc/cpuinfo; then
		says virtual limits "virtual machine" "on the host"
	fi
	if [ "$(cat /sys/devices/system/clocksource/clocksource0/current_clocksource)" = tsc ]; then
		says clocksource ok tsc -
	fi
}

# Missing ones are the kernel's affair: what is held against the truth is how many there were.
switches() {
	local number
	examine "$annot" doctor
	says switches '(ok|unknown|limits)' '(none of [0-9]+ switches is missing|[0-9]+ of [0-9]+ switches are missing)' -
	number=$(sed -n 's/^switches .* of \([0-9]*\) switches.*/\1/p' out)
	[ "${number:-0}" -ge 100 ] || echo "$number switches"
	no_instance_is_left
}

as_nobody() {
	examine nobody "$annot" doctor
	says access prevents "only root has access" "use sudo"
	says switches unknown "only a user who may trace" -
	says perf limits "it needs root or CAP_PERFMON" sudo
	no_instance_is_left
}

json() {
	"$annot" doctor --json >json
	"$annot" doctor >out
	/usr/bin/python3 - <<-'END'
		import json
		told = json.load(open("json"))
		printed = [line.split() for line in open("out") if not line.startswith(" ")]
		if told["version"] != 1:
		    print("version", told["version"])
		if [check["check"] for check in told["checks"]] != [words[0] for words in printed]:
		    print("other checks than in the text")
		for check in told["checks"]:
		    if set(check) != {"check", "severity", "what", "cure"} or not check["what"]:
		        print(check)
	END
}

# What record says is the first thing that prevents a recording, in the same words.
record_says_the_same() {	# COMMAND...
	local wanted
	"$@" "$annot" doctor --json >json
	wanted=$(/usr/bin/python3 -c '
import json
bad = [check for check in json.load(open("json"))["checks"] if check["severity"] == "prevents"]
print("annot: record: %s: %s" % (bad[0]["what"], bad[0]["cure"]) if bad else "")')
	[ -n "$wanted" ] || { echo "nothing prevents it"; return; }
	"$@" "$annot" record -o /dev/shm/annot-doctor.dat true >out 2>err && echo "exit status 0"
	[ "$(cat err)" = "$wanted" ] || { echo "record: $(cat err)"; echo "doctor: $wanted"; }
	rm -f /dev/shm/annot-doctor.dat
}

in_pid_namespace() {
	examine "$annot" doctor
	says container ok "not in a PID namespace" -
	examine unshare --pid --fork "$annot" doctor
	says container limits "PID namespace" --pid=host
	says switches '(ok|unknown|limits)' 'switches' -
}

# shellcheck disable=SC2016	# expanded by the shell within
without_tracefs() {	# COMMAND...
	unshare --mount sh -c '
		for directory in /sys/kernel/tracing /sys/kernel/debug/tracing /sys/kernel/debug; do
			while umount -l $directory 2>/dev/null; do :; done
		done
		exec "$@"' sh "$@"
}

no_tracefs() {
	examine without_tracefs "$annot" doctor
	says tracefs limits "not mounted" "sudo mount -t tracefs nodev $tracefs"
	says access unknown "not mounted" -
	examine without_tracefs setpriv --reuid nobody --regid nogroup --clear-groups "$annot" doctor
	says tracefs prevents "not mounted" "sudo mount -t tracefs nodev $tracefs"
}

# shellcheck disable=SC2016	# expanded by the shell within
read_only_sys() {
	examine unshare --mount sh -c 'mount -o remount,bind,ro /sys && exec "$0" doctor' "$annot"
	says sysfs limits read-only --privileged
}

# shellcheck disable=SC2016	# expanded by the shell within
with_read_only_tracefs() {	# COMMAND...
	tracefs=$tracefs unshare --mount sh -c '
		mount --bind $tracefs $tracefs && mount -o remount,bind,ro $tracefs && exec "$@"' sh "$@"
}

read_only_tracefs() {
	examine with_read_only_tracefs "$annot" doctor
	says access prevents "$tracefs: Read-only file system" "sudo mount -o remount,rw $tracefs"
}

little_to_lock() {
	examine nobody prlimit --memlock=4096 "$annot" doctor
	says memlock limits "the limit is 4 kB" "sudo prlimit"
}

interrupted() {	# SIGNAL STATUS
	local pid status=0 tries
	env --default-signal=INT "$annot" doctor >out 2>&1 &
	pid=$!
	for tries in {1..200}; do
		[ ! -d "$tracefs/instances/annot-doctor-$pid" ] || break
		sleep 0.01
	done
	[ "$tries" -lt 200 ] || echo "no instance was made"
	kill -s "$1" $pid
	wait $pid || status=$?
	[ $status -eq "$2" ] || echo "exit status $status, not $2"
	[ ! -s out ] || cat out
	no_instance_is_left
}

check "as root" as_root
check "switches are made and counted" switches
check "as user nobody" as_nobody
check "JSON has the same checks" json
check "in a PID namespace" in_pid_namespace
check "without tracefs" no_tracefs
check "with /sys read-only" read_only_sys
check "with tracefs read-only" read_only_tracefs
check "with little memory to lock" little_to_lock
check "SIGINT leaves no instance behind" interrupted INT 130
check "SIGTERM leaves no instance behind" interrupted TERM 143
check "record says the same to user nobody" record_says_the_same nobody
check "record says the same to root" record_says_the_same with_read_only_tracefs
