/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What the last walks of a thread found. The callers of a function that waits are mostly those of the
 * wait before, and a frame's caller depends on nothing but its registers, the words that were read for
 * it, and the tables: if these are the same, so is the caller. To compare the words takes a fifth of
 * what it takes to find out where they are.
 */
#ifndef ANNOT_KMOD_STACK_MEMO_H
#define ANNOT_KMOD_STACK_MEMO_H

#include <linux/types.h>

#include <uapi/annot.h>

#define ANNOT_STACK_MEMO_FRAMES 64

/*
 * @is_call, @is_frame: see struct annot_stack_place
 * @ip_words:	where the caller's ip was read: so many words above sp
 * @bp_words:	the same of its bp
 * @has_caller:	ip_words holds; else its caller is not remembered, or it has none
 * @has_bp:	bp_words holds; else the caller has the same bp
 */
struct annot_stack_frame {
	u64 ip;
	u64 sp;
	u64 bp;
	u16 ip_words;
	u16 bp_words;
	bool is_call;
	bool is_frame;
	bool has_caller;
	bool has_bp;
};

/*
 * @generation:	of the ranges by which it was walked
 * @first:	the innermost frame that is known; callers are behind it, up to the end
 */
struct annot_stack_memo {
	u64 generation;
	u32 first;
	struct annot_stack_frame frames[ANNOT_STACK_MEMO_FRAMES];
};

/*
 * A walk, as far as it is remembered.
 * @memo:	NULL: it is not
 * @next:	no frame of the memo before this one is looked for any more
 * @tail:	the walk has come to this frame of the memo, and from there to @next by its callers;
 *		ANNOT_STACK_MEMO_FRAMES: it has not come to any
 * @nr:		frames before that: those in @walked
 */
struct annot_stack_trail {
	struct annot_stack_memo *memo;
	u32 next;
	u32 tail;
	u32 nr;
	struct annot_stack_frame *walked;
};

/* @memo: that of the thread, or NULL. @walked: ANNOT_STACK_MAX frames. */
void annot_stack_trail_begin(struct annot_stack_trail *trail, struct annot_stack_memo *memo,
			     u64 generation, struct annot_stack_frame *walked);

/* The frame of the memo that is @frame, in all but its caller; or NULL. */
const struct annot_stack_frame *annot_stack_trail_find(struct annot_stack_trail *trail,
						       const struct annot_stack_frame *frame);

/* The walk goes on from @frame, to a caller that is not that of the memo. */
void annot_stack_trail_add(struct annot_stack_trail *trail, const struct annot_stack_frame *frame);

/* It ends at @frame. */
void annot_stack_trail_end(struct annot_stack_trail *trail, const struct annot_stack_frame *frame);

#endif /* ANNOT_KMOD_STACK_MEMO_H */
