/* SPDX-License-Identifier: GPL-2.0 */
/*
 * From a place in a program to its caller.
 */
#ifndef ANNOT_KMOD_STACK_STEP_H
#define ANNOT_KMOD_STACK_STEP_H

#include <linux/types.h>

struct annot_stack_range;
struct annot_stack_ranges;
struct pt_regs;

#define ANNOT_STACK_WORD_BYTES 8

enum annot_stack_step {
	ANNOT_STEP_UP, /* to the caller */
	ANNOT_STEP_LOST, /* nobody knows where the caller is */
	ANNOT_STEP_BOTTOM, /* there is no caller */
};

/* ip is a return address: the call is before it, and may be a function's last word. */
#define ANNOT_PLACE_CALL 0x1
/*
 * bp, by x86-64's name, is a frame pointer: a function with one has kept it, or all code of this
 * machine has them.
 */
#define ANNOT_PLACE_FRAME 0x2

/*
 * @range:	that of the function below, or NULL: most callers are in the same
 * @ip_at:	where the ip was read; 0: that is not to be remembered
 * @bp_at:	the same of the bp; 0: it is that of the function below
 * @used_bp:	it, or that it is the last, was found by the bp of the function below
 * @link:	the register of the return address, if the machine has one, unless ip is such
 * @hides:	a caller may be missing: a frame pointer does not tell whether it is that of the
 *		function, or still its caller's
 */
struct annot_stack_place {
	u64 ip;
	u64 sp;
	u64 bp;
	u8 flags;
	const struct annot_stack_range *range;
	u64 ip_at;
	u64 bp_at;
	bool used_bp;
	bool hides;
	u64 link;
};

/* Where @regs are. Return: false if nothing is known of such code. */
bool annot_stack_place_begin(struct annot_stack_place *place, struct pt_regs *regs);

/*
 * It reads at most three words. Context: any, with page faults disabled, where user memory may be
 * read: in an NMI, copy_from_user_nofault() asks that.
 */
enum annot_stack_step annot_stack_step_up(struct annot_stack_place *place,
					  const struct annot_stack_ranges *ranges);

/* Whether the interrupted code is that of a function that nobody called. */
bool annot_stack_place_begins_thread(const struct annot_stack_place *place,
				     const struct annot_stack_ranges *ranges);

#endif /* ANNOT_KMOD_STACK_STEP_H */
