// SPDX-License-Identifier: GPL-2.0
#include "page/page_stream.h"

#include "model/reading.h"
#include "model/window/window.h"
#include "page/data.h"

/* How long the page is, or 0. */
static uint64_t duration_of(struct trace *trace, const struct page_options *options)
{
	return options->selection ? selection_duration_ns(options->selection) :
				    trace_duration_ns(trace);
}

static int stream_model(struct trace *trace, const struct page_options *options,
			struct page_data *data, struct kept_model *model)
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
		return selection_stream(options->selection, trace, &sink, &model->rest);
	if (!options->most_kept_events)
		return model_stream(trace, &sink, &model->rest);
	return model_stream_kept(trace, &sink, options->most_kept_events, model);
}

static int write_data(struct page_data *data, struct kept_model *model, struct page_options options,
		      FILE *out)
{
	if (options.name_frames && options.name_frames(model->rest))
		return -1;
	page_data_end_strings(data, model->rest->trace);
	if (options.analyse) {
		if (options.analyse(options.analyse_context, model, &options.analysis))
			return -1;
		page_data_set_messages(data, options.analysis.messages);
		kept_model_end_rows(model);
	}
	return page_write_data(data, model->rest, &options, out);
}

int page_stream_write(struct trace *trace, const struct page_options *options, FILE *out)
{
	struct page_data *data = page_data_new(duration_of(trace, options),
					       trace_guess_events(trace));
	struct kept_model model = { 0 };
	int status;

	page_data_set_messages(data, options->analysis.messages);
	status = stream_model(trace, options, data, &model);
	if (!status)
		status = write_data(data, &model, *options, out);
	kept_model_free(&model);
	page_data_free(data);
	return status;
}
