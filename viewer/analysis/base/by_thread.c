// SPDX-License-Identifier: GPL-2.0
#include "analysis/base/by_thread.h"

#include <stdlib.h>

#include "util/spill/spill.h"
#include "util/xalloc.h"

struct by_thread by_thread_group(const struct model *model, const uint32_t *threads, size_t nr)
{
	struct by_thread by = {
		.first = xcalloc(model->nr_threads + 2, sizeof(*by.first)),
		.rows = spill_zeroed(nr, sizeof(*by.rows)),
	};

	/* One place further, as each then moves to the end of its rows. */
	for (size_t i = 0; i < nr; i++) {
		if (threads[i] != MODEL_NO_THREAD)
			by.first[threads[i] + 2]++;
	}
	for (size_t i = 2; i < model->nr_threads + 2; i++)
		by.first[i] += by.first[i - 1];
	for (size_t i = 0; i < nr; i++) {
		if (threads[i] != MODEL_NO_THREAD)
			by.rows[by.first[threads[i] + 1]++] = i;
	}
	return by;
}

void by_thread_free(struct by_thread *by)
{
	free(by->first);
	spill_free(by->rows);
}
