// SPDX-License-Identifier: GPL-2.0
/*
 * A table of stacks by their hash, of fixed size, in which any context may add without a lock: an
 * adder owns an empty slot once it has marked it, and nobody looks into it before it says that the
 * slot is filled. Two that add the same stack at once give it two numbers. A stack that finds no
 * room gets a number of its own each time, and is told each time: that takes space in the trace,
 * and loses nothing.
 */
#include <linux/atomic.h>
#include <linux/bits.h>
#include <linux/jiffies.h>
#include <linux/mm.h>
#include <linux/rcupdate.h>
#include <linux/slab.h>
#include <linux/string.h>

#include <uapi/annot.h>

#include "ftrace/events.h"
#include "stack/intern.h"

#define SLOT_BITS 14
#define NR_SLOTS BIT(SLOT_BITS)
#define NR_WORDS (16 * NR_SLOTS)
#define PROBES_MAX 8

/* A stack in use is told again after this time. */
#define TELL_AGAIN_JIFFIES HZ

enum slot_state {
	SLOT_EMPTY,
	SLOT_TAKEN, /* being filled */
	SLOT_FILLED,
};

/*
 * @first:	its addresses' place among the words
 * @told_round:	the round in which it was told; 0: not yet
 * @told_at:	when, in jiffies
 */
struct stack_slot {
	atomic_t state;
	u32 id;
	u64 hash;
	u32 first;
	s32 tgid;
	u32 told_round;
	u32 told_at;
	u8 nr;
	u8 kind;
	u8 complete;
};

struct stack_space {
	atomic_t nr_words;
	struct stack_slot slots[NR_SLOTS];
	u64 words[NR_WORDS];
};

static struct stack_space __rcu *stack_space;

/* An id is never used again, also by the space after this one. */
static atomic_t last_id;

/* Never 0: told_round is 0 in a slot that was never told. */
static u32 stacks_round = 1;

void annot_stacks_renew(void)
{
	WRITE_ONCE(stacks_round, READ_ONCE(stacks_round) + 1 ?: 1);
}

static u32 stack_next_id(void)
{
	u32 id = atomic_inc_return(&last_id);

	return id ?: (u32)atomic_inc_return(&last_id);
}

static u64 stack_hash(const struct annot_stack_data *stack)
{
	u64 hash = (u64)stack->tgid << 32 | stack->kind << 8 | stack->complete;
	u32 i;

	for (i = 0; i < stack->nr; i++) {
		hash = (hash ^ stack->ips[i]) * 0x9e3779b97f4a7c15ULL;
		hash ^= hash >> 32;
	}
	return hash;
}

static bool slot_holds(const struct stack_space *space, const struct stack_slot *slot,
		       const struct annot_stack_data *stack, u64 hash)
{
	return slot->hash == hash && slot->tgid == stack->tgid && slot->nr == stack->nr &&
	       slot->kind == stack->kind && slot->complete == stack->complete &&
	       !memcmp(&space->words[slot->first], stack->ips, stack->nr * sizeof(u64));
}

/* Return: false if there are no more words. */
static bool slot_fill(struct stack_space *space, struct stack_slot *slot,
		      const struct annot_stack_data *stack, u64 hash)
{
	u32 end;

	if (atomic_read(&space->nr_words) > NR_WORDS - ANNOT_STACK_MAX)
		return false;
	end = atomic_add_return(stack->nr, &space->nr_words);
	/* Others have added since. Each of them stops here, so the count cannot overflow. */
	if (end > NR_WORDS)
		return false;
	slot->first = end - stack->nr;
	slot->id = stack_next_id();
	slot->hash = hash;
	slot->tgid = stack->tgid;
	slot->nr = stack->nr;
	slot->kind = stack->kind;
	slot->complete = stack->complete;
	memcpy(&space->words[slot->first], stack->ips, stack->nr * sizeof(u64));
	return true;
}

/* The slot of @stack, or NULL if there is no room for it. */
static struct stack_slot *stack_find(struct stack_space *space,
				     const struct annot_stack_data *stack)
{
	u64 hash = stack_hash(stack);
	u32 i;

	for (i = 0; i < PROBES_MAX; i++) {
		struct stack_slot *slot = &space->slots[(hash + i) % NR_SLOTS];
		bool is_filled;

		/* Pairs with the release below: what is in the slot is whole. */
		switch (atomic_read_acquire(&slot->state)) {
		case SLOT_FILLED:
			if (slot_holds(space, slot, stack, hash))
				return slot;
			break;
		case SLOT_EMPTY:
			if (atomic_cmpxchg(&slot->state, SLOT_EMPTY, SLOT_TAKEN) != SLOT_EMPTY)
				break;
			is_filled = slot_fill(space, slot, stack, hash);
			atomic_set_release(&slot->state, is_filled ? SLOT_FILLED : SLOT_EMPTY);
			return is_filled ? slot : NULL;
		}
	}
	return NULL;
}

/* Two CPUs may tell it at once, which does no harm. */
static void slot_tell(struct stack_slot *slot, const struct annot_stack_data *stack)
{
	u32 round = READ_ONCE(stacks_round);
	u32 now = jiffies;

	if (READ_ONCE(slot->told_round) == round &&
	    now - READ_ONCE(slot->told_at) < TELL_AGAIN_JIFFIES)
		return;
	if (!annot_events_emit_stack(slot->id, stack))
		return;
	WRITE_ONCE(slot->told_at, now);
	WRITE_ONCE(slot->told_round, round);
}

u32 annot_stack_intern(const struct annot_stack_data *stack, struct stack_slot **known)
{
	struct stack_space *space = rcu_dereference_sched(stack_space);
	struct stack_slot *slot = *known;
	u32 id;

	if (!space)
		return 0;
	/* A process may have the addresses of the one that it was forked from. */
	if (!slot || slot->tgid != stack->tgid)
		slot = stack_find(space, stack);
	*known = slot;
	if (slot) {
		slot_tell(slot, stack);
		return slot->id;
	}
	id = stack_next_id();
	annot_events_emit_stack(id, stack);
	return id;
}

int annot_stacks_begin(void)
{
	struct stack_space *space = kvzalloc(sizeof(*space), GFP_KERNEL_ACCOUNT);

	if (!space)
		return -ENOMEM;
	rcu_assign_pointer(stack_space, space);
	return 0;
}

void annot_stacks_end(void)
{
	struct stack_space *space = rcu_dereference_protected(stack_space, true);

	RCU_INIT_POINTER(stack_space, NULL);
	synchronize_rcu();
	kvfree(space);
}
