/* SPDX-License-Identifier: GPL-2.0 */
/*
 * When the threads of the session waited, by their own word: their wait spans, without those inside
 * another; and what became of any stretch of a thread's time, in them and out of them.
 */
#ifndef ANNOT_WAIT_SPANS_H
#define ANNOT_WAIT_SPANS_H

#include "model/model.h"

/* Those of thread t are the rows first[t] to first[t + 1], in time order; they do not overlap. */
struct wait_spans {
	size_t *first;
	size_t nr;
	uint32_t *thread;
	size_t *row; /* of the thread's spans */
	uint32_t *name; /* string id */
	uint64_t *start_ns;
	uint64_t *end_ns;
};

struct wait_account {
	uint64_t outside_ns[NR_THREAD_STATES]; /* of wait spans */
	uint64_t inside_ns[NR_THREAD_STATES];
	uint64_t outside_stolen_ns; /* by interrupts, of outside_ns[STATE_RUNNING] */
	uint64_t inside_stolen_ns;
	uint64_t nr_migrations;
};

/* wait_spans_free() frees it. */
struct wait_spans wait_spans_compute(const struct model *model);
void wait_spans_free(struct wait_spans *waits);

/* The first of @thread that ends behind @time_ns; first[thread + 1] if there is none. */
size_t wait_spans_after(const struct wait_spans *waits, uint32_t thread, uint64_t time_ns);

/* For how long @thread was in wait spans in [from_ns, to_ns). */
uint64_t wait_spans_ns(const struct wait_spans *waits, uint32_t thread, uint64_t from_ns,
		       uint64_t to_ns);

/*
 * What @thread did in [from_ns, to_ns). All states add up to its length. Cost: that of
 * model_account() for each wait span in it.
 */
void wait_spans_account(const struct wait_spans *waits, const struct model *model, uint32_t thread,
			uint64_t from_ns, uint64_t to_ns, struct wait_account *account);

#endif /* ANNOT_WAIT_SPANS_H */
