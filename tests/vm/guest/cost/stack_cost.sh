# SPDX-License-Identifier: GPL-2.0
# BOOT: -s 1 -T count -t 400
# SERIES: 6.12
# DEBUG: no, it counts instructions
# FILES: build/tests/vm/stack_cost
#
# Instructions of a walk of the user's stack: of page faults, each of which is a sample, with stacks
# and without, at the end of few calls and of many, of new stacks and of one that comes again. A walk is done in a fault as in an NMI.

# shellcheck source=tests/lib/tap.sh
. /test/tap.sh

few=4
many=24
# With touch(), measure(), main() and those of the C library before it, a stack of 16 frames.
sixteen=9

faults() {	# FILE OPTION...
	file=$1
	shift
	annot record -q -o /tmp/faults.dat -e page_faults -c 1 "$@" ./stack_cost $few $sixteen $many >"/out/$file"
}

# COLUMN: 2, of stacks whose frames are new; 3, of the same one again and again.
at() { awk -v depth="$2" -v column="$3" '$1 == depth { print $column }' "/out/$1"; }	# FILE DEPTH COLUMN

frame() { echo $((($(at with $many "$1") - $(at with $few "$1")) / (many - few))); }	# COLUMN
stack() { echo $(($(at with "$1" "$2") - $(at without "$1" "$2"))); }	# DEPTH COLUMN

a_new_frame_is_cheap() {
	echo "a frame: $(frame 2) instructions; a stack of $few calls: $(stack $few 2) more than none"
	[ "$(frame 2)" -ge 50 ] && [ "$(frame 2)" -le 300 ] && [ "$(stack $few 2)" -le 3000 ]
}

one_that_comes_again_is_cheaper() {
	echo "again: a frame: $(frame 3) instructions; a stack of 16 frames: $(stack $sixteen 3) more than none"
	[ "$(frame 3)" -ge 5 ] && [ "$(frame 3)" -le 60 ] && [ "$(stack $sixteen 3)" -le 1000 ]
}

# A fault itself takes as long at any depth.
without_stacks_none_is() {
	for column in 2 3; do
		difference=$(($(at without $many $column) - $(at without $few $column)))
		echo "$difference instructions"
		[ ${difference#-} -le 100 ] || return
	done
}

# Of page faults, which are not counted by a PMU: what remains is the module's work and that of ftrace and perf.
a_sample_is_cheap() {
	sample=$(($(at without $few 2) - $(at off $few 2)))
	echo "a sample: $sample instructions"
	[ "$sample" -ge 300 ] && [ "$sample" -le 1300 ]
}

insmod annot.ko || exit 1
check "faults of which nothing is recorded" sh -c "./stack_cost $few >/out/off"
check "faults without stacks are recorded" faults without
check "faults with stacks are recorded" faults with --call-stacks
check "a sample takes 1300 instructions at most" a_sample_is_cheap
check "a new frame takes 50 to 300 instructions" a_new_frame_is_cheap
check "a stack of 16 frames takes 1000 instructions at most when it comes again" one_that_comes_again_is_cheaper
check "without stacks, the depth is no matter" without_stacks_none_is
echo "# $(a_sample_is_cheap)"
echo "# $(a_new_frame_is_cheap)"
echo "# $(one_that_comes_again_is_cheaper)"
exit "$failed"
