// SPDX-License-Identifier: GPL-2.0
#include "cmd/files/analysis_job.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "util/diag.h"
#include "util/worker.h"
#include "util/xalloc.h"

struct analysis_job {
	const struct trace *whole;
	const struct model_filter *filter;
	uint64_t most_events;
	bool is_running; /* in @thread */
	pthread_t thread;
	/* what comes of it */
	int status;
	struct analysis_json json;
	char *error; /* one line, if status is not 0 */
};

static void *compute(void *context)
{
	struct analysis_job *job = context;
	size_t nr_bytes;
	FILE *errors = xmemstream(&job->error, &nr_bytes);

	/* Who makes the page meets the same errors in the trace, and tells them. */
	diag_divert_errors(errors);
	job->status = analysis_json(job->whole, job->filter, job->most_events, &job->json);
	diag_divert_errors(NULL);
	fclose(errors);
	return NULL;
}

struct analysis_job *analysis_job_start(const struct trace *whole,
					const struct model_filter *filter, uint64_t most_events)
{
	struct analysis_job *job = xcalloc(1, sizeof(*job));

	job->whole = whole;
	job->filter = filter;
	job->most_events = most_events;
	job->is_running = worker_nr_cores() > 1 && !worker_start(&job->thread, compute, job);
	if (!job->is_running)
		compute(job);
	return job;
}

static void wait_for(struct analysis_job *job)
{
	if (job->is_running)
		pthread_join(job->thread, NULL);
	job->is_running = false;
}

const struct analysis_json *analysis_job_result(struct analysis_job *job)
{
	wait_for(job);
	if (!job->status)
		return &job->json;
	diag_error("%.*s", (int)strcspn(job->error, "\n"), job->error);
	return NULL;
}

void analysis_job_free(struct analysis_job *job)
{
	if (!job)
		return;
	wait_for(job);
	analysis_json_free(&job->json);
	free(job->error);
	free(job);
}
