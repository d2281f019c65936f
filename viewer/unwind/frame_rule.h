/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What .eh_frame says of an address, as a row of the module's tables, where a row can say it.
 */
#ifndef ANNOT_UNWIND_FRAME_RULE_H
#define ANNOT_UNWIND_FRAME_RULE_H

#include <elfutils/libdw.h>
#include <stdbool.h>

#include <uapi/annot.h>

/* The numbers that DWARF gives to registers of a machine. */
struct frame_machine {
	int elf; /* EM_... */
	int sp;
	int bp; /* the frame pointer, by x86-64's name */
	int return_address;
	bool has_link; /* a call leaves the return address in a register */
};

/* That of a machine (EM_...) of 64 bits, or NULL: the module knows no such tables. */
const struct frame_machine *frame_machine_of(int elf);

/* All but the row's address. ANNOT_UNWIND_UNKNOWN if no other rule says the same. */
struct annot_unwind_row frame_rule_of(const struct frame_machine *machine, Dwarf_Frame *frame);

#endif /* ANNOT_UNWIND_FRAME_RULE_H */
