#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# SLOW
#
# Names of fields in programs by each compiler, with each form of debug information. TAP.
set -uo pipefail

cd "$(dirname "$0")/../../.." || exit
# shellcheck source=tests/unit/symbols/fields.bash
. tests/unit/symbols/fields.bash

for form in "-gdwarf-5" "-gdwarf-4" "-gdwarf-3 -gstrict-dwarf" "-gdwarf-4 -fdebug-types-section" \
	"-gdwarf-5 -gsplit-dwarf" "-gdwarf-4 -gsplit-dwarf" "-g -O2 -flto"; do
	for compiler in gcc g++ clang clang++; do
		source=fields_program.c
		[ "${compiler%++}" = $compiler ] || source=fields_cpp.cc
		# shellcheck disable=SC2086
		check "$compiler $form" built "$compiler" $source $compiler $form
	done
done
for form in -gdwarf-5 -gdwarf-4; do
	check "gfortran $form" built gfortran fields_fortran.f90 gfortran $form -J "$work"
done
exit $failed
