// SPDX-License-Identifier: GPL-2.0
#include "analysis/memory/false_sharing_findings.h"

#include <inttypes.h>
#include <stdlib.h>

#include "util/xalloc.h"

#define SURE_SAMPLES 100
#define PRECISE 2

/* Sums over the falsely shared lines of one process. */
struct shared_lines {
	size_t nr;
	uint64_t nr_samples;
	uint64_t nr_turns;
	size_t first_sample;
	size_t last_sample;
	double *miss_ns; /* of each thread of the model */
	double lost_ns; /* the greatest of miss_ns */
};

static void add_line(struct shared_lines *sum, const struct shared_line *line)
{
	if (!sum->nr || line->sample < sum->first_sample)
		sum->first_sample = line->sample;
	if (!sum->nr || line->last_sample > sum->last_sample)
		sum->last_sample = line->last_sample;
	sum->nr++;
	sum->nr_samples += line->nr_samples;
	sum->nr_turns += line->nr_turns;
	for (size_t i = 0; i < line->nr_threads; i++) {
		double *miss_ns = &sum->miss_ns[line->threads[i].thread];

		*miss_ns += line->threads[i].miss_ns;
		if (*miss_ns > sum->lost_ns)
			sum->lost_ns = *miss_ns;
	}
}

static struct shared_lines add_up(const struct model *model, const struct false_sharing *sharing)
{
	struct shared_lines sum = { .miss_ns = xcalloc(model->nr_threads, sizeof(*sum.miss_ns)) };

	for (size_t i = 0; i < sharing->nr && sharing->lines[i].is_false_sharing; i++) {
		if (sharing->lines[i].tgid == sharing->lines->tgid)
			add_line(&sum, &sharing->lines[i]);
	}
	free(sum.miss_ns);
	sum.miss_ns = NULL;
	return sum;
}

static void write_text(struct finding *finding, const struct shared_lines *sum, size_t nr_threads,
		       const char *place, const struct miss_cost *cost)
{
	struct miss_cost_words words = miss_cost_words(cost);

	if (sum->nr == 1)
		finding_set_text(
			finding,
			"%zu threads on several CPUs share one cache line falsely, at %s: they "
			"use different bytes of it and write to it; it moved between CPUs in "
			"%" PRIu64 " of %" PRIu64 " samples%s",
			nr_threads, place, sum->nr_turns, sum->nr_samples, words.text);
	else
		finding_set_text(
			finding,
			"%zu threads on several CPUs share %zu cache lines falsely, mainly at %s: "
			"they use different bytes of a line and write to it; the lines moved "
			"between CPUs in %" PRIu64 " of %" PRIu64 " samples%s",
			nr_threads, sum->nr, place, sum->nr_turns, sum->nr_samples, words.text);
}

void false_sharing_add_findings(const struct model *model, const struct false_sharing *sharing,
				const char *place, struct findings *findings)
{
	const struct shared_line *worst = sharing->lines;
	const struct sample_table *samples = &model->samples;
	double most_ns = (double)model->duration_ns;
	struct shared_lines sum;
	struct finding *finding;

	if (!sharing->nr || !worst->is_false_sharing)
		return;
	sum = add_up(model, sharing);
	finding = findings_add(findings, FINDING_FALSE_SHARING,
			       (uint64_t)(sum.lost_ns < most_ns ? sum.lost_ns : most_ns),
			       samples->time_ns[sum.first_sample],
			       samples->time_ns[sum.last_sample] + 1);
	for (size_t i = 0; i < worst->nr_threads; i++) {
		finding_add_thread(finding, worst->threads[i].thread);
		finding_add_cpu(finding, worst->threads[i].cpu);
	}
	if (!worst->nr_stores) {
		finding->confidence = CONFIDENCE_LOW;
		finding->caveats |= CAVEAT_NO_STORES;
	} else if (worst->nr_samples >= SURE_SAMPLES) {
		finding->confidence = CONFIDENCE_HIGH;
	}
	if (samples->precise[worst->sample] < PRECISE)
		finding->caveats |= CAVEAT_SKID;
	miss_cost_add_caveat(&sharing->cost, finding);
	write_text(finding, &sum, worst->nr_threads, place, &sharing->cost);
}
