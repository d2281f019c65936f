// SPDX-License-Identifier: GPL-2.0
#include "analysis/regions/regions_findings.h"

#include <stdlib.h>

#include "analysis/stats/consistent_max_test.h"
#include "analysis/base/row_search.h"
#include "util/text/figure.h"
#include "util/text/text.h"
#include "util/xalloc.h"

/*
 * A group of regions is a finding if perfect balance would save at least this share of its time.
 * Equal work differs by less from run to run. Regions with at least half of the group's time must
 * each reach the share. Their last thread must be last for a reason of its own; a disturbance is
 * not one. The share is higher if there are few regions, or if no thread consistently has most work
 * (consistent_max_test.h).
 */
#define LEAST_SAVED_SHARE 0.05
#define LEAST_SAVED_SHARE_BY_CHANCE 0.1
#define LEAST_SAVED_SHARE_OF_FEW 0.1
#define FEW_REGIONS 5

#define MOST_THREADS_SHOWN 64

/* A thread that is last in regions of a group for a reason of its own. */
struct repeated_last {
	uint32_t thread;
	size_t nr; /* regions in which it is last */
	bool is_consistent; /* it consistently has most work */
	size_t worst; /* of these regions, that in which perfect balance would save most */
	uint64_t excess_ns;
	size_t nr_why[NR_STRAGGLER_REASONS];
	uint64_t useful_ns; /* in these */
	double others_ns; /* sum over these of the other threads' average useful time */
};

static bool is_own_doing(enum straggler_reason why)
{
	return why == STRAGGLER_MORE_WORK || why == STRAGGLER_MORE_MISSES ||
	       why == STRAGGLER_MIGRATED;
}

static void note_last(const struct regions *regions, size_t at, struct repeated_last *straggler)
{
	const struct region *region = &regions->rows[at];
	const struct region_thread *part = &regions->threads[region->last.part];
	uint64_t useful_ns = part->ns[REGION_USEFUL];

	if (!straggler->nr || region->saved_ns > regions->rows[straggler->worst].saved_ns)
		straggler->worst = at;
	straggler->thread = part->thread;
	straggler->nr++;
	straggler->excess_ns += region->last.excess_ns;
	straggler->nr_why[region->last.why]++;
	straggler->useful_ns += useful_ns;
	straggler->others_ns += (double)(region->sum_useful_ns - useful_ns) /
				(double)(region->nr_threads - 1);
}

/*
 * The thread that consistently has most work; if there is none, the thread with the greatest sum of
 * excess_ns. nr is 0 if no thread is ever last for a reason of its own. @by_thread is zeroed before
 * and after.
 */
static struct repeated_last usual_straggler(const struct regions *regions,
					    const struct region_group *group,
					    const struct consistent_max *test,
					    struct repeated_last *by_thread)
{
	bool is_consistent = test->p_value <= CONSISTENT_MAX_CHANCE;
	struct repeated_last most = { 0 };

	for (size_t i = group->first; i != NO_REGION; i = regions->rows[i].next_of_group) {
		const struct region *region = &regions->rows[i];
		struct repeated_last *last = &by_thread[regions->threads[region->last.part].thread];

		if (!is_own_doing(region->last.why))
			continue;
		note_last(regions, i, last);
		if (last->excess_ns > by_thread[most.thread].excess_ns)
			most.thread = last->thread;
	}
	/* A thread that is never last delays no other. */
	is_consistent = is_consistent && by_thread[test->member].nr;
	most = by_thread[is_consistent ? test->member : most.thread];
	most.is_consistent = is_consistent;
	for (size_t i = group->first; i != NO_REGION; i = regions->rows[i].next_of_group)
		by_thread[regions->threads[regions->rows[i].last.part].thread] =
			(struct repeated_last){ 0 };
	return most;
}

static enum straggler_reason usual_reason(const struct repeated_last *straggler)
{
	enum straggler_reason usual = STRAGGLER_MORE_WORK;

	for (enum straggler_reason why = 0; why < NR_STRAGGLER_REASONS; why++) {
		if (straggler->nr_why[why] > straggler->nr_why[usual])
			usual = why;
	}
	return usual;
}

static double saved_share(uint64_t saved_ns, uint64_t elapsed_ns)
{
	return (double)saved_ns / (double)elapsed_ns;
}

/* Tests whether one thread consistently has most useful time in the regions of @group. */
static struct consistent_max find_consistent_max(const struct model *model,
						 const struct regions *regions,
						 const struct region_group *group)
{
	size_t *first = xcalloc(group->nr + 1, sizeof(*first)), nr = 0, nr_parts = 0;
	struct consistent_max_value *values;
	struct consistent_max test;

	for (size_t i = group->first; i != NO_REGION; i = regions->rows[i].next_of_group)
		nr_parts += regions->rows[i].nr_threads;
	values = xcalloc(nr_parts, sizeof(*values));
	for (size_t i = group->first; i != NO_REGION; i = regions->rows[i].next_of_group) {
		const struct region *region = &regions->rows[i];
		const struct region_thread *parts = &regions->threads[region->first_thread];
		struct consistent_max_value *block = &values[first[nr]];

		for (size_t j = 0; j < region->nr_threads; j++)
			block[j] = (struct consistent_max_value){
				parts[j].thread, (double)parts[j].ns[REGION_USEFUL]
			};
		first[nr + 1] = first[nr] + region->nr_threads;
		nr++;
	}
	test = consistent_max_test(values, first, nr, model->nr_threads);
	free(values);
	free(first);
	return test;
}

static double least_share(const struct region_group *group, const struct repeated_last *straggler)
{
	if (group->nr < FEW_REGIONS)
		return LEAST_SAVED_SHARE_OF_FEW;
	return straggler->is_consistent ? LEAST_SAVED_SHARE : LEAST_SAVED_SHARE_BY_CHANCE;
}

static bool is_unbalanced(const struct regions *regions, const struct region_group *group,
			  const struct repeated_last *straggler)
{
	double least = least_share(group, straggler);
	uint64_t unbalanced_ns = 0;

	for (size_t i = group->first; i != NO_REGION; i = regions->rows[i].next_of_group) {
		const struct region *region = &regions->rows[i];
		uint64_t elapsed_ns = region->to_ns - region->from_ns;

		if (is_own_doing(region->last.why) &&
		    saved_share(region->saved_ns, elapsed_ns) >= least)
			unbalanced_ns += elapsed_ns;
	}
	return saved_share(group->saved_ns, group->elapsed_ns) >= least &&
	       unbalanced_ns >= group->elapsed_ns / 2;
}

/* @shown: the region that is the evidence. */
static struct finding *add_finding(const struct model *model, const struct regions *regions,
				   const struct region_group *group, size_t shown,
				   enum finding_kind kind, struct findings *findings)
{
	const struct region *worst = &regions->rows[shown];
	const struct region_thread *parts = &regions->threads[worst->first_thread];
	const struct region_thread *last = &regions->threads[worst->last.part];
	const struct state_table *states = &model->threads[last->thread].states;
	struct finding *finding = findings_add(findings, kind, group->saved_ns, worst->from_ns,
					       worst->to_ns);

	finding->cure = (struct run_change){ .kind = CHANGE_BALANCE, .name = group->name };
	finding_add_thread(finding, last->thread);
	for (size_t i = 0; i < worst->nr_threads && i < MOST_THREADS_SHOWN; i++)
		finding_add_thread(finding, parts[i].thread);
	for (size_t row = row_search_state(states, worst->from_ns);
	     row < states->nr && states->start_ns[row] < worst->to_ns; row++) {
		if (states->state[row] == STATE_RUNNING)
			finding_add_cpu(finding, states->cpu[row]);
	}
	return finding;
}

static void say_how_sure(const struct region_group *group, const struct repeated_last *straggler,
			 struct finding *finding)
{
	if (group->nr < FEW_REGIONS) {
		finding->confidence = CONFIDENCE_LOW;
		finding->caveats |= CAVEAT_FEW;
	} else if (least_share(group, straggler) <= LEAST_SAVED_SHARE) {
		finding->confidence = CONFIDENCE_HIGH;
	}
}

static const char *what_it_has(enum straggler_reason why)
{
	switch (why) {
	case STRAGGLER_MORE_MISSES:
		return "has more cache misses than";
	case STRAGGLER_MIGRATED:
		return "is migrated and then takes longer than";
	default:
		return "has more work than";
	}
}

static void say_imbalance(const struct model *model, const struct region_group *group,
			  const struct repeated_last *straggler, struct finding *finding)
{
	const char *name = trace_string(model->trace, group->name);
	struct figure saved = figure_ns(group->saved_ns, " ");
	struct figure elapsed = figure_ns(group->elapsed_ns, " ");
	struct figure own, others;

	if (2 * straggler->nr < group->nr || !straggler->nr) {
		finding_set_text(
			finding,
			"%s%s is unbalanced: a different thread is last each time (load balance "
			"%.2f in %zu instance%s); perfect balance would save %s of %s",
			group->is_barrier ? "the work before " : "", name,
			region_group_load_balance(group), group->nr, text_plural(group->nr),
			saved.text, elapsed.text);
		return;
	}
	own = figure_ns(straggler->useful_ns / straggler->nr, " ");
	others = figure_ns((uint64_t)(straggler->others_ns / (double)straggler->nr), " ");
	finding_set_text(
		finding,
		"%s%s is unbalanced: %s %s the others in %zu of %zu instance%s (%s against %s on "
		"average); perfect balance would save %s of %s",
		group->is_barrier ? "the work before " : "", name,
		thread_label(model, straggler->thread).text, what_it_has(usual_reason(straggler)),
		straggler->nr, group->nr, text_plural(group->nr), own.text, others.text, saved.text,
		elapsed.text);
}

void imbalance_add_findings(const struct model *model, const struct regions *regions,
			    struct findings *findings)
{
	struct repeated_last *by_thread = xcalloc(model->nr_threads, sizeof(*by_thread));

	for (size_t i = 0; i < regions->nr_groups; i++) {
		const struct region_group *group = &regions->groups[i];
		struct repeated_last straggler;
		struct finding *finding;
		struct consistent_max test;

		if (group->kind != REGION_PARALLEL ||
		    !findings_note_loss(findings, FINDING_IMBALANCE, group->saved_ns) ||
		    saved_share(group->saved_ns, group->elapsed_ns) < LEAST_SAVED_SHARE)
			continue;
		test = find_consistent_max(model, regions, group);
		straggler = usual_straggler(regions, group, &test, by_thread);
		if (!is_unbalanced(regions, group, &straggler))
			continue;
		finding = add_finding(model, regions, group,
				      straggler.is_consistent ? straggler.worst : group->worst,
				      FINDING_IMBALANCE, findings);
		say_how_sure(group, &straggler, finding);
		say_imbalance(model, group, &straggler, finding);
	}
	free(by_thread);
}

static void say_serialisation(const struct model *model, const struct regions *regions,
			      const struct region_group *group, struct finding *finding)
{
	const struct region *worst = &regions->rows[group->worst];
	size_t nr_others = worst->nr_threads - 1;
	size_t nr_cpus = (size_t)regions->nr_cpus;

	if (nr_cpus > worst->nr_threads)
		nr_cpus = worst->nr_threads;
	finding_set_text(
		finding,
		"%s%s runs on one thread: %s works alone for %s, and %zu other thread%s wait%s for it; "
		"spread over %zu CPUs, it would take %s less",
		group->is_barrier ? "the work before " : "",
		trace_string(model->trace, group->name),
		thread_label(model, regions->threads[worst->last.part].thread).text,
		figure_ns(group->elapsed_ns, " ").text, nr_others, text_plural(nr_others),
		nr_others == 1 ? "s" : "", nr_cpus, figure_ns(group->saved_ns, " ").text);
}

void serialisation_add_findings(const struct model *model, const struct regions *regions,
				struct findings *findings)
{
	for (size_t i = 0; i < regions->nr_groups; i++) {
		const struct region_group *group = &regions->groups[i];

		if (group->kind == REGION_SERIAL &&
		    findings_note_loss(findings, FINDING_SERIALISATION, group->saved_ns))
			say_serialisation(model, regions, group,
					  add_finding(model, regions, group, group->worst,
						      FINDING_SERIALISATION, findings));
	}
}
