// SPDX-License-Identifier: GPL-2.0
#include "symbols/debug_info/split_unit.h"

#include <dwarf.h>
#include <stddef.h>
#include <stdint.h>

Dwarf_Die split_unit_whole(Dwarf_Die *unit)
{
	Dwarf_Die whole;
	uint8_t type;

	if (dwarf_cu_info(unit->cu, NULL, &type, NULL, &whole, NULL, NULL, NULL) ||
	    type != DW_UT_skeleton || !whole.cu)
		return *unit;
	return whole;
}
