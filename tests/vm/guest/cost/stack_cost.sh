# SPDX-License-Identifier: GPL-2.0
# BOOT: -s 1 -T count -t 400
# SERIES: 6.1 6.12
# DEBUG: no, it counts instructions
# FILES: build/tests/vm/stack_cost
#
# Instructions of a walk of the user's stack: of page faults, each of which is a sample, with stacks
# and without, at the end of few calls and of many. A walk is done in a fault as in an NMI.

# shellcheck source=tests/lib/tap.sh
. /test/tap.sh

few=4
many=24

faults() {	# FILE OPTION...
	file=$1
	shift
	annot record -q -o /tmp/faults.dat -e page_faults -c 1 "$@" ./stack_cost $few $many >"/out/$file"
}

at() { sed -n "s/^$2 //p" "/out/$1"; }	# FILE DEPTH

a_frame_is_cheap() {
	frame=$((($(at with $many) - $(at with $few)) / (many - few)))
	stack=$(($(at with $few) - $(at without $few)))
	echo "a frame: $frame instructions; a stack of few calls: $stack more than none"
	[ $frame -ge 50 ] && [ $frame -le 500 ] && [ $stack -le 6000 ]
}

# A fault itself takes as long at any depth.
without_stacks_none_is() {
	difference=$(($(at without $many) - $(at without $few)))
	echo "$difference instructions"
	[ ${difference#-} -le 100 ]
}

insmod annot.ko || exit 1
check "faults without stacks are recorded" faults without
check "faults with stacks are recorded" faults with --call-stacks
check "a frame takes 50 to 500 instructions" a_frame_is_cheap
check "without stacks, the depth is no matter" without_stacks_none_is
echo "# $(a_frame_is_cheap)"
exit "$failed"
