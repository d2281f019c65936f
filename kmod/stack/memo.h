/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What the last walk of a thread found. The callers of a function that waits are mostly those of
 * the wait before, and a frame's caller depends on nothing but its registers, the words that were
 * read for it, and the tables: if these are the same, so is the caller. To compare the words takes
 * a fifth of what it takes to find out where they are.
 */
#ifndef ANNOT_KMOD_STACK_MEMO_H
#define ANNOT_KMOD_STACK_MEMO_H

#include <linux/types.h>

struct stack_slot;

#define ANNOT_STACK_MEMO_FRAMES 64

/* A frame's flags, behind those of its place (step.h). */
#define ANNOT_FRAME_HAS_CALLER 0x10 /* ip_words holds; else its caller is not remembered */
#define ANNOT_FRAME_HAS_BP 0x20 /* bp_words holds; else the caller has the same bp */
#define ANNOT_FRAME_IS_BOTTOM 0x40 /* it has no caller */
#define ANNOT_FRAME_USES_BP 0x04 /* its caller was found by its bp */
/*
 * Its bp matters: it was used before another one was read. Most code has something else in that
 * register, which changes while the callers stay the same.
 */
#define ANNOT_FRAME_NEEDS_BP 0x08

/*
 * @ip_words:	where the caller's ip was read: so many words above sp
 * @bp_words:	the same of its bp
 */
struct annot_stack_frame {
	u64 ip;
	u64 sp;
	u64 bp;
	u16 ip_words;
	u16 bp_words;
	u8 flags;
};

/*
 * @pid:	whose it is
 * @missed:	so many walks of other threads have found it taken, since the last one of its own
 * @generation:	of the ranges by which it was walked
 * @slot:	where intern.c has the last stack; NULL: nowhere, or not all of its frames are here
 * @first:	the innermost frame that is known; callers are behind it, up to the end
 */
struct annot_stack_memo {
	s32 pid;
	u32 missed;
	u64 generation;
	struct stack_slot *slot;
	u32 first;
	struct annot_stack_frame frames[ANNOT_STACK_MEMO_FRAMES];
};

/*
 * Whether a walk of that thread is to use it. It belongs to another one as long as that comes
 * again: of threads that take turns, one has it, and the others walk as if there was none.
 */
bool annot_stack_memo_take(struct annot_stack_memo *memo, s32 pid);

/* A walk by ranges of that generation begins: by others, nothing is known. */
void annot_stack_memo_begin(struct annot_stack_memo *memo, u64 generation);

/*
 * A walk has ended: @nr frames, and behind them those that the memo has from @tail on. If there is
 * not room for all, the innermost ones are left out.
 */
void annot_stack_memo_keep(struct annot_stack_memo *memo, const struct annot_stack_frame *walked,
			   u32 nr, u32 tail);

#endif /* ANNOT_KMOD_STACK_MEMO_H */
