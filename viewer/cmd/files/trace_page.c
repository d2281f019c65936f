// SPDX-License-Identifier: GPL-2.0
#include "cmd/files/trace_page.h"

#include <limits.h>
#include <malloc.h>
#include <stdio.h>

#include "cmd/files/analysis_job.h"
#include "cmd/files/read_progress.h"
#include "model/reading.h"
#include "page/page_stream.h"
#include "symbols/frame_names.h"
#include "util/diag.h"
#include "util/file_path.h"
#include "util/progress.h"

/*
 * Windows come and go, and each is some MB: giving these back to the kernel every time, to have them
 * cleared again, costs a fifth of all.
 */
static void keep_memory(void)
{
	mallopt(M_MMAP_THRESHOLD, 256 << 20);
	mallopt(M_TRIM_THRESHOLD, 512 << 20);
	mallopt(M_TOP_PAD, 16 << 20);
}

/* Where the analysis of a page comes from: of the model that was kept, or of a job that reads the trace itself. */
struct page_findings {
	struct trace *trace;
	uint64_t duration_ns;
	uint64_t most_events;
	struct analysis_job *job; /* NULL: there is none */
	struct analysis_json own; /* without a job */
	const struct analysis_json *result; /* NULL: there is none yet */
};

static int analyse_kept(struct page_findings *findings, const struct kept_model *model)
{
	if (model->whole)
		return analysis_json_of_model(model->whole, &findings->own);
	return analysis_json_left_out(analysis_guess_events(findings->duration_ns,
							    findings->most_events, model->read_ns),
				      findings->most_events, &findings->own);
}

static int take_analysis(void *context, const struct kept_model *model,
			 struct page_analysis *analysis)
{
	struct page_findings *findings = context;

	if (findings->job)
		findings->result = analysis_job_result(findings->job);
	else if (!analyse_kept(findings, model))
		findings->result = &findings->own;
	if (!findings->result)
		return -1;
	analysis->json = findings->result->text;
	analysis->messages = &findings->result->messages;
	return 0;
}

/*
 * The trace is read once if the model of all events can be kept for the analysis. Of a part of a trace, no such model is kept.
 * Where the page has a limit, the analysis comes first: messages belong to windows then, which can be left out.
 */
static int start_analysis(struct page_findings *findings, const struct trace_page *wanted,
			  struct page_options *page)
{
	if (wanted->no_findings)
		return 0;
	findings->most_events = wanted->force_findings ? UINT64_MAX : analysis_most_events();
	page->analyse = take_analysis;
	page->analyse_context = findings;
	if (!wanted->filter && !wanted->most_bytes &&
	    trace_guess_events(findings->trace) <= findings->most_events) {
		findings->duration_ns = trace_duration_ns(findings->trace);
		page->most_kept_events = findings->most_events;
		return 0;
	}
	findings->job = analysis_job_start(findings->trace, wanted->filter, findings->most_events);
	return wanted->most_bytes ? take_analysis(findings, NULL, &page->analysis) : 0;
}

static void free_findings(struct page_findings *findings)
{
	analysis_job_free(findings->job);
	analysis_json_free(&findings->own);
}

static void tell_left_out(const struct trace *trace, const struct analysis_json *analysis)
{
	char room[32], needed[32];

	if (!analysis->nr_left_out)
		return;
	progress_format_bytes(analysis->nr_left_out * ANALYSIS_BYTES_PER_EVENT, needed,
			      sizeof(needed));
	progress_format_bytes(analysis->most_events * ANALYSIS_BYTES_PER_EVENT, room, sizeof(room));
	diag_warn(
		"%s: the page has no findings: they need about %s in memory or on the disk, and there was "
		"room for %s; annot html --force-findings looks for them all the same",
		trace_info(trace)->path, needed, room);
}

static int write_with_analysis(struct trace *trace, const struct trace_page *wanted,
			       struct page_options page, FILE *out)
{
	char title[PATH_MAX];
	struct page_findings findings = { .trace = trace };
	int status = start_analysis(&findings, wanted, &page);

	keep_memory();
	snprintf(title, sizeof(title), "%s%s", file_path_name(trace_info(trace)->path),
		 page.selection ? " (a part)" : "");
	page.title = wanted->title ? wanted->title : title;
	page.progress = read_progress_update;
	page.most_bytes = wanted->most_bytes;
	page.name_frames = frame_names_fill;
	if (!status)
		status = page_stream_write(trace, &page, out);
	read_progress_end();
	if (!status && findings.result)
		tell_left_out(trace, findings.result);
	free_findings(&findings);
	return status;
}

int trace_page_write(struct trace *trace, const struct trace_page *wanted, FILE *out)
{
	const struct model_filter *filter = wanted->filter;
	struct page_events *events = page_events_new(trace, &wanted->events, wanted->most_bytes);
	struct page_options page = { 0 };
	int status = 0;

	if (!events)
		return -1;
	read_progress_begin(trace, filter ? 2 : 1);
	if (filter)
		status = selection_new(trace, filter, read_progress_update, &page.selection);
	page.events = page_events_source(events);
	if (!status)
		status = write_with_analysis(trace, wanted, page, out);
	read_progress_end();
	if (!status)
		page_events_tell(events);
	page_events_free(events);
	selection_free(page.selection);
	return status;
}
