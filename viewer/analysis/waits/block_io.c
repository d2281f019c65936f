// SPDX-License-Identifier: GPL-2.0
#include "analysis/waits/block_io.h"

#include <stdlib.h>

#include "analysis/stats/distribution.h"
#include "util/xalloc.h"

#define CUT (BLOCK_OPEN_BEGIN | BLOCK_OPEN_END)

/* Beside a group: its requests whose latency is known. */
struct latencies {
	size_t nr;
	size_t capacity;
	uint64_t *start_ns;
	uint64_t *end_ns;
	uint64_t *ns;
};

struct builder {
	struct block_io *result;
	size_t groups_capacity;
	size_t latencies_capacity;
	struct latencies *latencies; /* beside the groups */
};

/* A machine has few of them. */
static size_t group_of(struct builder *builder, uint32_t device, uint8_t op)
{
	struct block_io *result = builder->result;
	size_t at = 0;

	while (at < result->nr &&
	       (result->groups[at].device != device || result->groups[at].op != op))
		at++;
	if (at < result->nr)
		return at;
	ARRAY_MAKE_ROOM(builder->latencies, result->nr, builder->latencies_capacity);
	ARRAY_MAKE_ROOM(result->groups, result->nr, builder->groups_capacity);
	builder->latencies[result->nr] = (struct latencies){ 0 };
	result->groups[result->nr++] =
		(struct block_io_group){ .device = device, .op = op, .thread = MODEL_NO_THREAD };
	return at;
}

static void add_latency(struct latencies *latencies, uint64_t start_ns, uint64_t end_ns)
{
	if (latencies->nr == latencies->capacity) {
		latencies->capacity = grown_capacity(latencies->capacity, latencies->nr + 1);
		latencies->start_ns = xrealloc_array(latencies->start_ns, latencies->capacity,
						     sizeof(*latencies->start_ns));
		latencies->end_ns = xrealloc_array(latencies->end_ns, latencies->capacity,
						   sizeof(*latencies->end_ns));
		latencies->ns = xrealloc_array(latencies->ns, latencies->capacity,
					       sizeof(*latencies->ns));
	}
	latencies->start_ns[latencies->nr] = start_ns;
	latencies->end_ns[latencies->nr] = end_ns;
	latencies->ns[latencies->nr++] = end_ns - start_ns;
}

static void add_request(struct builder *builder, const struct block_io_table *rows, size_t row)
{
	size_t at = group_of(builder, rows->device[row], rows->op[row]);
	struct block_io_group *group = &builder->result->groups[at];
	uint64_t start_ns = rows->start_ns[row], end_ns = rows->end_ns[row];

	group->requests++;
	group->bytes += rows->bytes[row];
	group->failed += rows->flags[row] & BLOCK_FAILED ? 1 : 0;
	if (rows->flags[row] & CUT) {
		group->cut++;
		return;
	}
	add_latency(&builder->latencies[at], start_ns, end_ns);
	group->total_ns += end_ns - start_ns;
	if (builder->latencies[at].nr > 1 && end_ns - start_ns <= group->max_ns)
		return;
	group->max_ns = end_ns - start_ns;
	group->thread = rows->thread[row];
	group->longest_from_ns = start_ns;
	group->longest_to_ns = end_ns;
}

static int compare_times(const void *a, const void *b)
{
	uint64_t first = *(const uint64_t *)a, second = *(const uint64_t *)b;

	return first < second ? -1 : first > second;
}

/* One that ends when another begins is not in flight with it. */
static void find_in_flight(struct block_io_group *group, struct latencies *latencies)
{
	size_t nr = latencies->nr, ended = 0;

	qsort(latencies->start_ns, nr, sizeof(*latencies->start_ns), compare_times);
	qsort(latencies->end_ns, nr, sizeof(*latencies->end_ns), compare_times);
	for (size_t begun = 0; begun < nr; begun++) {
		while (latencies->end_ns[ended] <= latencies->start_ns[begun] && ended < begun)
			ended++;
		if (begun + 1 - ended > group->most_in_flight)
			group->most_in_flight = begun + 1 - ended;
		/* Until the next one begins, some are in flight to the last end of those that began. */
		if (begun + 1 == nr || latencies->end_ns[begun] <= latencies->start_ns[begun + 1])
			group->active_ns += latencies->end_ns[begun];
		if (!begun || latencies->end_ns[begun - 1] <= latencies->start_ns[begun])
			group->active_ns -= latencies->start_ns[begun];
	}
}

static void finish_group(struct block_io_group *group, struct latencies *latencies)
{
	size_t place = latencies->nr * 9 / 10;

	if (!latencies->nr)
		return;
	group->median_ns = distribution_of(latencies->ns, latencies->nr, 0).median;
	distribution_select_nth(latencies->ns, latencies->nr, place);
	group->p90_ns = latencies->ns[place];
	find_in_flight(group, latencies);
}

static int compare_groups(const void *a, const void *b)
{
	const struct block_io_group *first = a, *second = b;

	if (first->total_ns != second->total_ns)
		return first->total_ns > second->total_ns ? -1 : 1;
	if (first->device != second->device)
		return first->device < second->device ? -1 : 1;
	return first->op < second->op ? -1 : first->op > second->op;
}

struct block_io block_io_compute(const struct model *model)
{
	struct block_io result = { 0 };
	struct builder builder = { .result = &result };

	for (size_t row = 0; row < model->block_io.nr; row++)
		add_request(&builder, &model->block_io, row);
	for (size_t i = 0; i < result.nr; i++) {
		finish_group(&result.groups[i], &builder.latencies[i]);
		free(builder.latencies[i].start_ns);
		free(builder.latencies[i].end_ns);
		free(builder.latencies[i].ns);
	}
	free(builder.latencies);
	if (result.nr)
		qsort(result.groups, result.nr, sizeof(*result.groups), compare_groups);
	return result;
}

void block_io_free(struct block_io *block_io)
{
	free(block_io->groups);
	*block_io = (struct block_io){ 0 };
}
