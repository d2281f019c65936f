#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# NEEDS: attach
# SLOW
#
# A program that allocates small blocks by the hundred thousand, of which the front of allocations tells a random sample: as many, and
# those with all of their ends.
set -u

cd "$(dirname "$0")/../../.." || exit 1
# shellcheck source=tests/lib/raw.bash
. tests/lib/raw.bash
here=tests/unit/attach
flags=(-D_GNU_SOURCE -O1 -g -fno-builtin -Wall -Wextra -Werror -Wno-use-after-free)
preload=$PWD/build/libannot/libannot.so.0:$PWD/build/libannot/attach/heap.so

compiles() {
	${CC:-cc} -std=gnu11 "${flags[@]}" -Wno-alloc-size-larger-than $here/heap_blocks.c -o "$work/heap_blocks"
	${CXX:-c++} -std=c++17 "${flags[@]}" $here/heap_sampled.cc -o "$work/heap_sampled"
	${CC:-cc} -std=gnu11 "${flags[@]}" -Iinclude $here/first_annotation.c -shared -fPIC -o "$work/first.so" \
		-Lbuild/libannot -lannot
}

attached() {	# [NAME=VALUE...] COMMAND...: is recorded
	recorded LD_PRELOAD="$preload:$work/first.so" "$@"
}

# The seed is another one in each run.
sampled() {	# ONE_OF
	attached ANNOT_HEAP_SAMPLE="$1" "$work/heap_sampled" >"$work/done" || echo "exit status $?"
	$here/raw_sampled.py "$raw" "$work/heap_sampled" "$work/done" "$1" 2>"$work/sampled" || cat "$work/sampled"
}

# The same blocks at the same addresses.
sampled_anew() {
	local run
	for run in 1 2; do
		attached ANNOT_HEAP_SAMPLE=8 setarch -R "$work/heap_blocks" small
		$here/raw_objects.py "$raw" "$work/heap_blocks" | awk '$1 == "heap~8"' >"$work/run$run"
		[ -s "$work/run$run" ] || echo "nothing is told"
	done
	! cmp -s "$work/run1" "$work/run2" || echo "both runs have one sample"
}

check "programs are compiled" compiles
check "of small blocks, one in 64, and one in 5" eval "sampled 64; sampled 5"
check "all of them, as one in one" sampled 1
check "each process tells others" sampled_anew
exit "$failed"
