// SPDX-License-Identifier: GPL-2.0
/*
 * Nothing that is read here is trusted: not the registers, not the stack, not what the tables say
 * of them. A wrong word makes a wrong address, or ends the walk.
 */
#include <linux/ptrace.h>
#include <linux/sizes.h>
#include <linux/uaccess.h>

#include <uapi/annot.h>

#include "stack/memo.h"
#include "stack/ranges.h"
#include "stack/scratch.h"
#include "stack/table.h"
#include "stack/walk.h"

#define WORD_BYTES 8
#define PLT_ENTRY_BYTES 16

/* A function with a frame pointer has no more than this on its stack. */
#define FRAME_MAX_BYTES SZ_1M

/* In the ucontext of a signal frame on x86-64; the order of registers is the ABI's. */
#define UCONTEXT_BP 120
#define UCONTEXT_SP 160
#define UCONTEXT_IP 168

enum step {
	STEP_UP, /* to the caller */
	STEP_LOST, /* nobody knows where the caller is */
	STEP_BOTTOM, /* there is no caller */
};

/*
 * @is_call:	ip is a return address: the call is before it, and may be a function's last word
 * @is_frame:	bp is a frame pointer: a function with one has kept it, or all code of this machine
 *		has them
 * @range:	that of the function below, or NULL: most callers are in the same
 * @ip_at:	where the ip was read; 0: it is not to be remembered where
 * @bp_at:	the same of the bp; 0: it is that of the function below
 */
struct place {
	u64 ip;
	u64 sp;
	u64 bp;
	bool is_call;
	bool is_frame;
	const struct annot_stack_range *range;
	u64 ip_at;
	u64 bp_at;
};

/* Page faults are disabled, and user memory may be read: see annot_stack_walk(). */
static bool read_word(u64 *word, u64 address)
{
	const u64 __user *from = u64_to_user_ptr(address);

	return __access_ok(from, sizeof(*word)) && !__get_user(*word, from);
}

/* The return address is below @cfa; the caller's frame pointer @bp words below, or unchanged. */
static enum step step_to(struct place *place, u64 cfa, u8 bp)
{
	/* The stack grows downwards: callers are above. */
	if (cfa <= place->sp || !read_word(&place->ip, cfa - WORD_BYTES))
		return STEP_LOST;
	if (bp && !read_word(&place->bp, cfa - bp * WORD_BYTES))
		return STEP_LOST;
	place->ip_at = cfa - WORD_BYTES;
	place->bp_at = bp ? cfa - bp * WORD_BYTES : 0;
	place->sp = cfa;
	place->is_call = true;
	place->is_frame = false;
	return place->ip ? STEP_UP : STEP_BOTTOM;
}

static enum step step_signal(struct place *place)
{
	u64 sp = place->sp;

	if (!read_word(&place->ip, sp + UCONTEXT_IP) || !read_word(&place->bp, sp + UCONTEXT_BP) ||
	    !read_word(&place->sp, sp + UCONTEXT_SP))
		return STEP_LOST;
	place->ip_at = 0;
	place->is_call = false;
	place->is_frame = false;
	return STEP_UP;
}

/* It reads a word more than is remembered. */
static enum step step_aligned(struct place *place, const struct annot_unwind_row *row)
{
	u64 bp = place->bp;
	enum step step;
	u64 cfa;

	if (!read_word(&cfa, bp - row->cfa * WORD_BYTES) || !read_word(&place->bp, bp))
		return STEP_LOST;
	step = step_to(place, cfa, 0);
	place->ip_at = 0;
	return step;
}

/* Frame pointers form a list: of each frame, the caller's and the return address. */
static enum step step_by_frame_pointer(struct place *place)
{
	u64 bp = place->bp;

	if (!bp)
		return place->is_frame ? STEP_BOTTOM : STEP_LOST;
	if (bp % WORD_BYTES || bp < place->sp || bp - place->sp > FRAME_MAX_BYTES ||
	    !read_word(&place->ip, bp + WORD_BYTES) || !read_word(&place->bp, bp))
		return STEP_LOST;
	place->ip_at = bp + WORD_BYTES;
	place->bp_at = bp;
	place->sp = bp + 2 * WORD_BYTES;
	place->is_call = true;
	place->is_frame = true;
	return place->ip ? STEP_UP : STEP_BOTTOM;
}

static enum step step_by_row(struct place *place, const struct annot_unwind_row *row)
{
	u64 sp = place->sp;

	switch (row->rule) {
	case ANNOT_UNWIND_END:
		return STEP_BOTTOM;
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
		return STEP_LOST;
	}
}

/* NULL: the table of @range, which has one, does not say. */
static const struct annot_unwind_row *row_of(const struct annot_stack_range *range, u64 address)
{
	u64 pc = address - range->base;

	return pc <= U32_MAX ? annot_stack_table_find(range->table, pc) : NULL;
}

static enum step step_up(struct place *place, const struct annot_stack_ranges *ranges)
{
	u64 address = place->ip - place->is_call;
	const struct annot_stack_range *range = place->range;
	const struct annot_unwind_row *row;

	if (!range || address < range->start || address >= range->end)
		range = annot_stack_ranges_find(ranges, address);
	place->range = range;
	if (!range || !range->table)
		return step_by_frame_pointer(place);
	row = row_of(range, address);
	return row ? step_by_row(place, row) : STEP_LOST;
}

/* Whether the interrupted code is that of a function that nobody called. */
static bool begins_thread(const struct place *place, const struct annot_stack_ranges *ranges)
{
	const struct annot_stack_range *range = annot_stack_ranges_find(ranges, place->ip);
	const struct annot_unwind_row *row;

	row = range && range->table ? row_of(range, place->ip) : NULL;
	return row && row->rule == ANNOT_UNWIND_END;
}

#if defined(CONFIG_X86_64)

static bool place_begin(struct place *place, struct pt_regs *regs)
{
	place->bp = regs->bp;
	/* Of 32-bit code nothing is known. */
	return regs->cs != __USER32_CS;
}

#elif defined(CONFIG_ARM64)

static bool place_begin(struct place *place, struct pt_regs *regs)
{
	place->bp = regs->regs[29];
	place->is_frame = true;
	return !compat_user_mode(regs);
}

#else

static bool place_begin(struct place *place, struct pt_regs *regs)
{
	return false;
}

#endif

static struct annot_stack_frame frame_at(const struct place *place)
{
	return (struct annot_stack_frame){
		.ip = place->ip,
		.sp = place->sp,
		.bp = place->bp,
		.is_call = place->is_call,
		.is_frame = place->is_frame,
	};
}

/* Above @sp, and so far that it fits. */
static bool words_above(u16 *words, u64 sp, u64 address)
{
	u64 bytes = address - sp;

	*words = bytes / WORD_BYTES;
	return address >= sp && bytes % WORD_BYTES == 0 && bytes / WORD_BYTES <= U16_MAX;
}

/* @caller was found from @frame. */
static void frame_note_caller(struct annot_stack_frame *frame, const struct place *caller)
{
	if (!caller->ip_at || !words_above(&frame->ip_words, frame->sp, caller->ip_at))
		return;
	frame->has_bp = caller->bp_at;
	frame->has_caller = !frame->has_bp ||
			    words_above(&frame->bp_words, frame->sp, caller->bp_at);
}

/* Whether the words by which the caller of @frame was found are what they were. */
static bool has_same_caller(const struct annot_stack_frame *frame,
			    const struct annot_stack_frame *caller)
{
	u64 word;

	if (!frame->has_caller || !read_word(&word, frame->sp + frame->ip_words * WORD_BYTES) ||
	    word != caller->ip)
		return false;
	return !frame->has_bp || (read_word(&word, frame->sp + frame->bp_words * WORD_BYTES) &&
				  word == caller->bp);
}

struct walk {
	struct place place;
	const struct annot_stack_ranges *ranges;
	struct annot_stack_trail trail;
	u64 *ips;
	u32 nr;
};

/* Goes on by what is known, as far as it still holds. */
static void walk_by_memo(struct walk *walk)
{
	const struct annot_stack_frame here = frame_at(&walk->place);
	const struct annot_stack_frame *frame = annot_stack_trail_find(&walk->trail, &here);
	const struct annot_stack_frame *from = frame;
	const struct annot_stack_frame *last;

	if (!frame)
		return;
	last = &walk->trail.memo->frames[ANNOT_STACK_MEMO_FRAMES - 1];
	while (frame < last && walk->nr < ANNOT_STACK_MAX && has_same_caller(frame, frame + 1)) {
		frame++;
		walk->ips[walk->nr++] = frame->ip;
	}
	walk->trail.tail = walk->trail.next;
	walk->trail.next += frame - from;
	walk->place.ip = frame->ip;
	walk->place.sp = frame->sp;
	walk->place.bp = frame->bp;
	walk->place.is_call = frame->is_call;
	walk->place.is_frame = frame->is_frame;
}

/* To the caller of the place. */
static enum step walk_step(struct walk *walk)
{
	struct annot_stack_frame frame = frame_at(&walk->place);
	enum step step = step_up(&walk->place, walk->ranges);

	/* Whatever the word was, it is no code of the program. */
	if (step == STEP_UP && walk->place.ip >= TASK_SIZE_MAX)
		step = STEP_LOST;
	if (step != STEP_UP) {
		annot_stack_trail_end(&walk->trail, &frame);
		return step;
	}
	frame_note_caller(&frame, &walk->place);
	annot_stack_trail_add(&walk->trail, &frame);
	walk->ips[walk->nr++] = walk->place.ip;
	return step;
}

static enum step walk_all(struct walk *walk)
{
	enum step step = STEP_UP;

	while (step == STEP_UP && walk->nr < ANNOT_STACK_MAX) {
		if (walk->trail.memo)
			walk_by_memo(walk);
		if (walk->nr < ANNOT_STACK_MAX)
			step = walk_step(walk);
	}
	if (step == STEP_UP) {
		const struct annot_stack_frame frame = frame_at(&walk->place);

		annot_stack_trail_end(&walk->trail, &frame);
	}
	return step;
}

u32 annot_stack_walk(struct pt_regs *regs, const struct annot_stack_ranges *ranges,
		     const struct annot_stack_scratch *scratch, bool *complete)
{
	struct walk walk = {
		.place = {
			.ip = instruction_pointer(regs),
			.sp = user_stack_pointer(regs),
		},
		.ranges = ranges,
		.ips = scratch->ips,
	};
	u8 top;

	*complete = false;
	if (!place_begin(&walk.place, regs))
		return 0;
	walk.ips[walk.nr++] = walk.place.ip;
	/* It also asks whether an NMI may read user memory now; that holds for all of the walk. */
	if (copy_from_user_nofault(&top, u64_to_user_ptr(walk.place.sp), sizeof(top))) {
		/* A new thread waits for the first page of its stack. */
		*complete = begins_thread(&walk.place, ranges);
		return walk.nr;
	}
	annot_stack_trail_begin(&walk.trail, scratch->memo, ranges->generation, scratch->walked);
	pagefault_disable();
	*complete = walk_all(&walk) == STEP_BOTTOM;
	pagefault_enable();
	return walk.nr;
}
