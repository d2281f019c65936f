// SPDX-License-Identifier: GPL-2.0
#include "analysis/base/wait_spans.h"

#include <stdlib.h>

#include "analysis/base/row_search.h"
#include "model/account.h"
#include "util/xalloc.h"

static size_t count_spans(const struct model *model)
{
	size_t nr = 0;

	for (size_t i = 0; i < model->nr_threads; i++) {
		const struct span_table *spans = &model->threads[i].spans;

		for (size_t span = 0; model->threads[i].in_session && span < spans->nr; span++)
			nr += spans->kind[span] == TRACE_SPAN_WAIT;
	}
	return nr;
}

static void take_thread(struct wait_spans *waits, const struct model *model, uint32_t thread)
{
	const struct span_table *spans = &model->threads[thread].spans;
	uint64_t until_ns = 0;

	if (!model->threads[thread].in_session)
		return;
	for (size_t span = 0; span < spans->nr; span++) {
		if (spans->kind[span] != TRACE_SPAN_WAIT || spans->start_ns[span] < until_ns)
			continue;
		waits->thread[waits->nr] = thread;
		waits->row[waits->nr] = span;
		waits->name[waits->nr] = spans->name[span];
		waits->start_ns[waits->nr] = spans->start_ns[span];
		waits->end_ns[waits->nr++] = spans->end_ns[span];
		until_ns = spans->end_ns[span];
	}
}

struct wait_spans wait_spans_compute(const struct model *model)
{
	size_t most = count_spans(model);
	struct wait_spans waits = {
		.first = xcalloc(model->nr_threads + 1, sizeof(*waits.first)),
		.thread = xcalloc(most, sizeof(*waits.thread)),
		.row = xcalloc(most, sizeof(*waits.row)),
		.name = xcalloc(most, sizeof(*waits.name)),
		.start_ns = xcalloc(most, sizeof(*waits.start_ns)),
		.end_ns = xcalloc(most, sizeof(*waits.end_ns)),
	};

	for (uint32_t thread = 0; thread < model->nr_threads; thread++) {
		take_thread(&waits, model, thread);
		waits.first[thread + 1] = waits.nr;
	}
	return waits;
}

void wait_spans_free(struct wait_spans *waits)
{
	free(waits->first);
	free(waits->thread);
	free(waits->row);
	free(waits->name);
	free(waits->start_ns);
	free(waits->end_ns);
	*waits = (struct wait_spans){ 0 };
}

size_t wait_spans_after(const struct wait_spans *waits, uint32_t thread, uint64_t time_ns)
{
	size_t first = waits->first[thread];

	return first +
	       row_search_after(waits->end_ns + first, waits->first[thread + 1] - first, time_ns);
}

uint64_t wait_spans_ns(const struct wait_spans *waits, uint32_t thread, uint64_t from_ns,
		       uint64_t to_ns)
{
	uint64_t sum_ns = 0;

	for (size_t i = wait_spans_after(waits, thread, from_ns);
	     i < waits->first[thread + 1] && waits->start_ns[i] < to_ns; i++) {
		uint64_t start_ns = waits->start_ns[i], end_ns = waits->end_ns[i];

		sum_ns += (end_ns < to_ns ? end_ns : to_ns) -
			  (start_ns > from_ns ? start_ns : from_ns);
	}
	return sum_ns;
}

void wait_spans_account(const struct wait_spans *waits, const struct model *model, uint32_t thread,
			uint64_t from_ns, uint64_t to_ns, struct wait_account *account)
{
	struct thread_account part;

	*account = (struct wait_account){ 0 };
	if (from_ns >= to_ns)
		return;
	model_account(model, thread, from_ns, to_ns, &part);
	for (int state = 0; state < NR_THREAD_STATES; state++)
		account->outside_ns[state] = part.state_ns[state];
	account->outside_stolen_ns = part.stolen_ns;
	account->nr_migrations = part.nr_migrations;
	for (size_t i = wait_spans_after(waits, thread, from_ns);
	     i < waits->first[thread + 1] && waits->start_ns[i] < to_ns; i++) {
		uint64_t start_ns = waits->start_ns[i], end_ns = waits->end_ns[i];

		model_account(model, thread, start_ns > from_ns ? start_ns : from_ns,
			      end_ns < to_ns ? end_ns : to_ns, &part);
		for (int state = 0; state < NR_THREAD_STATES; state++) {
			account->inside_ns[state] += part.state_ns[state];
			account->outside_ns[state] -= part.state_ns[state];
		}
		account->inside_stolen_ns += part.stolen_ns;
		account->outside_stolen_ns -= part.stolen_ns;
	}
}
