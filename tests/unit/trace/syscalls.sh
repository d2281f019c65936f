#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# The table of system calls has each call that this machine's headers of the kernel have, with its number.
cd "$(dirname "$0")/../../.." || exit
. tests/lib/tap.sh

table=viewer/trace/names/syscalls.def

# Names and numbers that a header defines, with what is defined before it.
in_header()
{
	{
		printf '%s\n' "${@:2}" "#include <$1>"
	} | cc -E -dM -x c - | sed -n 's/^#define __NR_\([a-z0-9_]*\) .*/\1 = __NR_\1/p' |
		grep -vE '^(syscalls|arch_specific_syscall) ' >"$work/names"
	{
		printf '%s\n' "${@:2}" "#include <$1>"
		cat "$work/names"
	} | cc -E -P -x c - | sed -n 's/^\([a-z0-9_]*\) = \([0-9]*\)$/\1 \2/p' | sort
}

# Of column $1: 2 is 64-bit x86, 3 is 32-bit x86, 4 is generic.
in_table()
{
	sed -n 's/^SYSCALL(\(.*\))$/\1/p' "$table" |
		awk -F', ' -v column="$1" '$column >= 0 { print $1, $column }' | sort
}

# All of the header are in the table, and they are many.
covers()
{
	in_table "$1" >"$work/table"
	in_header "${@:2}" >"$work/header"
	[ "$(wc -l <"$work/header")" -gt 250 ] && [ -z "$(comm -23 "$work/header" "$work/table")" ]
}

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

check "the generic table is that of the headers" covers 4 asm-generic/unistd.h \
	'#define __BITS_PER_LONG 64' '#define __ARCH_WANT_SYS_CLONE3' '#define __ARCH_WANT_NEW_STAT' \
	'#define __ARCH_WANT_RENAMEAT' '#define __ARCH_WANT_SET_GET_RLIMIT' '#define __ARCH_WANT_MEMFD_SECRET'
if [ "$(uname -m)" = x86_64 ]; then
	check "that of 64-bit x86, too" covers 2 asm/unistd_64.h
	check "that of 32-bit x86, too" covers 3 asm/unistd_32.h
fi
check "no number is there twice" [ -z "$(for column in 2 3 4; do in_table $column | cut -d' ' -f2 | sort | uniq -d; done)" ]
exit $failed
