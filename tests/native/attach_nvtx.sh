#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# NEEDS: attach
# SLOW
#
# What programs tell by NVTX, as they know it themselves. TAP.
# shellcheck disable=SC2154	# record.bash and attach.bash assign what is not assigned here
set -u

cd "$(dirname "$0")/../.." || exit
# shellcheck source=tests/native/record.bash
. tests/native/record.bash
# shellcheck source=tests/native/attach/attach.bash
. "$here/tests/native/attach/attach.bash"
nvtx=NVTX_INJECTION64_PATH=$fronts/nvtx.so

builds() {
	${CC:-cc} "${cflags[@]}" -Wno-cast-function-type -shared -fPIC "$programs/nvtx_torch.c" -o libtorch_like.so
	${CC:-cc} "${cflags[@]}" -Wno-cast-function-type -Wno-unused-function -Wno-unused-variable -shared -fPIC \
		"$programs/nvtx_injection.c" -o injection.so
	${CC:-cc} "${cflags[@]}" -Wno-cast-function-type "$programs/nvtx_program.c" ./libtorch_like.so -lpthread \
		-o nvtx_program
}

all_is_told() {
	told_as_done 7 "$nvtx" ./nvtx_program
	[ "$(cat out)" = "said all; 0 wrong levels" ] || echo "it printed: $(cat out)"
}

both_hear() {
	told_as_done 7 "$nvtx" ANNOT_ATTACH_NEXT_NVTX="$work/injection.so" HEARD="$work/heard" ./nvtx_program
	# Two threads, 50 rounds, 2 pushes by text and 5 pops; PyTorch's 10000.
	[ "$(cat heard)" = "10200 pushes, 10500 pops, 20001 started, 20001 ended, 200 of the domain, 0 strange" ] ||
		echo "the next library heard $(cat heard)"
	# Levels are that library's.
	[ "$(cat out)" != "said all; 0 wrong levels" ] || echo "the next library's levels are lost"
}

says_what_it_says_alone() {
	local status=0
	./nvtx_program >alone 2>&1 || status=$?
	[ $status -eq 7 ] || echo "exit status $status"
	silent_while_off 7 env "$nvtx" ./nvtx_program
	diff alone out
}

check_afresh "programs that speak NVTX" builds
check_afresh "ranges, domains, waits and marks" all_is_told
check_afresh "another library hears all, too" both_hear
check_afresh "without a recording, nothing but the program" says_what_it_says_alone
exit $failed
