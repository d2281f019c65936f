#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# SLOW
#
# Fields of blocks of memory of programs by each compiler, with each form of debug information. TAP.
set -uo pipefail

cd "$(dirname "$0")/../../.." || exit
CC=${CC:-cc}
# shellcheck source=tests/unit/symbols/fields.bash
. tests/unit/symbols/fields.bash
# shellcheck source=tests/unit/symbols/blocks.bash
. tests/unit/symbols/blocks.bash

for form in "-gdwarf-5 -O1" "-gdwarf-5 -O3" "-gdwarf-4 -O2" "-gdwarf-3 -gstrict-dwarf -O2 -DPLAIN" "-gdwarf-4 -fdebug-types-section -O2" \
	"-gdwarf-5 -gsplit-dwarf -O2" "-g -O2 -flto -DNO_INLINED" "-g -O0 -DPLAIN"; do
	for compiler in gcc g++ clang clang++; do
		source=blocks_program.c
		[ "${compiler%++}" = $compiler ] || source=blocks_cpp.cc
		# There, gcc does not tell that it inlined functions that allocate.
		[ "$compiler $form" != "g++ -g -O2 -flto -DNO_INLINED" ] || continue
		# shellcheck disable=SC2086
		check "$compiler $form" blocks "$compiler" $source $compiler $form
	done
done
exit $failed
