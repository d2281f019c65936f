/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Timeline -> page: one HTML file that holds its style, its script and its data, and asks the
 * network for nothing.
 */
#ifndef ANNOT_PAGE_H
#define ANNOT_PAGE_H

#include <stdio.h>

#include "model/filter.h"
#include "model/model.h"

struct page_options {
	const char *title; /* any bytes; shown in the browser's tab and at the top */
	struct selection *selection; /* what of the trace to show; NULL: all */
	void (*progress)(uint64_t to_ns); /* as model_sink.progress, or NULL */
	const char *analysis; /* findings and all analyses, as JSON; NULL: there are none */
	uint64_t most_bytes; /* of the page, which is coarser rather than larger; 0: no limit */
};

struct page_data;

/*
 * Writes the page of windows that @data has taken, and the @rest, as page_stream_write() does.
 */
int page_write_data(struct page_data *data, const struct model *rest,
		    const struct page_options *options, FILE *out);

#endif /* ANNOT_PAGE_H */
