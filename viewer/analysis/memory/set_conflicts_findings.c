// SPDX-License-Identifier: GPL-2.0
#include "analysis/memory/set_conflicts_findings.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>

#include "util/text/figure.h"

#define SURE_SAMPLES 100
#define PRECISE 2

static void write_misses(const struct set_conflict *row, char *text, size_t size)
{
	if (isnan(row->misses))
		snprintf(text, size, "%" PRIu64 " samples that missed", row->nr_samples);
	else
		snprintf(text, size, "%s misses", figure_number(row->misses).text);
}

void set_conflicts_add_findings(const struct model *model, const struct set_conflicts *conflicts,
				const struct miss_cost *cost, const char *place, const char *reg,
				const char *data, struct findings *findings)
{
	const struct set_conflict *worst = conflicts->rows;
	const struct sample_table *samples = &model->samples;
	double lost_ns, most_ns = (double)model->duration_ns;
	struct finding *finding;
	char misses[64];

	if (!conflicts->nr || !worst->is_conflict)
		return;
	lost_ns = isnan(worst->thread_misses) ? 0 : worst->thread_misses * cost->ns;
	finding = findings_add(findings, FINDING_SET_CONFLICTS,
			       (uint64_t)(lost_ns < most_ns ? lost_ns : most_ns),
			       samples->time_ns[worst->sample],
			       samples->time_ns[worst->last_sample] + 1);
	finding_add_thread(finding, worst->thread);
	finding_add_cpu(finding, samples->cpu[worst->sample]);
	if (worst->reg >= 0) {
		finding->confidence = CONFIDENCE_LOW;
		finding->caveats |= CAVEAT_REGISTER;
	} else if (worst->agreeing_samples >= SURE_SAMPLES) {
		finding->confidence = CONFIDENCE_HIGH;
	}
	if (samples->precise[worst->sample] < PRECISE)
		finding->caveats |= CAVEAT_SKID;
	miss_cost_add_caveat(cost, finding);
	write_misses(worst, misses, sizeof(misses));
	finding_set_text(finding,
			 "Loads at %s compete for few sets of the L1 cache: %s%s%s%" PRIu64
			 " of %" PRIu64 " lines have addresses that agree modulo %" PRIu64
			 " bytes; up to %" PRIu64 " of them are in one set, which has %" PRIu32
			 " ways (%s%s%s)%s",
			 place, *reg ? "by register " : "", reg, *reg ? ", " : "", worst->agreeing,
			 worst->lines, worst->span_bytes, worst->most, worst->ways, misses,
			 *data ? ", in " : "", data, miss_cost_words(cost).text);
}
