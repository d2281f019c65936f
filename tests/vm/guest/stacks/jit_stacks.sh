# SPDX-License-Identifier: GPL-2.0
# BOOT: -s 1 -T single -t 300
# SERIES: 6.12
# FILES: build/tests/vm/jit_stacks
#
# Functions that a program makes while it runs, and names in /tmp/perf-PID.map: their frames, and their names in stacks.

# shellcheck source=tests/lib/tap.sh
. /test/tap.sh

insmod annot.ko || exit 1
# There is no cache of ldconfig's here, by which libraries are found elsewhere.
export LD_LIBRARY_PATH=/lib/x86_64-linux-gnu

record() {	# NAME PROGRAM...
	name=$1
	shift
	annot record -q -o "/tmp/$name.dat" -e page_faults -c 1 --call-stacks "$@" &&
		annot convert --folded misses -o "/out/$name.folded" "/tmp/$name.dat" &&
		trace-cmd report "/tmp/$name.dat" >"/out/$name.txt" 2>/dev/null
}

# Each page is a fault.
has() {	# NAME CHAIN
	sum=$(grep -F "$2 " "/out/$1.folded" | awk '{ sum += $NF } END { print sum + 0 }')
	echo "$sum of $2, of these:"
	grep touch "/out/$1.folded"
	[ "$sum" -ge 1990 ]
}

# Those that went on beyond made_inner() lost their way, or told a caller that is none.
none_is_complete() {	# NAME
	! grep -F touch "/out/$1.folded" | grep -q "main;.*touch" &&
		awk '/annot_stack:/ { for (i = 1; i <= NF; i++) if ($i == "complete=1") { sub(/id=/, "", $(i - 3)); whole[$(i - 3)] = 1 } }
			/annot_sample:/ && match($0, / stack=[0-9]+/) { n[substr($0, RSTART + 7, RLENGTH - 7)]++ }
			END { for (id in n) if (n[id] > 1900 && id in whole) { print "complete: " n[id]; exit 1 } }' "/out/$1.txt"
}

check "with frame pointers: recorded" record frames ./jit_stacks frames own
check "the chain of calls through them is whole, with their names" \
	has frames "main;call_made;made_outer;made_inner;touch"
check "without frame pointers: recorded" record bare ./jit_stacks bare own
check "these stacks end in them, and do not say that they are complete" none_is_complete bare
check "with names in a file that a link leads to: recorded" record link ./jit_stacks frames /tmp/elsewhere
check "a link is not followed" refuse grep made_inner /out/link.folded
check "annot.ko unloads" rmmod annot
exit $failed
