// SPDX-License-Identifier: GPL-2.0
#include "report/compute_all.h"

#include <stdlib.h>

#include "util/worker.h"
#include "util/xalloc.h"

#define MAX_WORKERS 8

/* Which analyses were begun, and which are done. All but the results is guarded by the lock. */
struct computation {
	struct analyses *analyses;
	pthread_mutex_t lock;
	pthread_cond_t one_is_done;
	size_t nr_begun;
	size_t *order; /* in which they are begun */
	bool *is_done;
};

/* Nobody else is at work yet. */
static void compute_alone(struct computation *computation)
{
	struct analyses *analyses = computation->analyses;

	for (size_t i = 0; i < analyses->nr; i++) {
		if (!analyses->descs[i]->interns_names)
			continue;
		analyses->results[i] = analyses->descs[i]->compute(analyses);
		computation->is_done[i] = true;
		computation->order[computation->nr_begun++] = i;
	}
}

/* The longest first, the others as in the list. */
static void put_in_order(struct computation *computation)
{
	const struct analyses *analyses = computation->analyses;
	size_t nr = computation->nr_begun;

	for (size_t i = 0; i < analyses->nr; i++) {
		if (analyses->descs[i]->takes_longest)
			computation->order[nr++] = i;
	}
	for (size_t i = 0; i < analyses->nr; i++) {
		if (!analyses->descs[i]->takes_longest && !analyses->descs[i]->interns_names)
			computation->order[nr++] = i;
	}
}

static bool has_needs(const struct computation *computation, const struct analysis_desc *desc)
{
	const struct analyses *analyses = computation->analyses;

	for (size_t i = 0; desc->needs && i < analyses->nr; i++) {
		if (analyses->descs[i] == desc->needs)
			return computation->is_done[i];
	}
	return true;
}

/* Called with the lock, which it lets go while it computes. What it waits for stands before it in
 * the order, so that somebody began it. */
static void compute_next(struct computation *computation)
{
	struct analyses *analyses = computation->analyses;
	size_t at = computation->order[computation->nr_begun++];
	const struct analysis_desc *desc = analyses->descs[at];

	while (!has_needs(computation, desc))
		pthread_cond_wait(&computation->one_is_done, &computation->lock);
	pthread_mutex_unlock(&computation->lock);
	analyses->results[at] = desc->compute(analyses);
	pthread_mutex_lock(&computation->lock);
	computation->is_done[at] = true;
	pthread_cond_broadcast(&computation->one_is_done);
}

static void *compute(void *context)
{
	struct computation *computation = context;

	pthread_mutex_lock(&computation->lock);
	while (computation->nr_begun < computation->analyses->nr)
		compute_next(computation);
	pthread_mutex_unlock(&computation->lock);
	return NULL;
}

void compute_all(struct analyses *analyses)
{
	struct computation computation = {
		.analyses = analyses,
		.lock = PTHREAD_MUTEX_INITIALIZER,
		.one_is_done = PTHREAD_COND_INITIALIZER,
		.order = xcalloc(analyses->nr, sizeof(*computation.order)),
		.is_done = xcalloc(analyses->nr, sizeof(*computation.is_done)),
	};
	int nr_workers = worker_nr_cores() - 1, nr = 0;
	pthread_t workers[MAX_WORKERS];

	compute_alone(&computation);
	put_in_order(&computation);
	/* Without workers, this thread computes all. */
	while (nr < nr_workers && nr < MAX_WORKERS &&
	       !worker_start(&workers[nr], compute, &computation))
		nr++;
	compute(&computation);
	for (int i = 0; i < nr; i++)
		pthread_join(workers[i], NULL);
	free(computation.order);
	free(computation.is_done);
}
