/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Units of debug information that compilers put into files of their own (-gsplit-dwarf).
 */
#ifndef ANNOT_SYMBOLS_SPLIT_UNIT_H
#define ANNOT_SYMBOLS_SPLIT_UNIT_H

#include <elfutils/libdw.h>

/*
 * What @unit is in whole: of a split one, its file has little more than the name of another file, which is opened. @unit itself if it is
 * not split, or if that file is missing.
 */
Dwarf_Die split_unit_whole(Dwarf_Die *unit);

#endif /* ANNOT_SYMBOLS_SPLIT_UNIT_H */
