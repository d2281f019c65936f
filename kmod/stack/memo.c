// SPDX-License-Identifier: GPL-2.0
/*
 * The frames of a memo stand at its end, the outermost last: so the callers that stay the same stay
 * where they are, and those that are new are put before them.
 */
#include <linux/minmax.h>
#include <linux/string.h>

#include "stack/memo.h"

#define END ANNOT_STACK_MEMO_FRAMES

void annot_stack_trail_begin(struct annot_stack_trail *trail, struct annot_stack_memo *memo,
			     u64 generation, struct annot_stack_frame *walked)
{
	*trail = (struct annot_stack_trail){ .memo = memo, .tail = END, .walked = walked };
	if (!memo)
		return;
	/* Never 0: that of a memo that is not used yet. */
	if (memo->generation != generation) {
		memo->generation = generation;
		memo->first = END;
	}
	trail->next = memo->first;
}

static bool is_same(const struct annot_stack_frame *one, const struct annot_stack_frame *other)
{
	return one->ip == other->ip && one->sp == other->sp && one->bp == other->bp &&
	       one->is_call == other->is_call && one->is_frame == other->is_frame;
}

const struct annot_stack_frame *annot_stack_trail_find(struct annot_stack_trail *trail,
						       const struct annot_stack_frame *frame)
{
	const struct annot_stack_frame *frames = trail->memo->frames;

	while (trail->next < END && frames[trail->next].sp < frame->sp)
		trail->next++;
	if (trail->next == END || !is_same(&frames[trail->next], frame))
		return NULL;
	return &frames[trail->next];
}

/* What was found in the memo is walked like the rest: another caller follows. */
static void leave_tail(struct annot_stack_trail *trail)
{
	u32 nr = trail->next - trail->tail;

	memcpy(&trail->walked[trail->nr], &trail->memo->frames[trail->tail],
	       nr * sizeof(*trail->walked));
	trail->nr += nr;
	trail->tail = END;
}

void annot_stack_trail_add(struct annot_stack_trail *trail, const struct annot_stack_frame *frame)
{
	if (!trail->memo)
		return;
	if (trail->tail != END)
		leave_tail(trail);
	trail->walked[trail->nr++] = *frame;
}

void annot_stack_trail_end(struct annot_stack_trail *trail, const struct annot_stack_frame *frame)
{
	struct annot_stack_memo *memo = trail->memo;
	u32 nr;

	if (!memo)
		return;
	/* Unless it ends where the memo does. */
	if (trail->tail == END || trail->next != END - 1)
		annot_stack_trail_add(trail, frame);
	/* The outermost ones, if there is not room for all. */
	nr = min(trail->nr, trail->tail);
	memo->first = trail->tail - nr;
	memcpy(&memo->frames[memo->first], &trail->walked[trail->nr - nr],
	       nr * sizeof(*trail->walked));
}
