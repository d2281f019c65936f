#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# The module annot of Fortran: names and values of all kinds, one by one and in rings, where numbers stand for names. TAP.
set -uo pipefail

cd "$(dirname "$0")/../../.." || exit 1
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
# shellcheck source=tests/lib/tap.sh
. tests/lib/tap.sh
build=$PWD/${ANNOT_BUILD:-build}
export LD_LIBRARY_PATH=$build/libannot
sources=(libannot/bindings/fortran/annot.f90 libannot/bindings/fortran/annot_fortran.c)

builds() {	# PROGRAM OPTION...
	"${FC:-gfortran}" -Wall -Wextra -Werror -Iinclude "-J$work" "${@:2}" "${sources[@]}" \
		"tests/unit/libannot/bindings/$1.f90" -L"$build/libannot" -lannot -o "$work/$1"
}

expected() {
	cat <<-END
		B|begin
		B|begin|-2147483648
		B|begin|-9223372036854775808
		B|wait for it|wait
		B|wait for it|wait|1
		B|wait for it|wait|1
		E
		E
		E
		E
		E
		E
		E
		B|next
		E
		B|next|2
		E
		B|next|2
		E
		I|mark
		I|mark|3
		I|mark|3
		C|counter|4
		C|counter|4
		I|@object_bytes|64
		I|@object grid|4096
		I|@object_end|4096
		I|mar
		I|  two words
		I|?
		I|?
	END
	local i
	for i in {1..200}; do
		printf 'I|%s|%s\n' "variable $i" "$i" variable "$i"
	done
	printf 'I|%s\n' "$(printf 'é%.0s' {1..127})" "$(printf 'l%.0s' {1..52})" "$(printf 'l%.0s' {1..53})"
}

annotates() { diff <(expected) <(tests/unit/libannot/bindings/annotated "$1" "$work/names"); }	# BACKEND

interrupted() {
	"${CC:-cc}" -Wall -Wextra -Werror -O2 -fno-builtin -Iinclude -Wl,--wrap=memcpy tests/unit/libannot/bindings/interrupted.c \
		"${sources[1]}" -L"$build/libannot" -lannot -o "$work/interrupted" || return
	diff <(printf 'I|%s|%s\n' inner 2 outer 1 outer 3 inner 4) \
		<(tests/unit/libannot/bindings/annotated raw "$work/interrupted")
}

is_standard() { "${FC:-gfortran}" -std=f2003 -pedantic -Wall -Wextra -Werror -fsyntax-only "-J$work" "${sources[0]}"; }

check "the module is Fortran 2003" is_standard
for option in -O0 -O2; do
	check "names and values are built, $option" builds names $option
	check "names and values, $option" annotates marker
	check "names and values in a ring, $option" annotates raw
done
check "a signal handler annotates while a name is being remembered" interrupted
exit $failed
