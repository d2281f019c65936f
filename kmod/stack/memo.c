// SPDX-License-Identifier: GPL-2.0
/*
 * The frames of a memo stand at its end, the outermost last: so the callers that stay the same stay
 * where they are, and those that are new are put before them.
 */
#include <linux/minmax.h>

#include "stack/memo.h"

/* So many others give it up. */
#define MISSED_MAX 2

bool annot_stack_memo_take(struct annot_stack_memo *memo, s32 pid)
{
	if (memo->pid != pid && ++memo->missed < MISSED_MAX)
		return false;
	memo->pid = pid;
	memo->missed = 0;
	return true;
}

void annot_stack_memo_begin(struct annot_stack_memo *memo, u64 generation)
{
	/* Never 0: that of a memo that is not used yet. */
	if (memo->generation == generation)
		return;
	memo->generation = generation;
	memo->slot = NULL;
	memo->first = ANNOT_STACK_MEMO_FRAMES;
}

/* @caller_does: its caller needs its bp. One whose caller is not remembered is no way to it. */
static bool frame_needs_bp(const struct annot_stack_frame *frame, bool caller_does)
{
	if (frame->flags & ANNOT_FRAME_USES_BP)
		return true;
	return caller_does && (frame->flags & (ANNOT_FRAME_HAS_CALLER | ANNOT_FRAME_HAS_BP)) ==
				      ANNOT_FRAME_HAS_CALLER;
}

void annot_stack_memo_keep(struct annot_stack_memo *memo, const struct annot_stack_frame *walked,
			   u32 nr, u32 tail)
{
	u32 nr_kept = min(nr, tail);
	bool needs_bp;
	u32 i;

	/* The same walk once more. */
	if (!nr && memo->first == tail)
		return;
	memo->slot = NULL;
	memo->first = tail - nr_kept;
	needs_bp = tail < ANNOT_STACK_MEMO_FRAMES &&
		   memo->frames[tail].flags & ANNOT_FRAME_NEEDS_BP;
	for (i = 0; i < nr_kept; i++) {
		struct annot_stack_frame *frame = &memo->frames[tail - 1 - i];

		*frame = walked[nr - 1 - i];
		needs_bp = frame_needs_bp(frame, needs_bp);
		if (needs_bp)
			frame->flags |= ANNOT_FRAME_NEEDS_BP;
		else
			frame->flags &= ~ANNOT_FRAME_NEEDS_BP;
	}
}
