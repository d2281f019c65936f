/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The page of a trace, with all that the commands find out for it.
 */
#ifndef ANNOT_CMD_TRACE_PAGE_H
#define ANNOT_CMD_TRACE_PAGE_H

#include <stdbool.h>
#include <stdio.h>

#include "cmd/files/page_events.h"
#include "model/window/filter.h"

struct trace_page {
	const char *title; /* NULL: the trace's name */
	const struct model_filter *filter; /* part of the trace to show; NULL: all */
	struct page_events_choice events;
	uint64_t most_bytes; /* as page_options has it */
	bool no_findings; /* none are looked for */
	bool force_findings; /* they are, even if there seems to be too little room */
};

/*
 * Reads the rest of @trace, showing the progress, and writes its page to @out. Returns 0, or -1 after
 * one line on stderr. For write errors, check ferror() at the end.
 */
int trace_page_write(struct trace *trace, const struct trace_page *wanted, FILE *out);

#endif /* ANNOT_CMD_TRACE_PAGE_H */
