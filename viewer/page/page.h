/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Trace -> page: one HTML file that contains its style, script and data, and never uses the
 * network.
 */
#ifndef ANNOT_PAGE_H
#define ANNOT_PAGE_H

#include <stdio.h>

#include "model/window/filter.h"
#include "model/model.h"

/* What a page has that its windows do not tell. It must live as long as the page is written. */
struct page_analysis {
	const char *json; /* findings and all analyses; NULL: there are none */
	const struct message_table *messages; /* between ranks, by start; NULL: there are none */
};

struct kept_model;

struct page_options {
	const char *title; /* any bytes; shown in the browser's tab and at the top */
	struct selection *selection; /* part of the trace to show; NULL: all */
	const struct event_source *events; /* like model_sink.events */
	void (*progress)(uint64_t to_ns); /* like model_sink.progress, or NULL */
	int (*name_frames)(
		struct model *rest); /* names its frames; returns -1 if it fails; or NULL */
	struct page_analysis analysis;
	/*
	 * Gives the analysis when all windows are there: its messages are loaded with the page then, not with their windows.
	 * Returns 0, or -1 after one line on stderr. NULL: it is there already.
	 */
	int (*analyse)(void *context, const struct kept_model *model,
		       struct page_analysis *analysis);
	void *analyse_context;
	uint64_t
		most_kept_events; /* as model_stream_kept(): for analyse(); 0, or a selection: none */
	uint64_t most_bytes; /* largest size, at the cost of detail; 0: no limit */
};

struct page_data;

/* Writes the page from the windows in @data and the @rest, like page_stream_write(). */
int page_write_data(struct page_data *data, const struct model *rest,
		    const struct page_options *options, FILE *out);

#endif /* ANNOT_PAGE_H */
