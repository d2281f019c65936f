// SPDX-License-Identifier: GPL-2.0
#include "analysis/false_sharing_findings.h"

#include <inttypes.h>

#define SURE_SAMPLES 100
#define PRECISE 2

void find_false_sharing(const struct model *model, const struct false_sharing *sharing,
			const char *place, struct findings *findings)
{
	const struct shared_line *worst = sharing->lines;
	const struct sample_column *samples = &model->samples;
	double most_ns = (double)model->duration_ns;
	struct finding *finding;

	if (!sharing->nr || !worst->is_false_sharing)
		return;
	finding = findings_add(findings, FINDING_FALSE_SHARING,
			       (uint64_t)(worst->lost_ns < most_ns ? worst->lost_ns : most_ns),
			       samples->time_ns[worst->sample],
			       samples->time_ns[worst->last_sample] + 1);
	for (size_t i = 0; i < worst->nr_threads; i++) {
		finding_add_thread(finding, worst->threads[i].thread);
		finding_add_cpu(finding, worst->threads[i].cpu);
	}
	if (worst->nr_samples >= SURE_SAMPLES)
		finding->confidence = CONFIDENCE_HIGH;
	if (samples->precise[worst->sample] < PRECISE)
		finding->caveats |= CAVEAT_SKID;
	finding_say(finding,
		    "%zu threads on several CPUs use different bytes of one cache line at %s, and "
		    "write to it: it moved between them in %" PRIu64 " of %" PRIu64 " samples",
		    worst->nr_threads, place, worst->nr_turns, worst->nr_samples);
}
