// SPDX-License-Identifier: GPL-2.0
#include "analysis/replay/trials.h"

#include <stdlib.h>

#include "analysis/replay/replay_cpus.h"
#include "util/xalloc.h"

/* A name, and how much it may be about. */
struct candidate {
	uint32_t name;
	uint64_t ns;
};

struct candidates {
	struct pair_table numbers; /* of names */
	size_t nr;
	size_t capacity;
	struct candidate *rows;
};

struct builder {
	const struct what_if_oracle *oracle;
	struct trials result;
	size_t capacity;
};

static void add_candidate(struct candidates *candidates, uint32_t name, uint64_t ns)
{
	size_t at = pair_table_number(&candidates->numbers, name, 0);

	if (at < candidates->nr) {
		candidates->rows[at].ns += ns;
		return;
	}
	ARRAY_MAKE_ROOM(candidates->rows, candidates->nr, candidates->capacity);
	candidates->rows[candidates->nr++] = (struct candidate){ name, ns };
}

static int compare_candidates(const void *a, const void *b)
{
	const struct candidate *first = a, *second = b;

	if (first->ns != second->ns)
		return first->ns > second->ns ? -1 : 1;
	return first->name < second->name ? -1 : first->name > second->name;
}

static void sort_candidates(struct candidates *candidates)
{
	if (candidates->nr)
		qsort(candidates->rows, candidates->nr, sizeof(*candidates->rows),
		      compare_candidates);
}

static void try(struct builder *builder, const struct run_change *change)
{
	struct what_if_question question = what_if_question_of(change);
	struct trial row = {
		.change = *change,
		.predicted = what_if_predict(builder->oracle, &question),
	};

	if (!what_if_prediction_is_known(&row.predicted))
		return;
	ARRAY_MAKE_ROOM(builder->result.rows, builder->result.nr, builder->capacity);
	builder->result.rows[builder->result.nr++] = row;
}

/* Frees the candidates. */
static void try_names(struct builder *builder, enum run_change_kind kind,
		      struct candidates *candidates)
{
	double least_ns = TRIALS_LEAST_SHARE * (double)builder->oracle->base.recorded_ns;

	for (size_t i = 0; i < candidates->nr && i < TRIALS_MOST_EACH; i++) {
		struct run_change change = { .kind = kind, .name = candidates->rows[i].name };

		if ((double)candidates->rows[i].ns >= least_ns)
			try(builder, &change);
	}
	pair_table_free(&candidates->numbers);
	free(candidates->rows);
}

static void try_regions(struct builder *builder)
{
	const struct regions *regions = builder->oracle->regions;
	struct candidates candidates = { 0 };

	for (size_t i = 0; i < regions->nr_groups; i++)
		add_candidate(&candidates, regions->groups[i].name, regions->groups[i].saved_ns);
	sort_candidates(&candidates);
	try_names(builder, CHANGE_BALANCE, &candidates);
}

static uint64_t within(const struct replay_plan *plan, uint64_t from_ns, uint64_t to_ns)
{
	from_ns = from_ns > plan->from_ns ? from_ns : plan->from_ns;
	to_ns = to_ns < plan->to_ns ? to_ns : plan->to_ns;
	return to_ns > from_ns ? to_ns - from_ns : 0;
}

/* The first one is what the recording is about. */
static void try_programs(struct builder *builder)
{
	const struct replay_plan *plan = builder->oracle->unchanged;
	struct candidates candidates = { 0 };
	uint64_t *ran_ns = xcalloc(plan->programs.nr, sizeof(*ran_ns));

	for (int cpu = 0; cpu < plan->nr_cpus; cpu++) {
		const struct slice_table *slices = &plan->model->cpus[cpu].slices;

		for (size_t i = 0; i < slices->nr; i++)
			ran_ns[plan->programs.of_thread[slices->thread[i]]] +=
				within(plan, slices->start_ns[i], slices->end_ns[i]);
	}
	for (size_t i = 0; i < plan->programs.nr; i++)
		add_candidate(&candidates, plan->programs.names[i], ran_ns[i]);
	free(ran_ns);
	sort_candidates(&candidates);
	if (candidates.nr)
		candidates.rows[0].ns = 0;
	try_names(builder, CHANGE_WITHOUT, &candidates);
}

static void try_locks(struct builder *builder)
{
	const struct lock_spans *waits = &builder->oracle->lock_waits;
	struct candidates candidates = { 0 };

	for (size_t i = 0; i < waits->nr; i++)
		add_candidate(&candidates, waits->rows[i].name,
			      waits->rows[i].end_ns - waits->rows[i].start_ns);
	sort_candidates(&candidates);
	try_names(builder, CHANGE_NO_LOCK, &candidates);
}

static void try_cpus(struct builder *builder)
{
	const struct what_if_oracle *oracle = builder->oracle;
	const struct run_change changes[] = {
		{ .kind = CHANGE_CPUS, .nr_cpus = replay_cpus_of_session(oracle->unchanged) + 1 },
		{ .kind = CHANGE_PIN },
		{ .kind = CHANGE_UNPIN },
	};
	size_t nr = sizeof(changes) / sizeof(*changes) - (oracle->base.placement == PLACE_ANYWHERE);

	for (size_t i = 0; i < nr; i++)
		try(builder, &changes[i]);
}

static int compare_trials(const void *a, const void *b)
{
	const struct trial *first = a, *second = b;

	if (first->predicted.ns != second->predicted.ns)
		return first->predicted.ns < second->predicted.ns ? -1 : 1;
	if (first->change.kind != second->change.kind)
		return first->change.kind < second->change.kind ? -1 : 1;
	return first->change.name < second->change.name ? -1 :
							  first->change.name > second->change.name;
}

struct trials trials_compute(const struct what_if_oracle *oracle)
{
	struct builder builder = { .oracle = oracle };

	try_regions(&builder);
	try_programs(&builder);
	try_locks(&builder);
	try_cpus(&builder);
	if (builder.result.nr)
		qsort(builder.result.rows, builder.result.nr, sizeof(*builder.result.rows),
		      compare_trials);
	return builder.result;
}

void trials_free(struct trials *trials)
{
	free(trials->rows);
	*trials = (struct trials){ 0 };
}
