#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# NEEDS: attach
#
# Programs whose memory the front of allocations tells: what they allocate is what it tells, and what their calls
# return is the same without it.
set -u

cd "$(dirname "$0")/../../.." || exit 1
# shellcheck source=tests/lib/raw.bash
. tests/lib/raw.bash
here=tests/unit/attach
flags=(-D_GNU_SOURCE -O1 -g -fno-builtin -Wall -Wextra -Werror)
preload=$PWD/build/libannot/libannot.so.0:$PWD/build/libannot/attach/heap.so

compiles() {
	${CC:-cc} -std=gnu11 "${flags[@]}" -Wno-alloc-size-larger-than -Wno-use-after-free $here/heap_blocks.c -o "$work/heap_blocks"
	${CC:-cc} -std=gnu11 "${flags[@]}" $here/heap_threads.c -lpthread -o "$work/heap_threads"
	${CC:-cc} -std=gnu11 "${flags[@]}" $here/heap_stacks.c -lpthread -o "$work/heap_stacks"
	${CC:-cc} -std=gnu11 "${flags[@]}" $here/heap_thread_locals.c -lpthread -ldl -o "$work/heap_thread_locals"
	${CC:-cc} -std=gnu11 "${flags[@]}" -shared -fPIC $here/heap_late.c -o "$work/late.so"
	${CC:-cc} -std=gnu11 "${flags[@]}" -Wno-missing-prototypes -shared -fPIC $here/heap_other.c -o "$work/other.so"
	${CXX:-c++} -std=c++17 "${flags[@]}" $here/heap_cpp.cc -o "$work/heap_cpp"
	${CC:-cc} -std=gnu11 "${flags[@]}" -Iinclude $here/first_annotation.c -shared -fPIC -o "$work/first.so" \
		-Lbuild/libannot -lannot
}

# No sample of small blocks: test_attach_heap_sample.sh has these.
attached() {	# [NAME=VALUE...] COMMAND...: is recorded
	recorded ANNOT_HEAP_SAMPLE=0 LD_PRELOAD="$preload:$work/first.so${more_preload-}" "$@"
}

# At least NUMBER blocks.
tells_what_is_done() {	# NUMBER PROGRAM [ARGUMENT]
	attached "$work/$2" ${3+"$3"} >"$work/done" || echo "exit status $?"
	$here/raw_objects.py "$raw" "$work/$2" >"$work/told" || tail "$work/told"
	diff "$work/done" "$work/told" | head -20
	[ "$(grep -c '^end' "$work/done")" -ge "$1" ] || echo "only $(grep -c '^end' "$work/done") blocks"
}

# The first thread, and three others; of each, those of the program and of three libraries.
thread_locals() {
	attached "$work/heap_thread_locals" "$work/late.so" >"$work/done" || echo "exit status $?"
	$here/raw_thread_locals.py "$raw" >"$work/told" || tail "$work/told"
	diff <(sort "$work/done") <(sort "$work/told")
	[ "$(grep -c " begin .* $work/heap_thread_locals$" "$work/told")" = 4 ] || cat "$work/told"
	[ "$(grep -c ' begin ' "$work/told")" -ge 16 ] || cat "$work/told"
}

nothing_small() {
	attached "$work/heap_blocks" small || echo "exit status $?"
	$here/raw_objects.py "$raw" "$work/heap_blocks"
}

# Each size from 1 to 999 bytes twice, and twenty times.
all_if_wanted() {
	attached ANNOT_HEAP_BYTES=1 "$work/heap_blocks" small || echo "exit status $?"
	$here/raw_objects.py "$raw" "$work/heap_blocks" | awk '
		{ seen[$1]++ }
		END { if (seen["heap"] != 1998 || seen["end"] != 1998)
			print seen["heap"] + 0 " blocks and " seen["end"] + 0 " ends, not 1998" }'
}

threads_are_told() {
	attached "$work/heap_threads" || echo "exit status $?"
	$here/raw_objects.py "$raw" "$work/heap_threads" | awk '
		{ seen[$1]++ }
		END { if (seen["heap"] != 40000) print seen["heap"] + 0 " blocks, not 40000" }'
}

# Its operators, and a free() that would not survive a block of the C library's.
another_allocator() {
	more_preload=:$work/other.so tells_what_is_done 100 heap_cpp all-succeed
	more_preload=:$work/other.so tells_what_is_done 100 heap_blocks
}

nothing_while_off() {
	local program
	for program in heap_blocks heap_cpp heap_threads heap_stacks "heap_thread_locals $work/late.so"; do
		# shellcheck disable=SC2086
		timeout 60 env ANNOT_BACKEND=off LD_PRELOAD="$preload" $work/$program >"$work/off" || echo "exit status $?"
		! grep 'not so' "$work/off"
	done
}

# Loaders, interpreters, a compiler, in which much is allocated early, and by many.
others_work() {
	timeout 60 env ANNOT_BACKEND=off LD_PRELOAD="$preload" python3 -c 'print(sum(range(1000)))' >"$work/out" ||
		echo "exit status $?"
	[ "$(cat "$work/out")" = 499500 ] || cat "$work/out"
	attached python3 -c 'import json, threading; print(len(json.dumps(list(range(100000)))))' >"$work/out" ||
		echo "exit status $?"
	[ "$(cat "$work/out")" = 688890 ] || cat "$work/out"
	echo 'int main(void) { return 0; }' >"$work/empty.c"
	attached "${CC:-cc}" -c "$work/empty.c" -o "$work/empty.o" || echo "the compiler's exit status $?"
}

check "programs are compiled" compiles
check "all functions of C: each block, its line, its end" tells_what_is_done 200 heap_blocks
check "all operators of C++" tells_what_is_done 140 heap_cpp
check "small blocks are not told" nothing_small
check "small blocks are told if that is wanted" all_if_wanted
check "threads that free what others allocated" threads_are_told
check "stacks of threads, however these end" tells_what_is_done 6 heap_stacks
check "thread-local variables: where each thread has them" thread_locals
check "another allocator, with operators of its own" another_allocator
check "what calls return while nothing records" nothing_while_off
check "programs that allocate while they are loaded" others_work
exit "$failed"
