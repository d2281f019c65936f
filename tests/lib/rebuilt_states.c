// SPDX-License-Identifier: GPL-2.0
#include "rebuilt_states.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>

#include <cmocka.h>

#include "model/table_rows.h"
#include "model/states/derived_states.h"
#include "util/xalloc.h"

/* How far a thread's edits have come. */
struct progress {
	size_t edit;
	size_t put_in;
	uint64_t left_out;
	uint64_t kept;
	uint64_t nr_kept;
};

struct rebuilt {
	const struct state_delta *edits;
	struct progress *progress;
	struct state_table *threads;
};

/* Until an implied row is asked for. */
static void next_edit(struct rebuilt *rebuilt, uint32_t thread)
{
	const struct state_delta *own = &rebuilt->edits[thread];
	struct progress *progress = &rebuilt->progress[thread];

	while (!progress->left_out && !progress->kept && progress->edit < own->nr) {
		const struct state_edit *edit = &own->edits[progress->edit++];

		for (uint64_t i = 0; i < edit->nr_put_in; i++) {
			size_t row = progress->put_in++;

			assert_true(row < own->rows.nr);
			state_table_add(&rebuilt->threads[thread], own->rows.start_ns[row],
					own->rows.state[row], own->rows.cpu[row], false);
		}
		progress->left_out = edit->nr_left_out;
		progress->kept = edit->nr_kept;
	}
}

static void take(void *context, const struct derived_state *implied)
{
	struct rebuilt *rebuilt = context;
	struct progress *progress = &rebuilt->progress[implied->thread];

	if (progress->left_out) {
		progress->left_out--;
	} else {
		assert_true(progress->kept > 0 || !rebuilt->edits[implied->thread].nr);
		progress->kept -= progress->kept > 0;
		progress->nr_kept++;
		state_table_add(&rebuilt->threads[implied->thread], implied->start_ns,
				implied->state, implied->cpu, false);
	}
	next_edit(rebuilt, implied->thread);
}

struct state_table *rebuilt_states(const struct model *model, const struct state_delta *edits)
{
	struct rebuilt rebuilt = {
		.edits = edits,
		.progress = xcalloc(model->nr_threads + 1, sizeof(struct progress)),
		.threads = xcalloc(model->nr_threads + 1, sizeof(struct state_table)),
	};

	for (uint32_t i = 0; i < model->nr_threads; i++)
		next_edit(&rebuilt, i);
	derived_states_each(model, take, &rebuilt);
	for (uint32_t i = 0; i < model->nr_threads; i++) {
		assert_int_equal(rebuilt.progress[i].edit, edits[i].nr);
		assert_int_equal(rebuilt.progress[i].put_in, edits[i].rows.nr);
		assert_int_equal(rebuilt.progress[i].nr_kept, edits[i].nr_kept);
		assert_int_equal(rebuilt.progress[i].left_out + rebuilt.progress[i].kept, 0);
	}
	free(rebuilt.progress);
	return rebuilt.threads;
}

void rebuilt_states_free(struct state_table *threads, size_t nr_threads)
{
	for (size_t i = 0; i < nr_threads; i++)
		state_table_free(&threads[i]);
	free(threads);
}
