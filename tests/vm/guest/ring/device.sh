# SPDX-License-Identifier: GPL-2.0
# BOOT: -s 2 -T single -t 400
# SERIES: 6.12
# MORE: arm64
# FILES: build/tests/vm/device tests/vm/when-recorded
# shellcheck disable=SC2016,SC2086,SC2317	# text for other shells, words, functions as arguments
#
# What the module promises, without our library and our command: text lines in, events out, ftrace
# as the switch, loading and unloading.

# shellcheck source=tests/lib/tap.sh
. /test/tap.sh

tracing=/sys/kernel/tracing

record() {	# FILE.dat COMMAND...
	file=$1
	shift
	trace-cmd record -q -o "$file" -e sched:sched_switch -e annot \
		./when-recorded "$file" "$@" >/tmp/record.log 2>&1 ||
		sed 's/^/# /' /tmp/record.log
	report "$file"
}

report() {	# FILE.dat: prints to /tmp/report what trace-cmd says of it
	trace-cmd report -i "$1" >/tmp/report 2>/tmp/errors || echo "# trace-cmd report $1: $?"
}

# The event's own text, of annotations.
our_events() {
	sed -n 's/ ago_ns=0$//; s/.*: *\(annot_[bemc][^:]*\): */\1: /p' /tmp/report |
		grep -v '^annot_config\|^annot_blocked'
}

expected_spans() {
	awk -v n="$1" 'BEGIN { for (i = 0; i < n; i++) {
		print "annot_begin: kind=work name=span" i " value=" i * 7; print "annot_end:" } }'
}

same_spans() {
	expected_spans "$1" >/tmp/want
	our_events | sed 's/^annot_end: .*/annot_end:/' >/tmp/got
	cmp /tmp/want /tmp/got
}

nr_configs() { grep -c 'annot_config: *abi=2 module=[0-9.]* cpus=[0-9]*$' /tmp/report; }
one_config() {
	cat /tmp/errors /tmp/record.log
	grep annot_config /tmp/report || head -n 20 /tmp/report
	test "$(nr_configs)" = 1 && test "$(grep -c annot_config /tmp/report)" = 1
}

config_is_first() {
	grep -o 'annot_[a-z]*:' /tmp/report | grep -v annot_blocked | head -n 1 | grep annot_config
}

wait_for() {	# COMMAND...
	for _ in $(seq 100); do
		"$@" >/dev/null 2>&1 && return
		sleep 0.1
	done
	return 1
}

# --- devices

check "annot.ko loads" insmod annot.ko
check "a device for each possible CPU, and ctl" sh -c \
	'test "$(ls /dev/annot | sort | tr "\n" " ")" = "cpu0 cpu1 ctl "'
check "their mode is 0660 until udev has its say" sh -c \
	'test "$(stat -c %a /dev/annot/cpu0 /dev/annot/cpu1 /dev/annot/ctl | sort -u)" = 660'
./device check || failed=1

echo 1 >$tracing/events/annot/enable
echo >$tracing/trace
echo 'B loop48 17' >/dev/annot/cpu0
echo E >/dev/annot/cpu1
check "echo 'B loop48 17' > /dev/annot/cpu0" grep -q \
	'annot_begin: kind=work name=loop48 value=17 ago_ns=0$' $tracing/trace
refuse "the shell hears of a bad line" sh -c 'echo nonsense >/dev/annot/cpu0'
echo 0 >$tracing/events/annot/enable

# --- recordings

record /out/spans.dat ./device emit 2000
check "trace-cmd report understands the events" test ! -s /tmp/errors
check "2000 spans are recorded as written, in order" same_spans 2000
check "one annot_config in the recording" one_config
check "ahead of the annotations" config_is_first
pid=$(sed -n 's/^ *device-\([0-9]*\) .*annot_begin.*/\1/p' /tmp/report | sort -u)
check "they are of one thread, and of its process" sh -c \
	"test '$pid' && grep annot_end: /tmp/report | grep 'tgid=$pid ago_ns=0\$' | wc -l | grep -x 2000"

record /tmp/second.dat ./device emit 1
check "one annot_config in the next recording" one_config
record /tmp/short.dat true
check "one annot_config in a recording without annotations" one_config

trace-cmd record -q -F -o /tmp/filtered.dat -e annot \
	./when-recorded /tmp/filtered.dat ./device emit 3 >/tmp/record.log 2>&1
report /tmp/filtered.dat
check "a recording of one process has its annotations" same_spans 3
check "and one annot_config" one_config

trace-cmd start -e annot >"$tap_log" 2>&1
./device emit 50
trace-cmd stop
trace-cmd extract -o /tmp/extracted.dat >"$tap_log" 2>&1
trace-cmd reset >"$tap_log" 2>&1
report /tmp/extracted.dat
check "trace-cmd start, stop and extract" same_spans 50
check "with one annot_config" one_config

trace-cmd start -B first -e annot >"$tap_log" 2>&1
./device emit 5
trace-cmd start -B second -e annot >"$tap_log" 2>&1
./device emit 5
for instance in first second; do
	trace-cmd stop -B $instance
	trace-cmd show -B $instance >/tmp/report
	check "one annot_config in the instance $instance" one_config
done
check "an instance gets the annotations made since it began" same_spans 5
trace-cmd reset -a -d >"$tap_log" 2>&1
check "recording has ended" grep -x 'recording 0' /dev/annot/ctl

# --- unloading

exec 3>/dev/annot/cpu1
refuse "not unloaded while a device is open" rmmod annot
exec 3>&-
./device hold /dev/annot/ctl &
holder=$!
wait_for grep -q /dev/annot/ctl /proc/$holder/maps
refuse "not unloaded while the control page is mapped" rmmod annot
kill $holder
wait $holder 2>/dev/null
check "unloaded when both are gone" rmmod annot
check "and its devices are gone" test ! -e /dev/annot

cycle() {
	for _ in $(seq 20); do
		insmod annot.ko && echo E >/dev/annot/cpu0 && rmmod annot || return 1
	done
}
check "20 times loaded and unloaded" cycle

unload_while_recording() {
	insmod annot.ko &&
		echo 0 >$tracing/tracing_on &&
		echo 1 >$tracing/events/annot/enable &&
		echo 'B last' >/dev/annot/cpu0 &&
		rmmod annot &&
		echo 1 >$tracing/tracing_on
}
check "unloaded while its events are enabled and its annot_config is due" unload_while_recording

# --- CPU hotplug

insmod annot.ko
echo 1 >$tracing/events/annot/enable
./device loop &
looper=$!
hotplug() {
	for _ in $(seq 5); do
		echo 0 >/sys/devices/system/cpu/cpu1/online || return 1
		echo 'I offline' >/dev/annot/cpu1 || return 1
		echo 1 >/sys/devices/system/cpu/cpu1/online || return 1
	done
	kill -0 $looper
}
check "CPUs go offline and online under a program that annotates" hotplug
kill $looper
wait $looper 2>/dev/null
echo >$tracing/trace
./device emit 3
cp $tracing/trace /tmp/report
check "and annotations go on afterwards" same_spans 3
echo 0 >$tracing/events/annot/enable
check "annot.ko unloads" rmmod annot
exit $failed
