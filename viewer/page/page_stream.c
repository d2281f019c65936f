// SPDX-License-Identifier: GPL-2.0
#include "model/builder.h"
#include "page/page_stream.h"

#include "model/window/window.h"
#include "page/data.h"

/* How long the page is, or 0. */
static uint64_t duration_of(struct trace *trace, const struct page_options *options)
{
	uint64_t first_ns, last_ns;

	if (options->selection)
		return selection_duration_ns(options->selection);
	return trace_time_range(trace, &first_ns, &last_ns) < 0 ? 0 : last_ns - first_ns;
}

static int stream_model(struct trace *trace, const struct page_options *options,
			struct page_data *data, struct model **rest)
{
	const struct model_sink sink = {
		.take = page_data_take,
		.state = page_data_take_state,
		.step_ns = page_data_step_ns(data),
		.context = data,
		.events = options->events,
		.progress = options->progress,
	};

	if (options->selection)
		return selection_stream(options->selection, trace, &sink, rest);
	return model_stream(trace, &sink, rest);
}

static int write_data(struct page_data *data, struct model *rest, struct page_options options,
		      FILE *out)
{
	if (options.name_frames && options.name_frames(rest))
		return -1;
	if (options.analyse) {
		if (options.analyse(options.analyse_context, &options.analysis))
			return -1;
		page_data_set_messages(data, options.analysis.messages);
	}
	return page_write_data(data, rest, &options, out);
}

int page_stream_write(struct trace *trace, const struct page_options *options, FILE *out)
{
	struct page_data *data = page_data_new(duration_of(trace, options),
					       trace_guess_events(trace));
	struct model *rest = NULL;
	int status;

	page_data_set_messages(data, options->analysis.messages);
	status = stream_model(trace, options, data, &rest);
	if (!status)
		status = write_data(data, rest, *options, out);
	model_free(rest);
	page_data_free(data);
	return status;
}
