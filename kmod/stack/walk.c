// SPDX-License-Identifier: GPL-2.0
/*
 * A walk goes from place to place: by what the walk before found, as long as the words are the
 * same, else step by step.
 */
#include <linux/ptrace.h>
#include <linux/uaccess.h>

#include <uapi/annot.h>

#include "stack/memo.h"
#include "stack/ranges.h"
#include "stack/scratch.h"
#include "stack/step.h"
#include "stack/walk.h"

#define MEMO_END ANNOT_STACK_MEMO_FRAMES

/*
 * @memo:	NULL: this walk is not remembered
 * @next:	no frame of the memo before this one is looked for any more
 * @walked:	the places so far, if there is a memo
 */
struct walk {
	struct annot_stack_place place;
	const struct annot_stack_ranges *ranges;
	u64 *ips;
	u32 nr;
	u32 next;
	struct annot_stack_memo *memo;
	struct annot_stack_frame *walked;
	u32 nr_walked;
};

/* Whether that bp will do. If it does not matter, it is noted: the walk may go on with it. */
static __always_inline bool takes_bp(struct annot_stack_frame *frame, u64 bp)
{
	if (frame->bp == bp)
		return true;
	if (frame->flags & ANNOT_FRAME_NEEDS_BP)
		return false;
	frame->bp = bp;
	return true;
}

/*
 * Whether the words by which the caller of @frame was found are what they were. They are between
 * the two. In a section of user access.
 */
static __always_inline bool has_same_caller(const struct annot_stack_frame *frame,
					    struct annot_stack_frame *caller)
{
	const u64 __user *words = u64_to_user_ptr(frame->sp);
	u64 ip, bp = frame->bp;

	if (!(frame->flags & ANNOT_FRAME_HAS_CALLER))
		return false;
	unsafe_get_user(ip, words + frame->ip_words, no_word);
	if (ip != caller->ip)
		return false;
	if (frame->flags & ANNOT_FRAME_HAS_BP)
		unsafe_get_user(bp, words + frame->bp_words, no_word);
	return takes_bp(caller, bp);

no_word:
	return false;
}

/* The last frame from @frame on to which each leads as it did. */
static struct annot_stack_frame *follow(struct walk *walk, struct annot_stack_frame *frame)
{
	const struct annot_stack_frame *last = &walk->memo->frames[MEMO_END - 1];
	const u64 __user *from = u64_to_user_ptr(frame->sp);
	u64 *ips = walk->ips + walk->nr;
	u64 limit = last->sp;

	if (last - frame > ANNOT_STACK_MAX - walk->nr)
		last = frame + (ANNOT_STACK_MAX - walk->nr);
	if (limit <= frame->sp || !user_access_begin(from, limit - frame->sp))
		return frame;
	while (frame < last && frame[1].sp <= limit && has_same_caller(frame, frame + 1)) {
		frame++;
		*ips++ = frame->ip;
	}
	user_access_end();
	walk->nr = ips - walk->ips;
	return frame;
}

/* The place, as the memo has it; or NULL. */
static struct annot_stack_frame *find_place(struct walk *walk)
{
	struct annot_stack_frame *frames = walk->memo->frames;
	const struct annot_stack_place *place = &walk->place;
	struct annot_stack_frame *found;
	u8 flags;

	while (walk->next < MEMO_END && frames[walk->next].sp < place->sp)
		walk->next++;
	if (walk->next == MEMO_END || frames[walk->next].sp != place->sp)
		return NULL;
	found = &frames[walk->next];
	flags = found->flags & (ANNOT_PLACE_CALL | ANNOT_PLACE_FRAME);
	if (found->ip != place->ip || flags != place->flags || !takes_bp(found, place->bp))
		return NULL;
	return found;
}

static void add_frames(struct walk *walk, const struct annot_stack_frame *from,
		       const struct annot_stack_frame *end)
{
	while (from < end)
		walk->walked[walk->nr_walked++] = *from++;
}

/* Goes on by what is known, as far as it still holds. Return: whether that is to the end. */
static bool walk_by_memo(struct walk *walk)
{
	struct annot_stack_frame *from = find_place(walk);
	const struct annot_stack_frame *frame;

	if (!from)
		return false;
	frame = follow(walk, from);
	if (frame->flags & ANNOT_FRAME_IS_BOTTOM) {
		annot_stack_memo_keep(walk->memo, walk->walked, walk->nr_walked,
				      from - walk->memo->frames);
		return true;
	}
	add_frames(walk, from, frame);
	walk->place.ip = frame->ip;
	walk->place.sp = frame->sp;
	walk->place.bp = frame->bp;
	walk->place.flags = frame->flags & (ANNOT_PLACE_CALL | ANNOT_PLACE_FRAME);
	return false;
}

static void frame_note(struct annot_stack_frame *frame, const struct annot_stack_place *place)
{
	frame->ip = place->ip;
	frame->sp = place->sp;
	frame->bp = place->bp;
	frame->flags = place->flags;
}

/* Above @sp, and so near that it fits. */
static bool words_above(u16 *words, u64 sp, u64 address)
{
	u64 bytes = address - sp;

	*words = bytes / ANNOT_STACK_WORD_BYTES;
	return bytes % ANNOT_STACK_WORD_BYTES == 0 && bytes / ANNOT_STACK_WORD_BYTES <= U16_MAX;
}

/* @caller was found from @frame. */
static void frame_note_caller(struct annot_stack_frame *frame,
			      const struct annot_stack_place *caller)
{
	if (!caller->ip_at || !words_above(&frame->ip_words, frame->sp, caller->ip_at))
		return;
	if (!caller->bp_at)
		frame->flags |= ANNOT_FRAME_HAS_CALLER;
	else if (words_above(&frame->bp_words, frame->sp, caller->bp_at))
		frame->flags |= ANNOT_FRAME_HAS_CALLER | ANNOT_FRAME_HAS_BP;
}

/* To the caller of the place. */
static enum annot_stack_step walk_step(struct walk *walk, struct annot_stack_frame *frame)
{
	enum annot_stack_step step;

	frame_note(frame, &walk->place);
	step = annot_stack_step_up(&walk->place, walk->ranges);
	/* Whatever the word was, it is no code of the program. */
	if (step == ANNOT_STEP_UP && walk->place.ip >= TASK_SIZE_MAX)
		step = ANNOT_STEP_LOST;
	if (walk->place.used_bp)
		frame->flags |= ANNOT_FRAME_USES_BP;
	if (step == ANNOT_STEP_UP) {
		frame_note_caller(frame, &walk->place);
		walk->ips[walk->nr++] = walk->place.ip;
	} else if (step == ANNOT_STEP_BOTTOM && walk->place.ip) {
		/* It took no word to find out. */
		frame->flags |= ANNOT_FRAME_IS_BOTTOM;
	}
	return step;
}

static enum annot_stack_step walk_all(struct walk *walk)
{
	enum annot_stack_step step = ANNOT_STEP_UP;
	struct annot_stack_frame frame;

	while (step == ANNOT_STEP_UP && walk->nr < ANNOT_STACK_MAX)
		step = walk_step(walk, &frame);
	return step;
}

/* The same, by what is known of the walk before. */
static enum annot_stack_step walk_again(struct walk *walk)
{
	enum annot_stack_step step = ANNOT_STEP_UP;

	annot_stack_memo_begin(walk->memo, walk->ranges->generation);
	walk->next = walk->memo->first;
	while (step == ANNOT_STEP_UP && walk->nr < ANNOT_STACK_MAX) {
		if (walk_by_memo(walk))
			return ANNOT_STEP_BOTTOM;
		if (walk->nr < ANNOT_STACK_MAX)
			step = walk_step(walk, &walk->walked[walk->nr_walked++]);
	}
	if (step == ANNOT_STEP_UP)
		frame_note(&walk->walked[walk->nr_walked++], &walk->place);
	annot_stack_memo_keep(walk->memo, walk->walked, walk->nr_walked, MEMO_END);
	return step;
}

static bool is_kept(const struct walk *walk)
{
	return walk->memo && walk->memo->first + walk->nr == MEMO_END;
}

/* All but the place. A word at a time is faster than all of it. */
static void walk_begin(struct walk *walk, const struct annot_stack_ranges *ranges,
		       const struct annot_stack_scratch *scratch)
{
	walk->ranges = ranges;
	walk->ips = scratch->ips;
	walk->nr = 0;
	walk->memo = scratch->memo;
	walk->walked = scratch->walked;
	walk->nr_walked = 0;
}

struct annot_stack_walked annot_stack_walk(struct pt_regs *regs,
					   const struct annot_stack_ranges *ranges,
					   const struct annot_stack_scratch *scratch)
{
	struct annot_stack_walked walked = {};
	struct walk walk;
	enum annot_stack_step step;
	u8 top;

	walk_begin(&walk, ranges, scratch);
	if (!annot_stack_place_begin(&walk.place, regs))
		return walked;
	walk.ips[walk.nr++] = walk.place.ip;
	/* It also asks whether an NMI may read user memory now; that holds for all of the walk. */
	if (copy_from_user_nofault(&top, u64_to_user_ptr(walk.place.sp), sizeof(top))) {
		/* A new thread waits for the first page of its stack. */
		walked.complete = annot_stack_place_begins_thread(&walk.place, ranges);
		walked.nr = walk.nr;
		return walked;
	}
	pagefault_disable();
	step = walk.memo ? walk_again(&walk) : walk_all(&walk);
	pagefault_enable();
	walked.nr = walk.nr;
	walked.complete = step == ANNOT_STEP_BOTTOM && !walk.place.hides;
	walked.is_kept = is_kept(&walk);
	return walked;
}
