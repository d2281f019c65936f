/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What the threads of the stress test annotate: known to the program that does it in the guest, and
 * to the one that looks for it in the recording.
 *
 * Each record tells by its value whose it is, and which of the thread's; all else follows from
 * that. Ends have no value: those are told by their place in the order.
 */
#ifndef STRESS_H
#define STRESS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "annot/annot.h"

#define STRESS_NR_LONG 16 /* threads that last */
#define STRESS_NR_EACH 250000 /* records of one of these */
#define STRESS_SLOWDOWN_MAX 100
#define STRESS_NR_SHORT_MIN 100 /* threads that come and go */
#define STRESS_NR_SHORT_MAX 20000
#define STRESS_NR_THREADS_MAX (STRESS_NR_LONG + STRESS_NR_SHORT_MAX)

#define STRESS_ANY_CPU 0xff
#define STRESS_HANDLER_NAME "in handler"

struct stress_value {
	uint32_t sequence;
	unsigned int thread;
	unsigned int cpu; /* that the thread was bound to; in a handler STRESS_ANY_CPU */
	bool in_handler;
};

static inline int64_t stress_pack(const struct stress_value *value)
{
	return (int64_t)((uint64_t)value->in_handler << 62 | (uint64_t)value->thread << 40 |
			 (uint64_t)value->cpu << 32 | value->sequence);
}

static inline struct stress_value stress_unpack(int64_t packed)
{
	return (struct stress_value){
		.sequence = (uint32_t)packed,
		.thread = (unsigned int)(packed >> 40) & 0x3fffff,
		.cpu = (unsigned int)(packed >> 32) & 0xff,
		.in_handler = packed >> 62 & 1,
	};
}

struct stress_kind {
	unsigned int op;
	const char *name; /* NULL: an end */
};

/* Of a thread's record with this number. Eight of them leave no span open. */
static inline struct stress_kind stress_kind(uint32_t sequence)
{
	static const struct stress_kind kinds[8] = {
		{ ANNOT_OP_BEGIN, "work" }, { ANNOT_OP_MARK, "mark" },
		{ ANNOT_OP_NEXT, "phase" }, { ANNOT_OP_WAIT_BEGIN, "made at run time" },
		{ ANNOT_OP_END, NULL },	    { ANNOT_OP_COUNTER, "counter" },
		{ ANNOT_OP_END, NULL },	    { ANNOT_OP_MARK, "another mark" },
	};

	return kinds[sequence % 8];
}

#endif /* STRESS_H */
