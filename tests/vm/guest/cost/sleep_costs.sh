# SPDX-License-Identifier: GPL-2.0
# BOOT: -s 1 -T count -t 300
# SERIES: 6.12
# DEBUG: no, it counts instructions
# FILES: build/tests/vm/sleep_cost
#
# What it costs a thread to fall asleep, in instructions: as annot record does without --why, and with it, as the module tells
# what for and as the kernel's stack does. Neither is the default of annot record because of these figures.

# shellcheck source=tests/lib/tap.sh
. /test/tap.sh

tracing=/sys/kernel/tracing
switch=$tracing/events/sched/sched_switch
blocked=$tracing/events/annot/annot_blocked
costs=/out/sleeps

measure() {	# STATE
	for what in pipe futex; do
		./sleep_cost "$1" $what >>$costs || echo "sleep_cost failed"
	done
}

cost() {	# STATE WHAT
	sed -n "s/.*\"state\": \"$1\", \"waits_for\": \"$2\", \"instructions\": \([0-9]*\)}/\1/p" $costs
}

differs_by() {	# FROM TO WHAT LEAST MOST
	by=$(($(cost "$2" "$3") - $(cost "$1" "$3")))
	echo "# $3: from $1 to $2: $by instructions"
	[ $by -ge "$4" ] && [ $by -le "$5" ]
}

insmod annot.ko || exit 1
measure off
echo 1 >$switch/enable
measure switch
echo 1 >$blocked/enable
measure module
echo 'stacktrace if prev_state == 2' >$switch/trigger
measure why
echo '!stacktrace' >$switch/trigger
echo 0 >$blocked/enable
measure again
echo 'stacktrace if prev_state & 255' >$switch/trigger
measure stack
echo '!stacktrace' >$switch/trigger
echo 0 >$switch/enable
cat $costs

check "the module's event, of a pipe" differs_by switch module pipe 200 1600
check "the module's event, of a mutex" differs_by switch module futex 200 1600
check "as --why does, where the stack is not wanted" differs_by module why pipe 0 400
check "the stack costs more, of a pipe" differs_by module stack pipe 1000 9000
check "the stack costs more, of a mutex" differs_by module stack futex 1000 9000
# The kernel's own path is 12 instructions longer or shorter from one series of turns to the next, with nothing traced as well.
check "disabled, it costs nothing" differs_by switch again pipe -20 20
check "disabled, it costs nothing, of a mutex" differs_by switch again futex -20 20
check "annot.ko unloads" rmmod annot
exit $failed
