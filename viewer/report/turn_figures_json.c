// SPDX-License-Identifier: GPL-2.0
#include "report/turn_figures_json.h"

#include "analysis/events/event_rates.h"

static bool has_turns(const struct model *model)
{
	for (size_t event = 0; event < model->nr_pmu_events; event++) {
		if (model->pmu_events[event].is_shared)
			return true;
	}
	return false;
}

static void write_known(struct json *json, bool is_known, double value)
{
	if (is_known)
		json_double(json, value);
	else
		json_null(json);
}

static void write_event(struct json *json, const struct model *model, size_t event)
{
	json_begin_object(json);
	json_key_u64(json, "index", event);
	json_key_string(json, "name", trace_string(model->trace, model->pmu_events[event].name));
	json_end_object(json);
}

static void write_events(struct json *json, const struct model *model)
{
	json_key(json, "events");
	json_begin_array(json);
	for (size_t event = 0; event < model->nr_pmu_events; event++) {
		if (model->pmu_events[event].is_shared)
			write_event(json, model, event);
	}
	json_end_array(json);
}

static void write_figure(struct json *json, const struct model *model, size_t event,
			 const struct event_figures *figures)
{
	double error = event_error(model, event, figures);
	struct event_reliability own = { 0 };

	event_reliability_of(model, event, figures, &own);
	json_begin_array(json);
	write_known(json, figures->measured, figures->count);
	write_known(json, figures->measured, error);
	json_double(json, own.measured_share);
	json_end_array(json);
}

static void write_figures(struct json *json, const char *key, const struct model *model,
			  const struct event_figures *events)
{
	json_key(json, key);
	json_begin_array(json);
	for (size_t event = 0; event < model->nr_pmu_events; event++) {
		if (model->pmu_events[event].is_shared)
			write_figure(json, model, event, &events[event]);
	}
	json_end_array(json);
}

static void write_task(struct json *json, const struct model *model, const struct task *task)
{
	json_begin_object(json);
	json_key_string(json, "name", trace_string(model->trace, task->name));
	json_key_string(json, "kind", task->kind == TRACE_SPAN_WAIT ? "wait" : "work");
	write_figures(json, "figures", model, task->events);
	json_end_object(json);
}

static void write_thread(struct json *json, const struct model *model, size_t thread,
			 const struct event_figures *events)
{
	json_begin_object(json);
	json_key_u64(json, "thread", thread);
	json_key(json, "tid");
	json_i64(json, model->threads[thread].tid);
	write_figures(json, "figures", model, events);
	json_end_object(json);
}

void turn_figures_json(struct json *json, const struct model *model, const struct task_stats *stats)
{
	if (!has_turns(model))
		return;
	json_key(json, "turns");
	json_begin_object(json);
	write_events(json, model);
	write_figures(json, "all", model, stats->events);
	json_key(json, "tasks");
	json_begin_array(json);
	for (size_t i = 0; i < stats->nr_tasks; i++)
		write_task(json, model, &stats->tasks[i]);
	json_end_array(json);
	json_key(json, "threads");
	json_begin_array(json);
	for (size_t i = 0; i < model->nr_threads; i++) {
		if (stats->threads[i].ns[METRIC_ON_CPU])
			write_thread(json, model, i, stats->threads[i].events);
	}
	json_end_array(json);
	json_end_object(json);
}
