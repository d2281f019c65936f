// SPDX-License-Identifier: GPL-2.0
/*
 * What was measured, as JSON. What is not known is null: it is not 0.
 */
#include <math.h>
#include <string.h>

#include "analysis/events/event_caveats.h"
#include "report/report_json.h"
#include "report/report_json_events.h"

/* How long the event was not measured, of all CPUs together. */
static uint64_t gaps_ns(const struct model *model, size_t event)
{
	const struct pmu_gap_table *gaps = &model->pmu_gaps;
	uint64_t sum_ns = 0;

	for (size_t i = 0; i < gaps->nr; i++) {
		if (gaps->event[i] == event)
			sum_ns += gaps->end_ns[i] - gaps->start_ns[i];
	}
	return sum_ns;
}

static void write_error(struct json *json, const char *key, const struct model *model, size_t event,
			const struct event_figures *figures)
{
	double error = event_error(model, event, figures);

	json_key_known_double(json, key, figures->measured && isfinite(error), error);
}

static void write_reliability(struct json *json, const struct model *model, size_t event,
			      const struct event_figures *figures)
{
	struct event_reliability own = { 0 };
	bool is_shared = event_reliability_of(model, event, figures, &own);

	json_key_known_double(json, "measured_share", is_shared, own.measured_share);
	json_key_known_double(json, "reliability", is_shared, own.reliability);
}

static void write_caveats(struct json *json, const struct model *model, size_t event)
{
	json_key(json, "caveats");
	json_begin_array(json);
	for (int i = 0; i < NR_EVENT_CAVEATS; i++) {
		if (event_has_caveat(model, event, (enum event_caveat)i))
			json_string(json, event_caveat_word((enum event_caveat)i));
	}
	json_end_array(json);
}

static void write_pmu_event(struct json *json, const struct model *model, size_t at,
			    const struct event_figures *figures)
{
	const struct pmu_event *event = &model->pmu_events[at];
	bool is_known = event->text != TRACE_NO_STRING;

	json_begin_object(json);
	json_key_string(json, "name", trace_string(model->trace, event->name));
	json_key_string(json, "mode", event->is_counted ? "count" : "sample");
	json_key_known_u64(json, "period", is_known && !event->is_counted, event->period);
	json_key(json, "user");
	if (is_known)
		json_bool(json, event->user);
	else
		json_null(json);
	json_key(json, "kernel");
	if (is_known)
		json_bool(json, event->kernel);
	else
		json_null(json);
	json_key_known_u64(json, "precise_asked", is_known && !event->is_counted,
			   event->precise_asked);
	json_key_known_u64(json, "precise", is_known && !event->is_counted && !event->error,
			   event->precise);
	json_key_u64(json, "error", (uint64_t)event->error);
	json_key_text(json, "error_name", event->error ? strerrorname_np(event->error) : NULL);
	json_key_known_u64(json, "samples", !event->is_counted && !event->error,
			   figures->nr_samples);
	json_key_known_double(json, "count", figures->measured, figures->count);
	write_error(json, "count_error", model, at, figures);
	write_reliability(json, model, at, figures);
	json_key_known_u64(json, "lost", !event->is_counted && !event->error, event->nr_lost);
	json_key_known_u64(json, "total", event->has_total, event->total);
	json_key_u64(json, "unmeasured_ns", gaps_ns(model, at));
	json_key_known_u64(json, "enough_ns", event->enough_ns != UINT64_MAX, event->enough_ns);
	json_key_text(json, "config", is_known ? trace_string(model->trace, event->text) : NULL);
	write_caveats(json, model, at);
	json_end_object(json);
}

void report_json_pmu(struct json *json, const struct model *model,
		     const struct event_figures *events)
{
	json_key(json, "pmu");
	json_begin_array(json);
	for (size_t event = 0; event < model->nr_pmu_events; event++)
		write_pmu_event(json, model, event, &events[event]);
	json_end_array(json);
}

void report_json_damage(struct json *json, const struct model *model)
{
	static const char *const kinds[NR_TRACE_DAMAGES] = {
		[TRACE_DAMAGED_OTHER] = "other_events",
		[TRACE_DAMAGED_SAMPLE] = "samples",
		[TRACE_DAMAGED_SLICE_COUNTS] = "slice_counts",
		[TRACE_DAMAGED_PMU_STATE] = "pmu_states",
		[TRACE_DAMAGED_PMU_EVENT] = "pmu_events",
		[TRACE_DAMAGED_MAPPING] = "mappings",
		[TRACE_DAMAGED_CPU_TOPOLOGY] = "cpu_places",
		[TRACE_DAMAGED_UNCORE] = "uncore_lines",
	};

	json_key(json, "damaged");
	json_begin_object(json);
	for (int i = 0; i < NR_TRACE_DAMAGES; i++)
		json_key_u64(json, kinds[i], trace_info(model->trace)->nr_damaged[i]);
	json_end_object(json);
	json_key_u64(json, "odd_slice_counts", model->nr_odd_counts);
}

static void write_event(struct json *json, const struct model *model, size_t event,
			const struct event_figures *events)
{
	const struct event_figures *figures = &events[event];
	bool is_counted = model->pmu_events[event].is_counted;
	struct event_ratio mpki = { 0 };
	double per_us = 0;
	bool has_per_us = event_per_us(figures, &per_us);
	bool has_mpki = event_per_1000_instructions(model, event, events, &mpki);

	json_begin_object(json);
	json_key_string(json, "name", trace_string(model->trace, model->pmu_events[event].name));
	json_key_known_double(json, "count", figures->measured, figures->count);
	write_error(json, "error", model, event, figures);
	json_key_known_u64(json, "samples", figures->measured && !is_counted, figures->nr_samples);
	json_key_known_double(json, "per_us", has_per_us, per_us);
	json_key_known_double(json, "mpki", has_mpki, mpki.value);
	json_key_known_double(json, "mpki_error", has_mpki && isfinite(mpki.error), mpki.error);
	json_key_u64(json, "measured_ns", figures->measured ? figures->on_cpu_ns : 0);
	json_key_u64(json, "unmeasured_ns", figures->unmeasured_ns);
	json_key_known_u64(json, "incomplete_slices", is_counted, figures->nr_incomplete);
	write_reliability(json, model, event, figures);
	json_end_object(json);
}

void report_json_events(struct json *json, const struct model *model,
			const struct event_figures *events)
{
	json_key(json, "events");
	json_begin_array(json);
	for (size_t event = 0; event < model->nr_pmu_events; event++)
		write_event(json, model, event, events);
	json_end_array(json);
}
