// SPDX-License-Identifier: GPL-2.0
#include "analysis/waits/sleeps.h"

#include <inttypes.h>
#include <stdlib.h>

#include "analysis/base/by_thread.h"
#include "util/text/figure.h"
#include "util/xalloc.h"

#define MANY_TIMES 100

static uint64_t asked_ns(const struct timed_sleep_table *sleeps, size_t row)
{
	uint64_t lasted_ns = sleeps->end_ns[row] - sleeps->start_ns[row];

	return lasted_ns > sleeps->late_ns[row] ? lasted_ns - sleeps->late_ns[row] : 0;
}

/* @rows of one thread. */
static struct sleeps_thread sum_up(const struct timed_sleep_table *sleeps, const size_t *rows,
				   size_t nr)
{
	uint64_t *asked = xcalloc(nr, sizeof(*asked)), *late = xcalloc(nr, sizeof(*late));
	struct sleeps_thread sum = { .thread = sleeps->thread[rows[0]], .nr = nr };
	size_t latest = rows[0];

	for (size_t i = 0; i < nr; i++) {
		uint64_t slack_ns = sleeps->slack_ns[rows[i]];

		asked[i] = asked_ns(sleeps, rows[i]);
		late[i] = sleeps->late_ns[rows[i]];
		sum.slack_ns += late[i] < slack_ns ? late[i] : slack_ns;
		if (late[i] > sleeps->late_ns[latest])
			latest = rows[i];
	}
	sum.latest_from_ns = sleeps->start_ns[latest];
	sum.latest_to_ns = sleeps->end_ns[latest];
	sum.asked_ns = distribution_of(asked, nr, 0);
	sum.late_ns = distribution_of(late, nr, 0);
	free(asked);
	free(late);
	return sum;
}

static int compare_threads(const void *a, const void *b)
{
	const struct sleeps_thread *first = a, *second = b;

	if (first->late_ns.sum != second->late_ns.sum)
		return first->late_ns.sum > second->late_ns.sum ? -1 : 1;
	return first->thread < second->thread ? -1 : first->thread > second->thread;
}

struct sleeps sleeps_compute(const struct model *model)
{
	const struct timed_sleep_table *sleeps = &model->timed_sleeps;
	struct by_thread by = by_thread_group(model, sleeps->thread, sleeps->nr);
	struct sleeps result = { 0 };
	size_t capacity = 0;

	for (size_t i = 0; i < model->nr_threads; i++) {
		size_t nr = by.first[i + 1] - by.first[i];

		if (!nr || !model->threads[i].in_session)
			continue;
		ARRAY_MAKE_ROOM(result.threads, result.nr, capacity);
		result.threads[result.nr++] = sum_up(sleeps, by.rows + by.first[i], nr);
	}
	by_thread_free(&by);
	if (result.nr)
		qsort(result.threads, result.nr, sizeof(*result.threads), compare_threads);
	return result;
}

void sleeps_free(struct sleeps *sleeps)
{
	free(sleeps->threads);
	*sleeps = (struct sleeps){ 0 };
}

static bool is_coarse(const struct sleeps_thread *row)
{
	return row->nr >= SLEEPS_LEAST_TIMES &&
	       (double)row->late_ns.sum >= SLEEPS_LATE_SHARE * (double)row->asked_ns.sum;
}

void sleeps_add_findings(const struct model *model, const struct sleeps *sleeps,
			 struct findings *findings)
{
	const struct sleeps_thread *worst;
	struct finding *finding;
	size_t at = 0;

	while (at < sleeps->nr && !is_coarse(&sleeps->threads[at]))
		at++;
	if (at == sleeps->nr || !findings_note_loss(findings, FINDING_SLEEP_GRANULARITY,
						    sleeps->threads[at].late_ns.sum))
		return;
	worst = &sleeps->threads[at];
	finding = findings_add_at_most(findings, FINDING_SLEEP_GRANULARITY, worst->late_ns.sum,
				       worst->latest_from_ns, worst->latest_to_ns);
	finding->confidence = worst->nr >= MANY_TIMES ? CONFIDENCE_HIGH : CONFIDENCE_MEDIUM;
	finding_add_thread(finding, worst->thread);
	finding_set_text(
		finding,
		"%s sleeps longer than it asks for: %" PRIu64
		" sleeps of %s (the median) last %s longer (the median, %s at most), %s in all; of that, %.0f %% is "
		"its timer slack, the rest are timers that come late",
		thread_label(model, worst->thread).text, worst->nr,
		figure_ns(worst->asked_ns.median, " ").text,
		figure_ns(worst->late_ns.median, " ").text, figure_ns(worst->late_ns.max, " ").text,
		figure_ns(worst->late_ns.sum, " ").text,
		100 * (double)worst->slack_ns / (double)worst->late_ns.sum);
}
