// SPDX-License-Identifier: GPL-2.0
#include "unwind/frame_rule.h"

#include <dwarf.h>
#include <elf.h>
#include <stdbool.h>
#include <stdint.h>

#define REG_RBP 6
#define REG_RSP 7
#define REG_RIP 16

#define WORD_BYTES 8
#define CFA_MAX UINT16_MAX
#define BP_MAX UINT8_MAX

static const struct frame_machine machines[] = {
	{ EM_X86_64, REG_RSP, REG_RBP, REG_RIP, false },
	{ EM_AARCH64, 31, 29, 30, true },
	{ EM_RISCV, 2, 8, 1, true },
};

/* Operations of DWARF's stack machine. */
struct operations {
	Dwarf_Op *ops;
	size_t nr;
};

/* Where libdw says that a register is saved. */
struct saved {
	struct operations where;
	bool is_undefined;
	Dwarf_Op memory[3];
};

static bool read_saved(Dwarf_Frame *frame, int reg, struct saved *saved)
{
	if (dwarf_frame_register(frame, reg, saved->memory, &saved->where.ops, &saved->where.nr))
		return false;
	saved->is_undefined = !saved->where.nr && saved->where.ops;
	return true;
}

/* The number of words that @bytes are, at most @max. */
static bool words_of(int64_t bytes, int64_t max, int64_t *words)
{
	*words = bytes / WORD_BYTES;
	return bytes % WORD_BYTES == 0 && bytes >= 0 && *words <= max;
}

/* "CFA + @offset", as libdw says it. */
static bool is_at_cfa(const struct operations *where, int64_t *offset)
{
	if (!where->nr || where->nr > 2 || where->ops[0].atom != DW_OP_call_frame_cfa)
		return false;
	*offset = 0;
	if (where->nr == 2 && where->ops[1].atom != DW_OP_plus_uconst)
		return false;
	if (where->nr == 2)
		*offset = (int64_t)where->ops[1].number;
	return true;
}

static bool is_based(const Dwarf_Op *op, int reg, int64_t offset)
{
	return op->atom == DW_OP_breg0 + reg && (int64_t)op->number == offset;
}

/* rsp + 8 + ((rip & 15) >= n) * 8: an entry of the PLT that has pushed its number, or not yet. */
static bool read_plt(const struct operations *cfa, struct annot_unwind_row *row)
{
	static const uint8_t atoms[] = { DW_OP_breg0 + REG_RSP,
					 DW_OP_breg16,
					 DW_OP_lit15,
					 DW_OP_and,
					 DW_OP_lit0,
					 DW_OP_ge,
					 DW_OP_lit3,
					 DW_OP_shl,
					 DW_OP_plus };
	const Dwarf_Op *op = cfa->ops;

	if (cfa->nr != sizeof(atoms) || !is_based(&op[0], REG_RSP, WORD_BYTES) || op[1].number)
		return false;
	if (op[4].atom < DW_OP_lit0 || op[4].atom > DW_OP_lit15)
		return false;
	for (size_t i = 0; i < cfa->nr; i++) {
		if (i != 4 && op[i].atom != atoms[i])
			return false;
	}
	row->rule = ANNOT_UNWIND_PLT;
	row->cfa = op[4].atom - DW_OP_lit0;
	return true;
}

/* A frame that the compiler aligned: it keeps the CFA below the place where rbp points. */
static bool read_aligned(const struct operations *cfa, const struct saved *bp,
			 struct annot_unwind_row *row)
{
	const struct operations *where = &bp->where;
	int64_t words;

	if (cfa->nr != 2 || cfa->ops[0].atom != DW_OP_breg0 + REG_RBP ||
	    cfa->ops[1].atom != DW_OP_deref || where->nr != 2 ||
	    where->ops[0].atom != DW_OP_call_frame_cfa || !is_based(&where->ops[1], REG_RBP, 0))
		return false;
	if (!words_of(-(int64_t)cfa->ops[0].number, CFA_MAX, &words))
		return false;
	row->rule = ANNOT_UNWIND_ALIGNED;
	row->cfa = (uint16_t)words;
	return true;
}

static bool read_simple(const struct frame_machine *machine, const struct operations *cfa,
			struct annot_unwind_row *row)
{
	int64_t words;

	if (cfa->nr != 1 || cfa->ops[0].atom != DW_OP_bregx ||
	    ((int)cfa->ops[0].number != machine->sp && (int)cfa->ops[0].number != machine->bp) ||
	    !words_of((int64_t)cfa->ops[0].number2, CFA_MAX, &words))
		return false;
	row->rule = (int)cfa->ops[0].number == machine->sp ? ANNOT_UNWIND_SP : ANNOT_UNWIND_BP;
	row->cfa = (uint16_t)words;
	return true;
}

/* Where the caller's frame pointer is. One that is undefined is as good as kept: nobody above needs it. */
static bool read_bp(const struct saved *bp, struct annot_unwind_row *row)
{
	int64_t offset, words;

	if (!bp->where.nr)
		return true;
	if (!is_at_cfa(&bp->where, &offset) || !words_of(-offset, BP_MAX, &words) || !words)
		return false;
	row->bp = (uint8_t)words;
	return true;
}

static bool read_pushed(const struct operations *cfa, const struct saved *ip,
			const struct saved *bp, struct annot_unwind_row *row)
{
	int64_t offset;

	if (!is_at_cfa(&ip->where, &offset) || offset != -WORD_BYTES)
		return false;
	if (read_aligned(cfa, bp, row))
		return true;
	return (read_simple(&machines[0], cfa, row) || read_plt(cfa, row)) && read_bp(bp, row);
}

/* Stored at @offset from the CFA: counted from the register from which that is counted. */
static bool read_stored(int64_t offset, uint8_t where, struct annot_unwind_row *row)
{
	int64_t words;

	if (!words_of(row->cfa * WORD_BYTES + offset, BP_MAX, &words))
		return false;
	row->rule |= where;
	row->bp = (uint8_t)words;
	return true;
}

/* Where calls leave the return address in a register, a function stores it where it likes. */
static bool read_linked(const struct frame_machine *machine, const struct operations *cfa,
			const struct saved *ip, const struct saved *bp,
			struct annot_unwind_row *row)
{
	int64_t ip_offset, bp_offset;

	if (!read_simple(machine, cfa, row))
		return false;
	if (!ip->where.nr) {
		row->rule |= ANNOT_UNWIND_LINK;
		return read_bp(bp, row);
	}
	if (!is_at_cfa(&ip->where, &ip_offset))
		return false;
	if (ip_offset == -WORD_BYTES && read_bp(bp, row))
		return true;
	if (!bp->where.nr)
		return read_stored(ip_offset, ANNOT_UNWIND_STORED, row);
	return is_at_cfa(&bp->where, &bp_offset) && ip_offset == bp_offset + WORD_BYTES &&
	       read_stored(bp_offset, ANNOT_UNWIND_RECORD, row);
}

static bool read_frame(const struct frame_machine *machine, Dwarf_Frame *frame,
		       struct annot_unwind_row *row)
{
	struct operations cfa;
	struct saved bp, ip;

	if (!read_saved(frame, machine->return_address, &ip) ||
	    !read_saved(frame, machine->bp, &bp))
		return false;
	if (ip.is_undefined) {
		row->rule = ANNOT_UNWIND_END;
		return true;
	}
	if (dwarf_frame_cfa(frame, &cfa.ops, &cfa.nr))
		return false;
	return machine->has_link ? read_linked(machine, &cfa, &ip, &bp, row) :
				   read_pushed(&cfa, &ip, &bp, row);
}

const struct frame_machine *frame_machine_of(int elf)
{
	for (size_t i = 0; i < sizeof(machines) / sizeof(machines[0]); i++) {
		if (machines[i].elf == elf)
			return &machines[i];
	}
	return NULL;
}

struct annot_unwind_row frame_rule_of(const struct frame_machine *machine, Dwarf_Frame *frame)
{
	struct annot_unwind_row row = { 0 };
	bool is_signal;

	if (dwarf_frame_info(frame, NULL, NULL, &is_signal) == machine->return_address &&
	    is_signal) {
		row.rule = ANNOT_UNWIND_SIGNAL;
		return row;
	}
	return read_frame(machine, frame, &row) ? row : (struct annot_unwind_row){ 0 };
}
