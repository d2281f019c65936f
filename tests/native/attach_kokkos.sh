#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# NEEDS: attach
# SLOW
#
# What programs with Kokkos tell, as they know it themselves. TAP.
# shellcheck disable=SC2154	# record.bash and attach.bash assign what is not assigned here
set -u

cd "$(dirname "$0")/../.." || exit
# shellcheck source=tests/native/record.bash
. tests/native/record.bash
# shellcheck source=tests/native/attach/attach.bash
. "$here/tests/native/attach/attach.bash"

# The Kokkos of Trilinos goes by the older name of the variable.
old=KOKKOS_PROFILE_LIBRARY=$fronts/kokkos.so
new=KOKKOS_TOOLS_LIBS=$fronts/kokkos.so

builds() {
	${CXX:-c++} -std=c++17 -O1 -g -Wall -D_GNU_SOURCE "-I$programs" -isystem /usr/include/trilinos \
		"$programs/kokkos_program.cpp" -ltrilinos_kokkoscore -o kokkos_program
	${CC:-cc} "${cflags[@]}" "$programs/kokkos_caller.c" -o kokkos_caller
	${CC:-cc} "${cflags[@]}" -shared -fPIC "$programs/kokkos_tool.c" -o tool.so
}

both_hear() {
	told_as_done 7 "$old;$work/tool.so" HEARD="$work/heard" ./kokkos_program
	# 20 rounds of 3 loops, and of 3 times the round's section.
	[ "$(cat heard)" = "tool 1: 60 kernels, 20 sections started 60 times, 20 copies, 8000 bytes in a, 0 strange" ] ||
		echo "the next tool heard $(cat heard)"
}

# As annot record --attach sets the variables, for Kokkos of any version.
both_hear_by_attach() {
	told_as_done 7 "$new" "$old;$work/tool.so" ANNOT_ATTACH_NEXT_KOKKOS="$work/tool.so" HEARD="$work/heard" ./kokkos_program
	grep -q "^tool 1: 60 kernels.* 0 strange" heard || echo "the next tool heard $(cat heard)"
	rm heard
	told_as_done 7 "$new" "$old;$work/tool.so" HEARD="$work/heard" ./kokkos_program
	grep -q "^tool 1: 60 kernels.* 0 strange" heard || echo "the next tool of the list heard $(cat heard)"
}

needs_no_fences() {
	told_as_done 0 "$new" ./kokkos_caller
	[ "$(cat out)" = "no fences" ] || echo "$(cat out)"
}

# It does not say that it can do without.
next_needs_fences() {
	told_as_done 0 "$new;$work/tool.so" ./kokkos_caller
	[ "$(cat out)" = "fences" ] || echo "$(cat out)"
}

# They would change what Kokkos does.
tunes_nothing() {
	nm -D --defined-only "$fronts/kokkos.so" | grep -E 'tuning|context|optimization|_type|request_.*values' || true
}

says_what_it_says_alone() {
	local status=0
	./kokkos_program >alone 2>&1 || status=$?
	[ $status -eq 7 ] || echo "exit status $status"
	silent_while_off 7 env "$old" ./kokkos_program
	diff alone out
}

check_afresh "programs with Kokkos" builds
check_afresh "kernels, regions, sections, copies and marks" told_as_done 7 "$old" ./kokkos_program
check_afresh "fences, kernels that overlap, and no fence for us" needs_no_fences
check_afresh "another tool hears all, too" both_hear
check_afresh "another tool hears all, whatever names it" both_hear_by_attach
check_afresh "a tool that needs fences around kernels has them" next_needs_fences
check_afresh "no tuning" tunes_nothing
check_afresh "without a recording, nothing but the program" says_what_it_says_alone
exit $failed
