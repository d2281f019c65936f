// SPDX-License-Identifier: GPL-2.0
/*
 * A page while its trace is read.
 */
#include "model/window.h"
#include "page/data.h"
#include "page/page.h"

int page_write(struct trace *trace, const struct page_options *options, FILE *out)
{
	struct page_data *data = page_data_new();
	const struct model_sink sink = { .take = page_data_take, .context = data };
	struct model *rest = NULL;
	int status = model_stream(trace, &sink, &rest);

	if (!status)
		status = page_write_data(data, rest, options, out);
	model_free(rest);
	page_data_free(data);
	return status;
}
