// SPDX-License-Identifier: GPL-2.0
/*
 * Nothing that is read here is trusted: not the registers, not the stack, not what the tables say
 * of them. A wrong word makes a wrong address, or ends the walk.
 */
#include <linux/ptrace.h>
#include <linux/sizes.h>
#include <linux/uaccess.h>

#include <uapi/annot.h>

#include "stack/ranges.h"
#include "stack/step.h"
#include "stack/table.h"

#define WORD_BYTES ANNOT_STACK_WORD_BYTES
#define PLT_ENTRY_BYTES 16

/* A function with a frame pointer has no more than this on its stack. */
#define FRAME_MAX_BYTES SZ_1M

/* In the ucontext of a signal frame on x86-64; the order of registers is the ABI's. */
#define UCONTEXT_BP 120
#define UCONTEXT_SP 160
#define UCONTEXT_IP 168

/* Page faults are disabled, and user memory may be read: see annot_stack_step_up(). */
static bool read_word(u64 *word, u64 address)
{
	const u64 __user *from = u64_to_user_ptr(address);

	return __access_ok(from, sizeof(*word)) && !__get_user(*word, from);
}

/* The return address is below @cfa; the caller's frame pointer @bp words below, or unchanged. */
static enum annot_stack_step step_to(struct annot_stack_place *place, u64 cfa, u8 bp)
{
	/* The stack grows downwards: callers are above. */
	if (cfa <= place->sp || !read_word(&place->ip, cfa - WORD_BYTES))
		return ANNOT_STEP_LOST;
	if (bp && !read_word(&place->bp, cfa - bp * WORD_BYTES))
		return ANNOT_STEP_LOST;
	place->ip_at = cfa - WORD_BYTES;
	place->bp_at = bp ? cfa - bp * WORD_BYTES : 0;
	place->sp = cfa;
	place->flags = ANNOT_PLACE_CALL;
	return place->ip ? ANNOT_STEP_UP : ANNOT_STEP_BOTTOM;
}

static enum annot_stack_step step_signal(struct annot_stack_place *place)
{
	u64 sp = place->sp;

	if (!read_word(&place->ip, sp + UCONTEXT_IP) || !read_word(&place->bp, sp + UCONTEXT_BP) ||
	    !read_word(&place->sp, sp + UCONTEXT_SP))
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
	step = step_to(place, cfa, 0);
	place->ip_at = 0;
	return step;
}

/* Frame pointers form a list: of each frame, the caller's and the return address. */
static enum annot_stack_step step_by_frame_pointer(struct annot_stack_place *place)
{
	u64 bp = place->bp;

	place->used_bp = true;
	if (!bp)
		return place->flags & ANNOT_PLACE_FRAME ? ANNOT_STEP_BOTTOM : ANNOT_STEP_LOST;
	if (bp % WORD_BYTES || bp < place->sp || bp - place->sp > FRAME_MAX_BYTES ||
	    !read_word(&place->ip, bp + WORD_BYTES) || !read_word(&place->bp, bp))
		return ANNOT_STEP_LOST;
	place->ip_at = bp + WORD_BYTES;
	place->bp_at = bp;
	place->sp = bp + 2 * WORD_BYTES;
	place->flags = ANNOT_PLACE_CALL | ANNOT_PLACE_FRAME;
	return place->ip ? ANNOT_STEP_UP : ANNOT_STEP_BOTTOM;
}

static enum annot_stack_step step_by_row(struct annot_stack_place *place,
					 const struct annot_unwind_row *row)
{
	u64 sp = place->sp;

	place->used_bp = row->rule == ANNOT_UNWIND_BP || row->rule == ANNOT_UNWIND_ALIGNED;
	switch (row->rule) {
	case ANNOT_UNWIND_END:
		return ANNOT_STEP_BOTTOM;
	case ANNOT_UNWIND_SP:
		return step_to(place, sp + row->cfa * WORD_BYTES, row->bp);
	case ANNOT_UNWIND_BP:
		return step_to(place, place->bp + row->cfa * WORD_BYTES, row->bp);
	case ANNOT_UNWIND_PLT:
		return step_to(place,
			       sp + (place->ip % PLT_ENTRY_BYTES >= row->cfa ? 2 : 1) * WORD_BYTES,
			       0);
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
		return step_by_frame_pointer(place);
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

#if defined(CONFIG_X86_64)

static bool place_find_bp(struct annot_stack_place *place, struct pt_regs *regs)
{
	place->bp = regs->bp;
	place->flags = 0;
	/* Of 32-bit code nothing is known. */
	return regs->cs != __USER32_CS;
}

#elif defined(CONFIG_ARM64)

static bool place_find_bp(struct annot_stack_place *place, struct pt_regs *regs)
{
	place->bp = regs->regs[29];
	place->flags = ANNOT_PLACE_FRAME;
	return !compat_user_mode(regs);
}

#else

static bool place_find_bp(struct annot_stack_place *place, struct pt_regs *regs)
{
	return false;
}

#endif

bool annot_stack_place_begin(struct annot_stack_place *place, struct pt_regs *regs)
{
	place->ip = instruction_pointer(regs);
	place->sp = user_stack_pointer(regs);
	place->range = NULL;
	place->ip_at = 0;
	place->bp_at = 0;
	place->used_bp = false;
	return place_find_bp(place, regs);
}
