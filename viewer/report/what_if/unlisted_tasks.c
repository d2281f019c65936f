// SPDX-License-Identifier: GPL-2.0
#include "report/what_if/unlisted_tasks.h"

#include "util/pair_table.h"

static void add_names(struct pair_table *names, const struct span_table *spans)
{
	for (size_t i = 0; i < spans->nr; i++) {
		if (spans->kind[i] == TRACE_SPAN_WORK && spans->start_ns[i] < spans->end_ns[i])
			pair_table_number(names, spans->name[i], 0);
	}
}

size_t unlisted_tasks_count(const struct model *model, const struct what_if *what_if)
{
	struct pair_table names = { 0 };
	size_t nr;

	for (size_t i = 0; i < model->nr_threads; i++) {
		if (model->threads[i].in_session)
			add_names(&names, &model->threads[i].spans);
	}
	nr = names.nr;
	pair_table_free(&names);
	/* What is listed is of the session, too. */
	return nr > what_if->nr_tasks ? nr - what_if->nr_tasks : 0;
}
