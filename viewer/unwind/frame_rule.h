/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What .eh_frame says of an address, as a row of the module's tables, where a row can say it.
 */
#ifndef ANNOT_UNWIND_FRAME_RULE_H
#define ANNOT_UNWIND_FRAME_RULE_H

#include <elfutils/libdw.h>

#include <uapi/annot.h>

/* All but the row's address. ANNOT_UNWIND_UNKNOWN if no other rule says the same. */
struct annot_unwind_row frame_rule_of(Dwarf_Frame *frame);

#endif /* ANNOT_UNWIND_FRAME_RULE_H */
