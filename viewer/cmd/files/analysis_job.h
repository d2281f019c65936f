/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Computes the analyses of a page (cmd/words/analysis_json.h) while the page is made of the same trace.
 */
#ifndef ANNOT_CMD_ANALYSIS_JOB_H
#define ANNOT_CMD_ANALYSIS_JOB_H

#include "cmd/words/analysis_json.h"

struct analysis_job;

/*
 * Like analysis_json(), in another thread if there is a core for it, and before this returns if not. @whole and @filter must
 * live until analysis_job_free(). Nothing is printed.
 */
struct analysis_job *analysis_job_start(const struct trace *whole,
					const struct model_filter *filter, uint64_t most_events);

/* Waits until all is computed. Returns NULL after one line on stderr if the trace cannot be read. */
const struct analysis_json *analysis_job_result(struct analysis_job *job);

/* Waits, too. @job may be NULL. */
void analysis_job_free(struct analysis_job *job);

#endif /* ANNOT_CMD_ANALYSIS_JOB_H */
