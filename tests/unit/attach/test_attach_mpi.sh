#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# What the front of MPI tells of threads that call at once, with a library that has them meet where they seldom do.
set -u

cd "$(dirname "$0")/../../.." || exit 1
# shellcheck source=tests/lib/raw.bash
. tests/lib/raw.bash
here=tests/unit/attach

compiles() {
	local flags=(-D_GNU_SOURCE -std=gnu11 -O1 -g -Wall -Wextra -Werror)
	${CC:-cc} "${flags[@]}" -shared -fPIC $here/mpi_library.c -o "$work/libmpi.so.40" &&
		${CC:-cc} "${flags[@]}" $here/mpi_threads.c "$work/libmpi.so.40" -lpthread -o "$work/threads"
}

received() { echo "I @recv $(((5 << 44) | ($1 << 24) | 8))"; }	# TAG

expected() {
	printf '%s\n' 'B MPI_Init' 'I @rank 0' E 'B MPI_Irecv' E
	for tag in 1 2; do
		printf '%s\n' 'W MPI_Wait' "$(received $tag)" E
	done
	printf '%s\n' 'B MPI_Irecv' E
}

receives_both() {
	recorded LD_PRELOAD="$PWD/build/libannot/attach/mpi-openmpi.so" "$work/threads" || echo "exit status $?"
	diff <(expected) <(told)
}

check "the programs compile" compiles
check "the handle of a request may come again before its call ends" receives_both
