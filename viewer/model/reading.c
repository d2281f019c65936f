// SPDX-License-Identifier: GPL-2.0
#include "model/reading.h"

#include <inttypes.h>

#include "model/builder.h"
#include "model/builder_state.h"
#include "model/states/silent.h"
#include "model/threads/threads.h"
#include "model/window/rest.h"
#include "trace/limits.h"
#include "util/diag.h"
#include "util/worker.h"

/* What there was to read is less than what was recorded. */
static void warn_of_limits(const struct trace_info *info)
{
	trace_limits_warn(info);
	if (info->annotations.nr_nameless)
		diag_warn("%s: has no names of %" PRIu64 " annotations", info->path,
			  info->annotations.nr_nameless);
}

static int no_switches(const struct trace_info *info)
{
	if (info->truncated)
		return diag_error("%s: the file is truncated: no sched_switch events are left",
				  info->path);
	return diag_error("%s: has no sched_switch events: record with -e sched_switch",
			  info->path);
}

/* Reads the trace a first time. Returns -1 after one line on stderr. */
static int look_ahead(struct model_builder *builder, const char *path)
{
	struct trace_event event = { 0 };
	struct trace *trace;
	int got;

	if (trace_open(path, &trace))
		return -1;
	while ((got = trace_next(trace, &event)) > 0)
		silent_note(builder, &event);
	silent_settle(builder, event.time_ns);
	trace_close(trace);
	return got;
}

static int find_silent_cpus(struct model_builder *builder, const struct trace *trace)
{
	int nr = trace_info(trace)->nr_cpus, nr_silent = 0;

	if (!builder_need_cpu(builder, nr - 1))
		return 0;
	for (int cpu = 0; cpu < nr; cpu++) {
		builder->cpus[cpu].is_silent = !trace_has_cpu(trace, cpu);
		nr_silent += builder->cpus[cpu].is_silent;
	}
	return nr_silent ? look_ahead(builder, trace_info(trace)->path) : 0;
}

/* What was fed. Returns -1 after one line on stderr if it was nothing, or @got says that reading failed. */
static int finish_model(struct model_builder *builder, struct trace *trace, int got,
			struct model **out)
{
	*out = model_builder_finish(builder);
	if (!got && !(*out)->nr_switches)
		got = no_switches(trace_info(trace));
	return got;
}

/* All that @trace has, through @builder: at most @most_events; see model_build_again(). */
static int build_model(struct model_builder *builder, struct trace *trace, uint64_t most_events,
		       struct model **out)
{
	struct trace_event event;
	int got;

	got = find_silent_cpus(builder, trace) ? -1 : 1;
	/* Events that only name the running thread are not counted: they leave no rows. */
	while (got > 0 && (got = trace_next(trace, &event)) > 0 &&
	       (event.kind == TRACE_OTHER || most_events--))
		model_builder_feed(builder, &event);
	got = finish_model(builder, trace, got, out);
	if (!got)
		return 0;
	model_free(*out);
	*out = NULL;
	return got > 0 ? 0 : -1;
}

int model_build_again(struct trace *trace, uint64_t most_events, uint64_t *read_ns,
		      struct model **out)
{
	struct model_builder builder;
	int status;

	model_builder_init(&builder, trace);
	status = build_model(&builder, trace, most_events, out);
	*read_ns = builder.now_ns;
	return status;
}

int model_build(struct trace *trace, struct model **out)
{
	uint64_t read_ns;

	if (model_build_again(trace, UINT64_MAX, &read_ns, out))
		return -1;
	warn_of_limits(trace_info(trace));
	return 0;
}

/* The same, but all: after @most_events, rows no longer stay. */
static int feed_and_keep(struct model_builder *builder, struct trace *trace, uint64_t most_events,
			 uint64_t *read_ns)
{
	struct trace_event event;
	int got = find_silent_cpus(builder, trace) ? -1 : 1;

	while (got > 0 && (got = trace_next(trace, &event)) > 0) {
		if (event.kind != TRACE_OTHER && !most_events--) {
			*read_ns = builder->now_ns;
			windows_keep_no_longer(builder->windows);
		}
		model_builder_feed(builder, &event);
	}
	return got;
}

int model_stream_kept(struct trace *trace, const struct model_sink *sink, uint64_t most_events,
		      struct kept_model *out)
{
	struct model_windows windows = {
		.sink = sink,
		.nr_events_each = WINDOW_EVENTS,
		.keeps = true,
	};
	struct model_builder builder;
	struct model *model;
	int got;

	*out = (struct kept_model){ 0 };
	model_builder_init(&builder, trace);
	model_builder_use_windows(&builder, &windows);
	got = feed_and_keep(&builder, trace, most_events, &out->read_ns);
	got = finish_model(&builder, trace, got, &model);
	out->whole = windows.kept_rest ? model : NULL;
	out->rest = windows.kept_rest ? windows.kept_rest : model;
	if (!got)
		warn_of_limits(trace_info(trace));
	else
		kept_model_free(out);
	return got;
}

static void *end_rows(void *context)
{
	struct model *whole = context;

	for (size_t i = 0; i < whole->nr_threads; i++) {
		state_table_free(&whole->threads[i].states);
		whole->threads[i].states = (struct state_table){ 0 };
	}
	for (int cpu = 0; cpu < whole->nr_cpus; cpu++) {
		slice_table_free(&whole->cpus[cpu].slices);
		whole->cpus[cpu].slices = (struct slice_table){ 0 };
	}
	wakeup_table_free(&whole->wakeups);
	whole->wakeups = (struct wakeup_table){ 0 };
	return NULL;
}

void kept_model_end_rows(struct kept_model *kept)
{
	kept->is_ending = kept->whole && worker_nr_cores() > 1 &&
			  !worker_start(&kept->ender, end_rows, kept->whole);
}

void kept_model_free(struct kept_model *kept)
{
	if (kept->is_ending)
		pthread_join(kept->ender, NULL);
	if (kept->whole)
		rest_free(kept->rest);
	else
		model_free(kept->rest);
	model_free(kept->whole);
	*kept = (struct kept_model){ 0 };
}

int model_survey(struct trace *trace, const struct model_sink *sink, struct model **rest)
{
	struct model_windows windows = { .sink = sink, .nr_events_each = WINDOW_EVENTS };
	struct model_builder builder;

	model_builder_init(&builder, trace);
	model_builder_use_windows(&builder, &windows);
	return build_model(&builder, trace, UINT64_MAX, rest);
}

int model_stream(struct trace *trace, const struct model_sink *sink, struct model **rest)
{
	if (model_survey(trace, sink, rest))
		return -1;
	warn_of_limits(trace_info(trace));
	return 0;
}
