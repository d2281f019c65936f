# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
#
# To be sourced where $work is a directory: compiles symbols_program.c, which says in $work/said where its things are.

# shellcheck disable=SC2154	# set by who sources this
${CC:-cc} -g -O0 -fPIC -shared -o "$work/libplaces.so" tests/unit/symbols/symbols_library.c &&
	${CC:-cc} -g -O0 -o "$work/program" tests/unit/symbols/symbols_program.c -L"$work" -lplaces -Wl,-rpath,"$work" &&
	"$work/program" >"$work/said" || exit 1
