// SPDX-License-Identifier: GPL-2.0
/*
 * Nothing that is read here is trusted: not the registers, not the stack, not what the tables say
 * of them. A wrong word makes a wrong address, or ends the walk.
 */
#include <linux/ptrace.h>
#include <linux/sizes.h>
#include <linux/uaccess.h>

#include <uapi/annot.h>

#include "stack/machine.h"
#include "stack/ranges.h"
#include "stack/step.h"
#include "stack/table.h"

#define WORD_BYTES ANNOT_STACK_WORD_BYTES
#define PLT_ENTRY_BYTES 16 /* x86-64 */

/* A function with a frame pointer has no more than this on its stack. */
#define FRAME_MAX_BYTES SZ_1M

/* Page faults are disabled, and user memory may be read: see annot_stack_step_up(). */
static bool read_word(u64 *word, u64 address)
{
	const u64 __user *from = u64_to_user_ptr(address);

	return __access_ok(from, sizeof(*word)) && !__get_user(*word, from);
}

/* The caller of a function that has not stored its return address. */
static enum annot_stack_step step_by_link(struct annot_stack_place *place, u64 cfa, u8 bp)
{
	/* Who called has stored it, or would never return. */
	if (place->flags & ANNOT_PLACE_CALL || cfa < place->sp)
		return ANNOT_STEP_LOST;
	if (bp && !read_word(&place->bp, cfa - bp * WORD_BYTES))
		return ANNOT_STEP_LOST;
	place->ip = place->link & ANNOT_MACHINE_CODE_MASK;
	place->ip_at = 0;
	place->sp = cfa;
	place->flags = ANNOT_PLACE_CALL;
	return place->ip ? ANNOT_STEP_UP : ANNOT_STEP_BOTTOM;
}

/* The return address is at @ip_at, the caller's frame pointer at @bp_at; 0: it is unchanged. */
static enum annot_stack_step step_to(struct annot_stack_place *place, u64 cfa, u64 ip_at, u64 bp_at)
{
	/* The stack grows downwards: callers are above. */
	if (cfa <= place->sp || !read_word(&place->ip, ip_at))
		return ANNOT_STEP_LOST;
	if (bp_at && !read_word(&place->bp, bp_at))
		return ANNOT_STEP_LOST;
	place->ip &= ANNOT_MACHINE_CODE_MASK;
	place->ip_at = ip_at;
	place->bp_at = bp_at;
	place->sp = cfa;
	place->flags = ANNOT_PLACE_CALL;
	return place->ip ? ANNOT_STEP_UP : ANNOT_STEP_BOTTOM;
}

/*
 * What a function stores to be found again is in its frame, as a whole: who follows this walk reads
 * between two frames only.
 */
static enum annot_stack_step step_to_stored(struct annot_stack_place *place, u64 cfa, u64 ip_at,
					    u64 bp_at)
{
	if (ip_at + WORD_BYTES > cfa || bp_at + WORD_BYTES > cfa)
		return ANNOT_STEP_LOST;
	return step_to(place, cfa, ip_at, bp_at);
}

/* @base is the register from which @row counts. */
static enum annot_stack_step step_by_base(struct annot_stack_place *place,
					  const struct annot_unwind_row *row, u64 base)
{
	u64 cfa = base + row->cfa * WORD_BYTES;
	u64 at = base + row->bp * WORD_BYTES;

	switch (ANNOT_MACHINE_HAS_LINK ? row->rule & ANNOT_UNWIND_WHERE : 0) {
	case ANNOT_UNWIND_LINK:
		return step_by_link(place, cfa, row->bp);
	case ANNOT_UNWIND_RECORD:
		return step_to_stored(place, cfa, at + WORD_BYTES, at);
	case ANNOT_UNWIND_STORED:
		return step_to_stored(place, cfa, at, 0);
	default:
		return step_to(place, cfa, cfa - WORD_BYTES,
			       row->bp ? cfa - row->bp * WORD_BYTES : 0);
	}
}

static enum annot_stack_step step_signal(struct annot_stack_place *place)
{
	u64 sp = place->sp;

	if (!read_word(&place->ip, sp + ANNOT_SIGNAL_IP) ||
	    !read_word(&place->bp, sp + ANNOT_SIGNAL_BP) ||
	    !read_word(&place->sp, sp + ANNOT_SIGNAL_SP))
		return ANNOT_STEP_LOST;
	if (ANNOT_MACHINE_HAS_LINK && !read_word(&place->link, sp + ANNOT_SIGNAL_LINK))
		return ANNOT_STEP_LOST;
	place->ip_at = 0;
	place->flags = 0;
	return ANNOT_STEP_UP;
}

/* It reads a word more than is remembered. */
static enum annot_stack_step step_aligned(struct annot_stack_place *place,
					  const struct annot_unwind_row *row)
{
	u64 bp = place->bp;
	enum annot_stack_step step;
	u64 cfa;

	if (!read_word(&cfa, bp - row->cfa * WORD_BYTES) || !read_word(&place->bp, bp))
		return ANNOT_STEP_LOST;
	step = step_to(place, cfa, cfa - WORD_BYTES, 0);
	place->ip_at = 0;
	return step;
}

/* Frame pointers form a list: of each frame, the caller's and the return address. */
static enum annot_stack_step step_by_frame_pointer(struct annot_stack_place *place)
{
	bool hides = ANNOT_MACHINE_HAS_LINK && !(place->flags & ANNOT_PLACE_CALL);
	u64 bp = place->bp;

	place->used_bp = true;
	place->hides |= hides;
	if (!bp)
		return place->flags & ANNOT_PLACE_FRAME ? ANNOT_STEP_BOTTOM : ANNOT_STEP_LOST;
	if (bp % WORD_BYTES || bp < place->sp || bp - place->sp > FRAME_MAX_BYTES ||
	    !read_word(&place->ip, bp + WORD_BYTES) || !read_word(&place->bp, bp))
		return ANNOT_STEP_LOST;
	place->ip &= ANNOT_MACHINE_CODE_MASK;
	/* What hides a caller is not to be remembered: it is to be told each time. */
	place->ip_at = hides ? 0 : bp + WORD_BYTES;
	place->bp_at = bp;
	place->sp = bp + 2 * WORD_BYTES;
	place->flags = ANNOT_PLACE_CALL | ANNOT_PLACE_FRAME;
	return place->ip ? ANNOT_STEP_UP : ANNOT_STEP_BOTTOM;
}

static enum annot_stack_step step_plt(struct annot_stack_place *place, u16 pushed_at)
{
	u64 cfa = place->sp + (place->ip % PLT_ENTRY_BYTES >= pushed_at ? 2 : 1) * WORD_BYTES;

	return step_to(place, cfa, cfa - WORD_BYTES, 0);
}

static enum annot_stack_step step_by_row(struct annot_stack_place *place,
					 const struct annot_unwind_row *row)
{
	u8 rule = row->rule & ~ANNOT_UNWIND_WHERE;

	place->used_bp = rule == ANNOT_UNWIND_BP || rule == ANNOT_UNWIND_ALIGNED;
	switch (rule) {
	case ANNOT_UNWIND_END:
		return ANNOT_STEP_BOTTOM;
	case ANNOT_UNWIND_SP:
		return step_by_base(place, row, place->sp);
	case ANNOT_UNWIND_BP:
		return step_by_base(place, row, place->bp);
	case ANNOT_UNWIND_PLT:
		return step_plt(place, row->cfa);
	case ANNOT_UNWIND_SIGNAL:
		return step_signal(place);
	case ANNOT_UNWIND_ALIGNED:
		return step_aligned(place, row);
	default:
		return ANNOT_STEP_LOST;
	}
}

/* NULL: the table of @range, which has one, does not say. */
static const struct annot_unwind_row *row_of(const struct annot_stack_range *range, u64 address)
{
	u64 pc = address - range->base;

	return pc <= U32_MAX ? annot_stack_table_find(range->table, pc) : NULL;
}

enum annot_stack_step annot_stack_step_up(struct annot_stack_place *place,
					  const struct annot_stack_ranges *ranges)
{
	u64 address = place->ip - !!(place->flags & ANNOT_PLACE_CALL);
	const struct annot_stack_range *range = place->range;
	const struct annot_unwind_row *row;

	if (!range || address < range->start || address >= range->end)
		range = annot_stack_ranges_find(ranges, address);
	place->range = range;
	if (!range || !range->table)
		return ANNOT_MACHINE_HAS_LIST ? step_by_frame_pointer(place) : ANNOT_STEP_LOST;
	row = row_of(range, address);
	return row ? step_by_row(place, row) : ANNOT_STEP_LOST;
}

bool annot_stack_place_begins_thread(const struct annot_stack_place *place,
				     const struct annot_stack_ranges *ranges)
{
	const struct annot_stack_range *range = annot_stack_ranges_find(ranges, place->ip);
	const struct annot_unwind_row *row;

	row = range && range->table ? row_of(range, place->ip) : NULL;
	return row && row->rule == ANNOT_UNWIND_END;
}

bool annot_stack_place_begin(struct annot_stack_place *place, struct pt_regs *regs)
{
	place->ip = instruction_pointer(regs);
	place->sp = user_stack_pointer(regs);
	place->bp = annot_machine_bp(regs);
	place->link = annot_machine_link(regs);
	place->flags = ANNOT_MACHINE_KEEPS_LIST ? ANNOT_PLACE_FRAME : 0;
	place->range = NULL;
	place->ip_at = 0;
	place->bp_at = 0;
	place->used_bp = false;
	place->hides = false;
	return annot_machine_is_known(regs);
}
