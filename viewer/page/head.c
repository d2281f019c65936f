// SPDX-License-Identifier: GPL-2.0
#include "page/head.h"

#include <string.h>

#include "model/kernel/kernel_slices.h"
#include "model/states/gaps.h"
#include "page/data.h"
#include "page/slots.h"
#include "util/text/json.h"

static void write_trace(struct json *json, const struct model *model)
{
	const struct trace_info *info = trace_info(model->trace);
	char start_ns[24];

	snprintf(start_ns, sizeof(start_ns), "%llu", (unsigned long long)model->start_ns);
	json_key(json, "trace");
	json_begin_object(json);
	json_key(json, "file");
	json_string(json, info->path);
	json_key(json, "clock");
	json_string(json, info->clock);
	json_key(json, "start_ns");
	json_string(json, start_ns);
	json_key(json, "duration_ns");
	json_u64(json, model->duration_ns);
	json_key(json, "cpus");
	json_i64(json, model->nr_cpus);
	json_key(json, "events");
	json_u64(json, info->nr_events);
	json_key(json, "lost_events");
	json_u64(json, info->nr_lost_events);
	json_key(json, "lost_gaps");
	json_u64(json, info->nr_lost_gaps);
	json_key_u64(json, "missing_switches", model_missing_switches(model));
	json_key(json, "lost_annotations");
	json_u64(json, info->annotations.nr_lost);
	json_key(json, "altered_annotations");
	json_u64(json, info->annotations.nr_altered);
	json_key(json, "truncated");
	json_bool(json, info->truncated);
	json_key(json, "config");
	json_string(json, trace_string(model->trace, model->config_text));
	json_end_object(json);
}

static void write_strings(struct json *json, const struct trace *trace, uint32_t nr_wanted)
{
	uint32_t nr = nr_wanted ? nr_wanted : trace_nr_strings(trace);

	json_key(json, "strings");
	json_begin_array(json);
	for (uint32_t id = 0; id < nr; id++)
		json_string(json, trace_string(trace, id));
	json_end_array(json);
}

static void write_pmu_event(struct json *json, const struct model *model,
			    const struct pmu_event *event)
{
	json_begin_object(json);
	json_key(json, "name");
	json_string(json, trace_string(model->trace, event->name));
	json_key(json, "counted");
	json_bool(json, event->is_counted);
	json_key(json, "clock");
	json_bool(json, event->is_clock);
	json_key(json, "ratio");
	json_bool(json, event->by_ratio);
	json_key(json, "shared");
	json_bool(json, event->is_shared);
	json_key(json, "user");
	json_bool(json, event->user);
	json_key(json, "kernel");
	json_bool(json, event->kernel);
	json_key(json, "asked");
	json_i64(json, event->precise_asked);
	json_key(json, "precise");
	json_i64(json, event->precise);
	json_key(json, "period");
	json_u64(json, event->period);
	json_key(json, "error");
	json_i64(json, event->error);
	json_key(json, "lost");
	json_u64(json, event->nr_lost);
	json_key(json, "counter");
	json_u64(json, event->counter);
	json_key(json, "merged");
	json_bool(json, event->is_merged);
	json_end_object(json);
}

static void write_pmu_events(struct json *json, const struct model *model)
{
	json_key(json, "pmu");
	json_begin_array(json);
	for (size_t i = 0; i < model->nr_pmu_events; i++)
		write_pmu_event(json, model, &model->pmu_events[i]);
	json_end_array(json);
}

static int64_t get_tid(const struct thread *thread, const struct thread_summary *summary)
{
	(void)summary;
	return thread->tid;
}

static int64_t get_tgid(const struct thread *thread, const struct thread_summary *summary)
{
	(void)summary;
	return thread->tgid;
}

static int64_t get_comm(const struct thread *thread, const struct thread_summary *summary)
{
	(void)summary;
	return thread->comm;
}

static int64_t get_parent(const struct thread *thread, const struct thread_summary *summary)
{
	(void)summary;
	return thread->parent == MODEL_NO_THREAD ? -1 : (int64_t)thread->parent;
}

static int64_t get_session(const struct thread *thread, const struct thread_summary *summary)
{
	(void)summary;
	return thread->in_session;
}

static int64_t get_unmatched(const struct thread *thread, const struct thread_summary *summary)
{
	(void)summary;
	return (int64_t)thread->nr_unmatched_ends;
}

static int64_t get_depth(const struct thread *thread, const struct thread_summary *summary)
{
	(void)thread;
	return summary->depth;
}

static int64_t get_spans(const struct thread *thread, const struct thread_summary *summary)
{
	(void)thread;
	return (int64_t)summary->nr_spans;
}

static int64_t get_marks(const struct thread *thread, const struct thread_summary *summary)
{
	(void)thread;
	return (int64_t)summary->nr_marks;
}

static int64_t get_main_cpu(const struct thread *thread, const struct thread_summary *summary)
{
	(void)thread;
	return summary->main_cpu;
}

static int64_t get_switches(const struct thread *thread, const struct thread_summary *summary)
{
	(void)summary;
	return (int64_t)thread->totals.nr_switches;
}

static int64_t get_preemptions(const struct thread *thread, const struct thread_summary *summary)
{
	(void)summary;
	return (int64_t)thread->totals.nr_preemptions;
}

static int64_t get_migrations(const struct thread *thread, const struct thread_summary *summary)
{
	(void)summary;
	return (int64_t)thread->totals.nr_migrations;
}

static int64_t get_stolen(const struct thread *thread, const struct thread_summary *summary)
{
	(void)thread;
	return (int64_t)summary->stolen_ns;
}

/* The columns of threads: from the thread itself, and from its totals. */
static const struct {
	const char *key;
	int64_t (*get)(const struct thread *thread, const struct thread_summary *summary);
} thread_fields[] = {
	{ "tid", get_tid },
	{ "tgid", get_tgid },
	{ "comm", get_comm },
	{ "parent", get_parent },
	{ "session", get_session },
	{ "unmatched", get_unmatched },
	{ "depth", get_depth },
	{ "spans", get_spans },
	{ "marks", get_marks },
	{ "main_cpu", get_main_cpu },
	{ "switches", get_switches },
	{ "preemptions", get_preemptions },
	{ "migrations", get_migrations },
	{ "stolen", get_stolen },
};

static void write_state_times(struct json *json, const struct model *model)
{
	json_key(json, "ns");
	json_begin_array(json);
	for (size_t i = 0; i < model->nr_threads; i++) {
		for (int state = 0; state < NR_THREAD_STATES; state++)
			json_u64(json, model->threads[i].totals.state_ns[state]);
	}
	json_end_array(json);
}

static void write_threads(struct json *json, const struct model *model,
			  const struct page_summary *summary)
{
	json_key(json, "threads");
	json_begin_object(json);
	for (size_t field = 0; field < sizeof(thread_fields) / sizeof(thread_fields[0]); field++) {
		json_key(json, thread_fields[field].key);
		json_begin_array(json);
		for (size_t i = 0; i < model->nr_threads; i++)
			json_i64(json, thread_fields[field].get(&model->threads[i],
								&summary->threads[i]));
		json_end_array(json);
	}
	write_state_times(json, model);
	json_end_object(json);
}

static void write_windows(struct json *json, const struct page_summary *summary)
{
	json_key(json, "windows");
	json_begin_object(json);
	json_key(json, "start");
	json_begin_array(json);
	for (size_t i = 0; i < summary->nr_windows; i++)
		json_u64(json, summary->windows[i].start_ns);
	json_end_array(json);
	json_key(json, "rows");
	json_begin_array(json);
	for (size_t i = 0; i < summary->nr_windows; i++)
		json_u64(json, summary->windows[i].nr_rows);
	json_end_array(json);
	json_key(json, "left_out");
	json_begin_array(json);
	for (size_t i = 0; i < summary->nr_windows; i++) {
		if (summary->windows[i].is_left_out)
			json_u64(json, i);
	}
	json_end_array(json);
	json_end_object(json);
}

static void write_counts(struct json *json, const struct row_counts *counts)
{
	json_key(json, "counts");
	json_begin_object(json);
	json_key_u64(json, "slices", counts->slices);
	json_key_u64(json, "gaps", counts->gaps);
	json_key_u64(json, "states", counts->states);
	json_key_u64(json, "spans", counts->spans);
	json_key_u64(json, "marks", counts->marks);
	json_key_u64(json, "migrations", counts->migrations);
	json_key_u64(json, "wakeups", counts->wakeups);
	json_key_u64(json, "samples", counts->samples);
	json_key_u64(json, "slice_counts", counts->slice_counts);
	json_key_u64(json, "interrupts", counts->interrupts);
	json_end_object(json);
}

/* How many spans have each name, in the order of the names. */
static void write_span_names(struct json *json, const struct page_summary *summary)
{
	json_key(json, "span_names");
	json_begin_array(json);
	for (size_t key = 0; key < summary->nr_names; key++) {
		if (!summary->nr_spans_of[key])
			continue;
		json_begin_array(json);
		json_u64(json, key / 2);
		json_u64(json, key % 2);
		json_u64(json, summary->nr_spans_of[key]);
		json_end_array(json);
	}
	json_end_array(json);
}

/* Those that are not 0, each after what it counts. */
static void write_counted(struct json *json, const char *key, const uint64_t *counts, size_t nr)
{
	json_key(json, key);
	json_begin_array(json);
	for (size_t i = 0; i < nr; i++) {
		if (!counts[i])
			continue;
		json_begin_array(json);
		json_u64(json, i);
		json_u64(json, counts[i]);
		json_end_array(json);
	}
	json_end_array(json);
}

/* How many marks and values of counters have each name. */
static void write_mark_names(struct json *json, const struct page_summary *summary)
{
	write_counted(json, "mark_names", summary->nr_marks_of, summary->nr_mark_names);
}

/* The same of what threads do in the kernel. */
static void write_kernel_names(struct json *json, const struct page_summary *summary)
{
	write_counted(json, "names", summary->nr_kernel_slices_of, summary->nr_kernel_names);
}

static void write_kernel_errors(struct json *json, const struct page_summary *summary)
{
	json_key(json, "errors");
	json_begin_object(json);
	for (int error = 1; error < SUMMARY_ERRORS; error++) {
		const char *name = summary->has_error[error] ? kernel_errno_name(-error) : NULL;
		char key[12];

		if (!name)
			continue;
		snprintf(key, sizeof(key), "%d", error);
		json_key_string(json, key, name);
	}
	json_end_object(json);
}

static void write_kernel_threads(struct json *json, const struct model *model,
				 const struct page_summary *summary)
{
	json_key(json, "depth");
	json_begin_array(json);
	for (size_t i = 0; i < model->nr_threads; i++)
		json_i64(json, summary->threads[i].kernel_depth);
	json_end_array(json);
	json_key(json, "slices");
	json_begin_array(json);
	for (size_t i = 0; i < model->nr_threads; i++)
		json_u64(json, summary->threads[i].nr_kernel_slices);
	json_end_array(json);
	json_key(json, "unmatched");
	json_begin_array(json);
	for (size_t i = 0; i < model->nr_threads; i++)
		json_u64(json, model->threads[i].nr_unmatched_kernel_ends);
	json_end_array(json);
}

/* Left out of a page without any. */
static void write_kernel(struct json *json, const struct model *model,
			 const struct page_summary *summary)
{
	if (!summary->counts.kernel_slices)
		return;
	json_key(json, "kernel");
	json_begin_object(json);
	json_key_u64(json, "textless", trace_nr_textless(model->trace));
	write_kernel_threads(json, model, summary);
	write_kernel_names(json, summary);
	write_kernel_errors(json, summary);
	json_end_object(json);
}

static void write_left_out_events(struct json *json, const struct model *rest)
{
	json_key(json, "left_out_events");
	json_begin_array(json);
	for (size_t i = 0; i < rest->nr_left_out_events; i++) {
		json_begin_array(json);
		json_u64(json, rest->left_out_events[i].name);
		json_u64(json, rest->left_out_events[i].nr);
		json_end_array(json);
	}
	json_end_array(json);
}

/* Most traces have none. */
static void write_events(struct json *json, const struct model *rest,
			 const struct page_summary *summary)
{
	if (rest->nr_early_events)
		json_key_u64(json, "early_events", rest->nr_early_events);
	if (!summary->counts.trace_events && !rest->nr_left_out_events)
		return;
	write_counted(json, "event_names", summary->nr_events_of, summary->nr_event_names);
	write_counted(json, "event_cpus", summary->nr_events_on, summary->nr_event_cpus);
	write_counted(json, "event_threads", summary->nr_events_in, summary->nr_event_threads);
	write_left_out_events(json, rest);
}

static void write_series(struct json *json, const struct page_summary *summary)
{
	json_key(json, "series");
	json_begin_array(json);
	for (size_t i = 0; i < summary->nr_series; i++) {
		const struct series_summary *series = &summary->series[i];

		json_begin_array(json);
		json_u64(json, series->thread);
		json_u64(json, series->name);
		json_u64(json, series->nr);
		json_i64(json, series->min);
		json_i64(json, series->max);
		json_end_array(json);
	}
	json_end_array(json);
}

static void write_cpus(struct json *json, const struct model *model)
{
	json_key(json, "cpus");
	json_begin_array(json);
	for (int cpu = 0; cpu < model->nr_cpus; cpu++)
		json_i64(json, model->cpus[cpu].seen);
	json_end_array(json);
}

/* Of each CPU; left out of a page without any. */
static void write_power(struct json *json, const struct page_summary *summary)
{
	bool any = false;

	for (size_t cpu = 0; cpu < summary->nr_cpus; cpu++)
		any |= summary->cpus[cpu].has_idle || summary->cpus[cpu].most_khz;
	if (!any)
		return;
	json_key(json, "power");
	json_begin_object(json);
	json_key(json, "idle");
	json_begin_array(json);
	for (size_t cpu = 0; cpu < summary->nr_cpus; cpu++)
		json_u64(json, summary->cpus[cpu].has_idle);
	json_end_array(json);
	json_key(json, "most_khz");
	json_begin_array(json);
	for (size_t cpu = 0; cpu < summary->nr_cpus; cpu++)
		json_u64(json, summary->cpus[cpu].most_khz);
	json_end_array(json);
	json_end_object(json);
}

/* Most traces have none. */
static void write_devices(struct json *json, const struct model *rest)
{
	if (!rest->nr_block_devices)
		return;
	json_key(json, "devices");
	json_begin_array(json);
	for (size_t i = 0; i < rest->nr_block_devices; i++) {
		json_begin_array(json);
		json_u64(json, rest->block_devices[i].name);
		json_u64(json, rest->block_devices[i].most_in_flight);
		json_end_array(json);
	}
	json_end_array(json);
}

/* Most traces have none. */
static void write_uncore(struct json *json, const struct model *rest)
{
	if (!rest->nr_uncore_counters)
		return;
	json_key(json, "uncore");
	json_begin_array(json);
	for (size_t i = 0; i < rest->nr_uncore_counters; i++) {
		const struct uncore_counter *counter = &rest->uncore_counters[i];

		json_begin_object(json);
		json_key_u64(json, "name", counter->name);
		json_key_u64(json, "unit", counter->unit);
		json_key(json, "cpu");
		json_i64(json, counter->cpu);
		json_key(json, "scale");
		json_double(json, counter->scale);
		json_key(json, "most_per_s");
		json_double(json, counter->most_per_s);
		json_end_object(json);
	}
	json_end_array(json);
}

static void write_level(struct json *json, const char *key, const struct overview_level *level)
{
	json_key(json, key);
	if (!level->block.nr_bytes) {
		json_null(json);
		return;
	}
	json_begin_object(json);
	json_key_u64(json, "buckets", level->nr_buckets);
	json_key_u64(json, "bucket_ns", level->bucket_ns);
	json_end_object(json);
}

static void write_overview(struct json *json, const struct overview_levels *overview)
{
	write_level(json, "overview", &overview->first);
	write_level(json, "fine_overview", &overview->fine);
}

void head_write(const struct model *rest, const struct page_summary *summary,
		const struct overview_levels *overview, const char *title, FILE *out)
{
	struct json json;

	fputs("<script type=\"application/json\" id=\"annot-head\">", out);
	json_init(&json, out, JSON_COMPACT);
	json_begin_object(&json);
	json_key_u64(&json, "format", PAGE_FORMAT_VERSION);
	json_key_string(&json, "version", ANNOT_VERSION);
	json_key_string(&json, "title", title);
	write_trace(&json, rest);
	write_strings(&json, rest->trace, summary->nr_strings);
	write_threads(&json, rest, summary);
	write_cpus(&json, rest);
	write_pmu_events(&json, rest);
	slots_write(&json, rest);
	write_windows(&json, summary);
	write_overview(&json, overview);
	write_counts(&json, &summary->counts);
	write_span_names(&json, summary);
	write_mark_names(&json, summary);
	write_series(&json, summary);
	write_kernel(&json, rest, summary);
	write_events(&json, rest, summary);
	write_power(&json, summary);
	write_devices(&json, rest);
	write_uncore(&json, rest);
	json_end_object(&json);
	fputs("</script>\n", out);
}
