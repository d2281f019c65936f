#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# NEEDS: attach
# SLOW
#
# What programs tell by ITT, as they know it themselves. TAP.
# shellcheck disable=SC2154	# record.bash and attach.bash assign what is not assigned here
set -u

cd "$(dirname "$0")/../.." || exit
# shellcheck source=tests/native/record.bash
. tests/native/record.bash
# shellcheck source=tests/native/attach/attach.bash
. "$here/tests/native/attach/attach.bash"
itt=INTEL_LIBITTNOTIFY64=$fronts/itt.so

builds() {
	${CC:-cc} "${cflags[@]}" -shared -fPIC "$programs/itt_runtime.c" -o libomp_like.so
	${CC:-cc} "${cflags[@]}" -shared -fPIC "$programs/itt_collector.c" -o collector.so
	# It refers to a function of its own by address.
	${CC:-cc} "${cflags[@]}" "$programs/itt_program.c" ./libomp_like.so -lpthread -o itt_program
	${CXX:-c++} -std=c++17 -O1 -Wall -Wextra -Werror "$programs/itt_tbb.cpp" -ltbb -o itt_tbb
}

says_what_it_says_alone() {
	local status=0
	./itt_program >alone 2>&1 || status=$?
	[ $status -eq 7 ] || echo "exit status $status"
	silent_while_off 7 env "$itt" ./itt_program
	diff alone out
}

# Each task has its end; of one that a worker is in when the program exits, TBB tells none.
tbb() {
	record 0 -o told.dat -- env "$itt" ./itt_tbb
	adds_up
	[ "$(cat out)" = "sum 4950000 of 1000 blocks" ] || echo "it printed $(cat out)"
	report told.dat | awk '
		/print: .*B\|[0-9]*\|tbb_parallel_for$/ { nr++; depth[$1]++; next }
		/print: .*B\|/ { depth[$1]++; other++; next }
		/print: .*E\|/ { if (--depth[$1] < 0) print "an end of nothing in " $1 }
		/print: .*[BI]\|[0-9]*\|(\(null\)|\?|)$/ { print "a name is missing: " $0 }
		END {
			if (nr < 3) print nr + 0 " parallel loops, not at least 3"
			for (thread in depth)
				if (depth[thread] > 1) print depth[thread] " spans without end in " thread
		}'
}

both_hear() {
	told_as_done 7 "$itt" ANNOT_ATTACH_NEXT_ITT="$work/collector.so" HEARD="$work/heard" ./itt_program
	# In each of 50 rounds of two threads. Three of the ends are of tasks with functions, or of none.
	[ "$(cat heard)" = "600 tasks, 900 ends, 201 waits" ] || echo "the next collector heard $(cat heard)"
}

next_is_missing() {
	told_as_done 7 "$itt" ANNOT_ATTACH_NEXT_ITT=/nonexistent.so ./itt_program
}

check_afresh "programs that speak ITT" builds
check_afresh "tasks, frames, regions, waits, marks and counters" told_as_done 7 "$itt" ./itt_program
check_afresh "an OpenMP runtime that tells by OMPT does not tell by ITT" told_as_done 7 "$itt" \
	OMP_TOOL_LIBRARIES=/x/ompt.so RUNTIME_IS_SILENT=1 ./itt_program
check_afresh "another collector hears all, too" both_hear
check_afresh "another collector that is missing" next_is_missing
check_afresh "without a recording, nothing but the program" says_what_it_says_alone
check_afresh "TBB" tbb
exit $failed
