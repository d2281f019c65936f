// SPDX-License-Identifier: GPL-2.0
#include "model/states/gaps.h"
#include "report/report.h"
#include "report/report_json.h"
#include "report/report_json_events.h"
#include "report/report_sort.h"

/* What became of annotations between their programs and this report. */
static void write_annotations(struct json *json, const struct model *model)
{
	static const char *const reasons[NR_TRACE_ANNOTATION_LOSSES] = {
		[TRACE_ANNOTATION_BAD_HEAD] = "bad_head",
		[TRACE_ANNOTATION_BAD_OP] = "bad_op",
		[TRACE_ANNOTATION_BAD_NAME] = "bad_name",
		[TRACE_ANNOTATION_AT_EXEC] = "at_exec",
		[TRACE_ANNOTATION_NO_CLOCK] = "no_clock",
		[TRACE_ANNOTATION_DROPPED] = "dropped",
		[TRACE_ANNOTATION_OTHER] = "other",
		[TRACE_ANNOTATION_UNREADABLE] = "unreadable",
	};
	const struct trace_annotation_counts *counts = &trace_info(model->trace)->annotations;

	json_key_u64(json, "lost_annotations", counts->nr_lost);
	json_key(json, "lost_annotations_by_reason");
	json_begin_object(json);
	for (int i = 0; i < NR_TRACE_ANNOTATION_LOSSES; i++)
		json_key_u64(json, reasons[i], counts->nr_lost_by_reason[i]);
	json_end_object(json);
	json_key_u64(json, "altered_annotations", counts->nr_altered);
	json_key_u64(json, "reordered_annotations", model->nr_reordered);
	json_key_u64(json, "nameless_annotations", counts->nr_nameless);
}

static void write_missing_switches(struct json *json, const struct model *model)
{
	json_key_u64(json, "missing_switches", model_missing_switches(model));
	json_key(json, "missing_switches_by_cpu");
	json_begin_array(json);
	for (int cpu = 0; cpu < model->nr_cpus; cpu++) {
		uint64_t nr = gaps_missing_switches(&model->cpus[cpu].gaps);

		if (!nr)
			continue;
		json_begin_object(json);
		json_key_u64(json, "cpu", (uint64_t)cpu);
		json_key_u64(json, "switches", nr);
		json_end_object(json);
	}
	json_end_array(json);
}

void report_json_trace(struct json *json, const struct model *model,
		       const struct event_figures *events)
{
	const struct trace_info *info = trace_info(model->trace);

	json_key(json, "trace");
	json_begin_object(json);
	json_key_string(json, "file", info->path);
	json_key_string(json, "clock", info->clock);
	json_key_bool(json, "virtual", model->is_virtual);
	json_key(json, "hypervisor");
	if (model->hypervisor != TRACE_NO_STRING)
		json_string(json, trace_string(model->trace, model->hypervisor));
	else
		json_null(json);
	json_key_u64(json, "cpus", (uint64_t)model->nr_cpus);
	json_key_u64(json, "start_ns", model->start_ns);
	json_key_u64(json, "duration_ns", model->duration_ns);
	json_key_u64(json, "events", info->nr_events);
	json_key_u64(json, "switches", model->nr_switches);
	json_key_u64(json, "lost_events", info->nr_lost_events);
	json_key_u64(json, "lost_gaps", info->nr_lost_gaps);
	write_missing_switches(json, model);
	write_annotations(json, model);
	json_key_bool(json, "truncated", info->truncated);
	json_key(json, "config");
	if (model->config_text)
		json_string(json, trace_string(model->trace, model->config_text));
	else
		json_null(json);
	report_json_damage(json, model);
	report_json_pmu(json, model, events);
	json_end_object(json);
}

static void write_cache(struct json *json, const struct cpu_cache *cache)
{
	const char kind[] = { cache->kind, '\0' };

	json_begin_object(json);
	json_key_u64(json, "level", (uint64_t)cache->level);
	json_key_string(json, "kind", kind);
	json_key_u64(json, "size_bytes", cache->size_bytes);
	json_key_u64(json, "line_bytes", cache->line_bytes);
	json_key_u64(json, "ways", cache->ways);
	json_key_u64(json, "sets", cache->sets);
	json_key_u64(json, "group", cache->group);
	json_end_object(json);
}

/* Of what is not known it is -1. */
static void write_id(struct json *json, const char *key, int id)
{
	json_key_known_u64(json, key, id >= 0, (uint64_t)id);
}

static void write_place(struct json *json, int cpu, const struct cpu_topology *place)
{
	json_begin_object(json);
	json_key_u64(json, "cpu", (uint64_t)cpu);
	write_id(json, "core", place->core);
	write_id(json, "package", place->package);
	write_id(json, "node", place->node);
	json_key(json, "caches");
	json_begin_array(json);
	for (size_t i = 0; i < place->nr_caches; i++)
		write_cache(json, &place->caches[i]);
	json_end_array(json);
	json_end_object(json);
}

static void write_topology(struct json *json, const struct topology *topology)
{
	json_key(json, "topology");
	json_begin_array(json);
	for (int cpu = 0; cpu < topology->nr_cpus; cpu++) {
		if (topology->cpus[cpu].known)
			write_place(json, cpu, &topology->cpus[cpu]);
	}
	json_end_array(json);
}

/* The sums that threads and a task's threads have in common. */
static void write_figures(struct json *json, const struct model *model,
			  const struct thread_figures *figures)
{
	json_key_u64(json, "wall_ns", figures->ns[METRIC_WALL]);
	json_key_u64(json, "on_cpu_ns", figures->ns[METRIC_ON_CPU]);
	json_key_u64(json, "useful_ns", figures->ns[METRIC_USEFUL]);
	json_key_u64(json, "waiting_ns", figures->ns[METRIC_WAITING]);
	json_key_u64(json, "preempted_ns", figures->ns[METRIC_PREEMPTED]);
	json_key_u64(json, "wakeup_ns", figures->ns[METRIC_WAKEUP]);
	json_key_u64(json, "blocked_ns", figures->ns[METRIC_BLOCKED]);
	json_key_u64(json, "unknown_ns", figures->ns[METRIC_UNKNOWN]);
	json_key_u64(json, "switches", figures->counts.switches);
	json_key_u64(json, "preemptions", figures->counts.preemptions);
	json_key_u64(json, "migrations", figures->counts.migrations);
	json_key_u64(json, "spinning_ns", figures->ns[METRIC_SPINNING]);
	json_key_u64(json, "waiting_off_cpu_ns", figures->ns[METRIC_WAITING_OFF_CPU]);
	json_key_u64(json, "work_off_cpu_ns", figures->ns[METRIC_WORK_OFF_CPU]);
	json_key_known_u64(json, "stolen_ns", model->has_interrupts, figures->ns[METRIC_STOLEN]);
}

static void write_thread(struct json *json, const struct report *report, uint32_t at)
{
	const struct thread *thread = &report->model->threads[at];

	json_begin_object(json);
	json_key(json, "tid");
	json_i64(json, thread->tid);
	json_key(json, "tgid");
	if (thread->tgid)
		json_i64(json, thread->tgid);
	else
		json_null(json);
	json_key_string(json, "comm", report_comm(report, at));
	json_key_bool(json, "in_session", thread->in_session);
	write_figures(json, report->model, &report->stats->threads[at]);
	json_key_u64(json, "outside_ns", report->stats->threads[at].ns[METRIC_OUTSIDE]);
	report_json_events(json, report->model, report->stats->threads[at].events);
	json_key_u64(json, "instances", thread->spans.nr);
	json_key_u64(json, "unmatched_ends", thread->nr_unmatched_ends);
	json_end_object(json);
}

static void write_distribution(struct json *json, const char *key,
			       const struct distribution *distribution)
{
	json_key(json, key);
	json_begin_object(json);
	json_key_u64(json, "sum", distribution->sum);
	json_key_u64(json, "min", distribution->min);
	json_key_u64(json, "median", distribution->median);
	json_key_u64(json, "max", distribution->max);
	json_end_object(json);
}

static void write_balance(struct json *json, const struct task *task)
{
	json_key_known_double(json, "load_balance", task->has_balance, task->load_balance);
	json_key_known_double(json, "imbalance_pct", task->has_imbalance_pct, task->imbalance_pct);
	json_key_known_u64(json, "imbalance_time_ns", task->has_balance, task->imbalance_time_ns);
}

static void write_task_thread(struct json *json, const struct report *report,
			      const struct thread_figures *figures)
{
	json_begin_object(json);
	json_key(json, "tid");
	json_i64(json, report->model->threads[figures->thread].tid);
	json_key_string(json, "comm", report_comm(report, figures->thread));
	json_key_u64(json, "instances", figures->instances);
	write_figures(json, report->model, figures);
	report_json_events(json, report->model, figures->events);
	json_end_object(json);
}

void report_json_task(struct json *json, const struct model *model, const struct task *task)
{
	const struct distribution *ns = task->ns;

	json_key_string(json, "name", trace_string(model->trace, task->name));
	json_key_string(json, "kind", task->kind == TRACE_SPAN_WAIT ? "wait" : "work");
	json_key_u64(json, "instances", task->instances);
	json_key_u64(json, "open_ends", task->open_ends);
	json_key_u64(json, "threads", task->nr_threads);
	write_distribution(json, "wall_ns", &ns[METRIC_WALL]);
	json_key_u64(json, "on_cpu_ns", ns[METRIC_ON_CPU].sum);
	json_key_u64(json, "useful_ns", ns[METRIC_USEFUL].sum);
	json_key_u64(json, "waiting_ns", ns[METRIC_WAITING].sum);
	json_key_u64(json, "preempted_ns", ns[METRIC_PREEMPTED].sum);
	json_key_u64(json, "wakeup_ns", ns[METRIC_WAKEUP].sum);
	json_key_u64(json, "blocked_ns", ns[METRIC_BLOCKED].sum);
	json_key_u64(json, "unknown_ns", ns[METRIC_UNKNOWN].sum);
	json_key_u64(json, "switches", task->counts.switches);
	json_key_u64(json, "preemptions", task->counts.preemptions);
	json_key_u64(json, "migrations", task->counts.migrations);
	json_key_u64(json, "spinning_ns", ns[METRIC_SPINNING].sum);
	json_key_u64(json, "waiting_off_cpu_ns", ns[METRIC_WAITING_OFF_CPU].sum);
	json_key_u64(json, "work_off_cpu_ns", ns[METRIC_WORK_OFF_CPU].sum);
	json_key_known_u64(json, "stolen_ns", model->has_interrupts, ns[METRIC_STOLEN].sum);
	write_balance(json, task);
	report_json_events(json, model, task->events);
}

static void write_task(struct json *json, const struct report *report, const struct task *task)
{
	const struct distribution *ns = task->ns;

	json_begin_object(json);
	report_json_task(json, report->model, task);
	write_distribution(json, "on_cpu_distribution_ns", &ns[METRIC_ON_CPU]);
	write_distribution(json, "waiting_distribution_ns", &ns[METRIC_WAITING]);
	write_distribution(json, "spinning_distribution_ns", &ns[METRIC_SPINNING]);
	write_distribution(json, "preempted_distribution_ns", &ns[METRIC_PREEMPTED]);
	write_distribution(json, "wakeup_distribution_ns", &ns[METRIC_WAKEUP]);
	write_distribution(json, "blocked_distribution_ns", &ns[METRIC_BLOCKED]);
	json_key(json, "by_thread");
	json_begin_array(json);
	for (size_t i = 0; i < task->nr_threads; i++)
		write_task_thread(json, report, &task->threads[i]);
	json_end_array(json);
	json_end_object(json);
}

void report_json(const struct report *report, FILE *out)
{
	struct json json;

	json_init(&json, out, JSON_INDENTED);
	json_begin_object(&json);
	json_key_u64(&json, "version", REPORT_JSON_VERSION);
	report_json_trace(&json, report->model, report->stats->events);
	write_topology(&json, &report->model->topology);
	json_key(&json, "threads");
	json_begin_array(&json);
	for (size_t i = 0; i < report->model->nr_threads; i++)
		write_thread(&json, report, (uint32_t)report->threads[i]);
	json_end_array(&json);
	json_key(&json, "tasks");
	json_begin_array(&json);
	for (size_t i = 0; i < report->stats->nr_tasks; i++)
		write_task(&json, report, &report->stats->tasks[report->tasks[i]]);
	json_end_array(&json);
	analyses_json(report->analyses, &json);
	json_end_object(&json);
}
