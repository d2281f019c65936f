// SPDX-License-Identifier: GPL-2.0
#include "page/wakeups.h"

#include <stdlib.h>

#include "util/xalloc.h"

/* Where one CPU's wakeups have come to. */
struct cursor {
	const struct slice_table *slices;
	size_t next; /* the first slice that begins later */
	size_t place;
};

struct coder {
	const struct wakeup_table *wakeups;
	struct coded_wakeups coded;
	uint32_t *woken; /* last wakee of each waker, and of no waker: WAKEE_FIRST + thread, or 0 */
};

/* Moves on to the place of @time_ns: gives its running thread and its start. */
static uint32_t step_to(struct cursor *cursor, uint64_t time_ns, uint64_t *since_ns)
{
	const struct slice_table *slices = cursor->slices;
	size_t next = cursor->next;

	while (next < slices->nr && slices->start_ns[next] <= time_ns)
		next++;
	cursor->next = next;
	if (!next) {
		cursor->place = 0;
		*since_ns = 0;
		return MODEL_NO_THREAD;
	}
	if (time_ns > slices->end_ns[next - 1]) {
		cursor->place = 2 * next;
		*since_ns = slices->end_ns[next - 1];
		return MODEL_NO_THREAD;
	}
	cursor->place = 2 * next - 1;
	*since_ns = slices->start_ns[next - 1];
	return slices->thread[next - 1];
}

static uint32_t code_of_waker(uint32_t waker, uint32_t runner)
{
	if (waker == runner)
		return WAKER_EXPECTED;
	return waker == MODEL_NO_THREAD ? WAKER_NONE : WAKER_FIRST + waker;
}

static uint32_t code_of_wakee(struct coder *coder, uint32_t waker, uint32_t wakee)
{
	/* MODEL_NO_THREAD + 1 is 0. */
	uint32_t *woken = &coder->woken[(uint32_t)(waker + 1)];
	uint32_t code = WAKEE_FIRST + wakee;

	if (*woken == code)
		return WAKEE_EXPECTED;
	*woken = code;
	return code;
}

static void code_cpu(struct coder *coder, const struct slice_table *slices, const uint32_t *rows,
		     size_t first, size_t past)
{
	const struct wakeup_table *wakeups = coder->wakeups;
	struct coded_wakeups *coded = &coder->coded;
	struct cursor cursor = { .slices = slices };

	for (size_t i = first; i < past; i++) {
		uint32_t row = rows[i];
		size_t before = cursor.place;
		uint64_t since_ns;
		uint32_t runner = step_to(&cursor, wakeups->time_ns[row], &since_ns);

		coded->steps[i] = (uint32_t)(cursor.place - before);
		coded->since_ns[i] = wakeups->time_ns[row] - since_ns;
		coded->wakers[i] = code_of_waker(wakeups->waker[row], runner);
		coded->wakees[i] = code_of_wakee(coder, wakeups->waker[row], wakeups->wakee[row]);
	}
}

/* The rows of each CPU, in order; coded->first says where they begin. */
static uint32_t *rows_by_cpu(const struct wakeup_table *wakeups, int nr_cpus, size_t *first)
{
	uint32_t *rows = xrealloc_array(NULL, wakeups->nr, sizeof(*rows));

	for (size_t i = 0; i < wakeups->nr; i++)
		first[wakeups->cpu[i] + 1]++;
	for (int cpu = 0; cpu < nr_cpus; cpu++)
		first[cpu + 1] += first[cpu];
	for (size_t i = 0; i < wakeups->nr; i++)
		rows[first[wakeups->cpu[i]]++] = (uint32_t)i;
	for (int cpu = nr_cpus; cpu > 0; cpu--)
		first[cpu] = first[cpu - 1];
	first[0] = 0;
	return rows;
}

struct coded_wakeups wakeups_code(const struct model *model)
{
	size_t nr = model->wakeups.nr;
	struct coder coder = {
		.wakeups = &model->wakeups,
		.coded = {
			.first = xcalloc((size_t)model->nr_cpus + 1, sizeof(size_t)),
			.steps = xrealloc_array(NULL, nr, sizeof(uint32_t)),
			.since_ns = xrealloc_array(NULL, nr, sizeof(uint64_t)),
			.wakers = xrealloc_array(NULL, nr, sizeof(uint32_t)),
			.wakees = xrealloc_array(NULL, nr, sizeof(uint32_t)),
		},
		.woken = xcalloc(model->nr_threads + 1, sizeof(uint32_t)),
	};
	uint32_t *rows = rows_by_cpu(coder.wakeups, model->nr_cpus, coder.coded.first);

	for (int cpu = 0; cpu < model->nr_cpus; cpu++)
		code_cpu(&coder, &model->cpus[cpu].slices, rows, coder.coded.first[cpu],
			 coder.coded.first[cpu + 1]);
	free(rows);
	free(coder.woken);
	return coder.coded;
}

struct wakeup_codes coded_wakeups_of(const struct coded_wakeups *coded, int cpu)
{
	size_t first = coded->first[cpu];

	return (struct wakeup_codes){
		.nr = coded->first[cpu + 1] - first,
		.steps = coded->steps + first,
		.since_ns = coded->since_ns + first,
		.wakers = coded->wakers + first,
		.wakees = coded->wakees + first,
	};
}

void coded_wakeups_free(struct coded_wakeups *coded)
{
	free(coded->first);
	free(coded->steps);
	free(coded->since_ns);
	free(coded->wakers);
	free(coded->wakees);
	*coded = (struct coded_wakeups){ 0 };
}
