// SPDX-License-Identifier: GPL-2.0
#include <stdlib.h>

#include "analysis/memory/miss_costs.h"
#include "analysis/regions/regions.h"
#include "analysis/regions/regions_findings.h"
#include "analysis/events/window_events.h"
#include "analysis/base/top_k.h"
#include "report/analysis_list.h"
#include "report/schema/region_members.h"
#include "util/text/figure.h"
#include "util/text/text.h"
#include "util/xalloc.h"

#define NAME_COLUMNS 30

static void *regions_report_compute(const struct analyses *analyses)
{
	const struct model *model = analyses->model;
	double *miss_ns = miss_costs_by_event(model, analyses->stats);
	struct regions *regions = regions_compute(model, analyses->stats, miss_ns);

	free(miss_ns);
	return regions;
}

static void regions_report_free(void *result)
{
	regions_free(result);
}

static void regions_report_add_findings(const struct analyses *analyses, const void *result,
					struct findings *findings)
{
	imbalance_add_findings(analyses->model, result, findings);
	serialisation_add_findings(analyses->model, result, findings);
}

static const char *group_name(const struct analyses *analyses, const struct region_group *group)
{
	return trace_string(analyses->model->trace, group->name);
}

static void print_group(const struct analyses *analyses, const struct region_group *group,
			int columns, FILE *out)
{
	text_print_name(out, group_name(analyses, group), NAME_COLUMNS, columns);
	fprintf(out, " %-8s %9s %7zu %8s %7.2f %10.2f %8.0f%% %7s\n", region_kind_name(group->kind),
		figure_count(group->nr).text, group->most_threads,
		figure_ns(group->elapsed_ns, "").text, region_group_load_balance(group),
		region_group_parallel_efficiency(group), region_group_imbalance_pct(group),
		figure_ns(group->saved_ns, "").text);
}

static void print_groups(const struct analyses *analyses, const struct regions *regions, FILE *out)
{
	int columns = sizeof("REGION") - 1;

	for (size_t i = 0; i < regions->nr_groups; i++)
		columns = text_widest(columns, group_name(analyses, &regions->groups[i]),
				      NAME_COLUMNS);
	text_print_name(out, "REGION", -1, columns);
	fputs(" KIND     INSTANCES THREADS  ELAPSED BALANCE EFFICIENCY IMBALANCE   SAVED\n", out);
	for (size_t i = 0; i < regions->nr_groups; i++)
		print_group(analyses, &regions->groups[i], columns, out);
}

static void print_totals(const struct regions *regions, FILE *out)
{
	const struct region_totals *totals = &regions->totals;
	double serialisation, load_balance, scheduling;

	fprintf(out, "\nParallel %s, serial %s; perfect balance would save %s.\n",
		figure_ns(totals->parallel_ns, " ").text, figure_ns(totals->serial_ns, " ").text,
		figure_ns(totals->saved_ns, " ").text);
	if (region_totals_efficiencies(totals, &serialisation, &load_balance, &scheduling))
		fprintf(out,
			"Efficiency: serialisation %.2f, load balance %.2f, scheduling %.2f; "
			"parallel %.2f.\n",
			serialisation, load_balance, scheduling,
			serialisation * load_balance * scheduling);
}

static struct thread_label label_of(const struct analyses *analyses, const struct regions *regions,
				    const struct region *region)
{
	return thread_label(analyses->model, regions->threads[region->last.part].thread);
}

/* In brackets what it has more of, where that is a figure. */
static void say_last(const struct analyses *analyses, const struct regions *regions,
		     const struct region *region, FILE *out)
{
	const struct straggler *last = &region->last;

	text_print_name(out, label_of(analyses, regions, region).text, -1, 0);
	fprintf(out, " %s behind: %s", figure_ns(last->behind_ns, " ").text,
		straggler_reason_name(last->why));
	if (last->by_thread != MODEL_NO_THREAD) {
		fputs(last->why == STRAGGLER_PREEMPTED ? " by " : ", while the CPU ran ", out);
		text_print_name(out, thread_label(analyses->model, last->by_thread).text, -1, 0);
	}
	fprintf(out, " (%s)", figure_ns(last->excess_ns, " ").text);
}

/* The worst region of each group. */
static void print_worst(const struct analyses *analyses, const struct regions *regions, FILE *out)
{
	fputs("\nWorst instance of each:\n", out);
	for (size_t i = 0; i < regions->nr_groups; i++) {
		const struct region *region = &regions->rows[regions->groups[i].worst];

		fputs("  ", out);
		text_print_name(out, group_name(analyses, &regions->groups[i]), NAME_COLUMNS, 0);
		fprintf(out, " at %s, %s long: ", figure_ns(region->from_ns, " ").text,
			figure_ns(region->to_ns - region->from_ns, " ").text);
		say_last(analyses, regions, region, out);
		fputc('\n', out);
	}
}

static void regions_report_write_text(const struct analyses *analyses, const void *result,
				      FILE *out)
{
	const struct regions *regions = result;

	if (!regions->nr) {
		fputs("No parallel regions: no task that several threads are in at once, and no "
		      "barrier.\n",
		      out);
		return;
	}
	print_groups(analyses, regions, out);
	print_worst(analyses, regions, out);
	print_totals(regions, out);
}

static void write_group(const struct analyses *analyses, const struct region_group *group,
			struct json *json)
{
	json_begin_object(json);
	json_key_string(json, "name", group_name(analyses, group));
	json_key_bool(json, "is_barrier", group->is_barrier);
	json_key_string(json, "kind", region_kind_name(group->kind));
	json_key_u64(json, "instances", group->nr);
	json_key_u64(json, "nr_threads", group->most_threads);
	json_key_u64(json, "elapsed_ns", group->elapsed_ns);
	json_key_u64(json, "useful_ns", group->useful_ns);
	json_key_known_double(json, "load_balance", true, region_group_load_balance(group));
	json_key_known_double(json, "parallel_efficiency", true,
			      region_group_parallel_efficiency(group));
	json_key_u64(json, "imbalance_time_ns",
		     (uint64_t)(group->max_ns - group->average_ns + 0.5));
	json_key_known_double(json, "imbalance_pct", true, region_group_imbalance_pct(group));
	json_key_u64(json, "saved_ns", group->saved_ns);
	json_key_u64(json, "serial_ns", group->kind == REGION_SERIAL ? group->elapsed_ns : 0);
	json_end_object(json);
}

static void write_totals(const struct analyses *analyses, const struct regions *regions,
			 struct json *json)
{
	const struct findings *findings = &analyses->findings;
	const struct region_totals *totals = &regions->totals;
	double serialisation = 0, load_balance = 0, scheduling = 0;
	bool known = region_totals_efficiencies(totals, &serialisation, &load_balance, &scheduling);

	json_begin_object(json);
	json_key_u64(json, "elapsed_ns", findings->session_to_ns - findings->session_from_ns);
	json_key_u64(json, "parallel_ns", totals->parallel_ns);
	json_key_u64(json, "serial_ns", totals->serial_ns);
	json_key_u64(json, "saved_ns", totals->saved_ns);
	json_key_known_double(json, "serialisation_efficiency", known, serialisation);
	json_key_known_double(json, "load_balance_efficiency", known, load_balance);
	json_key_known_double(json, "scheduling_efficiency", known, scheduling);
	json_key_known_double(json, "parallel_efficiency", known,
			      serialisation * load_balance * scheduling);
	json_end_object(json);
}

static void write_last(const struct analyses *analyses, const struct regions *regions,
		       const struct region *region, struct json *json)
{
	const struct model *model = analyses->model;
	const struct straggler *last = &region->last;
	uint32_t thread = regions->threads[last->part].thread;
	bool by_known = last->by_thread != MODEL_NO_THREAD;
	char *said = NULL;
	size_t nr_bytes;
	FILE *out = open_memstream(&said, &nr_bytes);

	say_last(analyses, regions, region, out);
	fclose(out);
	json_begin_object(json);
	json_key_u64(json, "thread", thread);
	json_key(json, "tid");
	json_i64(json, model->threads[thread].tid);
	json_key_string(json, "why", straggler_reason_name(last->why));
	json_key_u64(json, "behind_ns", last->behind_ns);
	json_key_u64(json, "excess_ns", last->excess_ns);
	json_key_string(json, "text", said);
	json_key_known_u64(json, "by_thread", by_known, last->by_thread);
	json_key(json, "by_tid");
	if (by_known)
		json_i64(json, model->threads[last->by_thread].tid);
	else
		json_null(json);
	json_end_object(json);
	free(said);
}

/* One that is both sampled and counted has one key. */
static bool is_miss(const struct model *model, size_t event)
{
	for (size_t i = 0; i < event; i++) {
		if (model->pmu_events[i].name == model->pmu_events[event].name)
			return false;
	}
	return miss_level_of_event(model, event) != MISS_NONE;
}

/* An object with what was measured of misses; null if nothing was. */
static void write_misses(const struct window_events *events, const struct region_thread *part,
			 struct json *json)
{
	const struct model *model = events->model;
	bool any = false;

	for (size_t event = 0; event < model->nr_pmu_events; event++) {
		struct window_count count;

		if (!is_miss(model, event))
			continue;
		if (!any)
			json_begin_object(json);
		any = true;
		count = window_events_count(events, event, part->thread, part->from_ns,
					    part->to_ns);
		json_key_known_double(json,
				      trace_string(model->trace, model->pmu_events[event].name),
				      count.measured, count.count);
	}
	if (any)
		json_end_object(json);
	else
		json_null(json);
}

static void write_thread(const struct window_events *events, const struct region_thread *part,
			 struct json *json)
{
	static const char *const keys[REGION_STOLEN] = {
		[REGION_USEFUL] = "useful_ns",	     [REGION_WAITING] = "waiting_ns",
		[REGION_PREEMPTED] = "preempted_ns", [REGION_WAKEUP] = "wakeup_ns",
		[REGION_BLOCKED] = "blocked_ns",     [REGION_LATE] = "late_ns",
		[REGION_UNKNOWN] = "unknown_ns",
	};
	const struct model *model = events->model;

	json_begin_object(json);
	json_key_u64(json, "thread", part->thread);
	json_key(json, "tid");
	json_i64(json, model->threads[part->thread].tid);
	json_key_u64(json, "from_ns", part->from_ns);
	json_key_u64(json, "to_ns", part->to_ns);
	for (int time = 0; time < REGION_STOLEN; time++)
		json_key_u64(json, keys[time], part->ns[time]);
	json_key_u64(json, "spinning_ns", part->spinning_ns);
	json_key_u64(json, "migrations", part->nr_migrations);
	json_key(json, "misses");
	write_misses(events, part, json);
	if (model->has_interrupts)
		json_key_u64(json, "stolen_ns", part->ns[REGION_STOLEN]);
	json_end_object(json);
}

static void write_instance(const struct analyses *analyses, const struct regions *regions,
			   const struct window_events *events, const struct region *region,
			   size_t group, struct json *json)
{
	json_begin_object(json);
	json_key_u64(json, "group", group);
	json_key_u64(json, "from_ns", region->from_ns);
	json_key_u64(json, "to_ns", region->to_ns);
	json_key_known_double(json, "load_balance", true, region_load_balance(region));
	json_key_known_double(json, "parallel_efficiency", true,
			      region_parallel_efficiency(region));
	json_key_u64(json, "imbalance_time_ns", (uint64_t)(region_imbalance_ns(region) + 0.5));
	json_key_known_double(json, "imbalance_pct", true, region_imbalance_pct(region));
	json_key_u64(json, "saved_ns", region->saved_ns);
	json_key(json, "last");
	write_last(analyses, regions, region, json);
	json_key(json, "threads");
	json_begin_array(json);
	for (size_t i = 0; i < region->nr_threads && i < TOP_K_MAX; i++)
		write_thread(events, &regions->threads[region->first_thread + i], json);
	json_end_array(json);
	json_key_u64(json, "threads_left_out",
		     region->nr_threads > TOP_K_MAX ? region->nr_threads - TOP_K_MAX : 0);
	json_end_object(json);
}

/* Returns by group 1 + its place in the list, 0 where it is left out. */
static size_t *write_groups(const struct analyses *analyses, const struct regions *regions,
			    struct json *json)
{
	size_t *places = xcalloc(regions->nr_groups, sizeof(*places));
	struct top_k worst = { 0 };

	for (size_t i = 0; i < regions->nr_groups; i++)
		top_k_add(&worst, regions->groups[i].elapsed_ns, i);
	top_k_sort(&worst);
	json_begin_array(json);
	for (size_t i = 0; i < worst.nr; i++) {
		write_group(analyses, &regions->groups[worst.rows[i].row], json);
		places[worst.rows[i].row] = i + 1;
	}
	json_end_array(json);
	return places;
}

/* Those of most threads are many rows themselves: in all, they are ten times TOP_K_MAX at most, but
 * for the last. */
static void write_instances(const struct analyses *analyses, const struct regions *regions,
			    const size_t *places, struct json *json)
{
	struct window_events events = window_events_new(analyses->model);
	struct top_k worst = { 0 };
	size_t nr_threads = 0, nr_shown = 0;

	for (size_t i = 0; i < regions->nr; i++) {
		if (places[regions->rows[i].group])
			top_k_add(&worst, regions->rows[i].saved_ns, i);
	}
	top_k_sort(&worst);
	json_key(json, "instances");
	json_begin_array(json);
	for (; nr_shown < worst.nr && nr_threads < 10 * TOP_K_MAX; nr_shown++) {
		const struct region *region = &regions->rows[worst.rows[nr_shown].row];

		write_instance(analyses, regions, &events, region, places[region->group] - 1, json);
		nr_threads += region->nr_threads;
	}
	json_end_array(json);
	json_key_u64(json, "left_out", regions->nr - nr_shown);
	window_events_free(&events);
}

static void regions_report_write_json(const struct analyses *analyses, const void *result,
				      struct json *json)
{
	const struct regions *regions = result;
	size_t *places;

	json_begin_object(json);
	json_key(json, "groups");
	places = write_groups(analyses, regions, json);
	json_key(json, "totals");
	write_totals(analyses, regions, json);
	write_instances(analyses, regions, places, json);
	json_end_object(json);
	free(places);
}

static const struct catalogue_entry catalogue[] = {
	{
		FINDING_IMBALANCE,
		"threads of one parallel region get unequal amounts of work",
		"Some threads of a parallel region finish early and wait for the last one. The time "
		"they wait is lost.",
		"annot takes the useful time of each thread in each instance of the region: time on a "
		"CPU, in a work span, outside wait spans. Imbalance time is the greatest useful time "
		"minus the mean. It is the time that perfect balance would save. A thread counts as "
		"consistently slowest if a permutation test rejects chance at 1 %.",
		"In the page, the region's spans end at different times, and a wait follows each of "
		"them but the last. annot report --show regions lists the last thread of each "
		"instance, and why it was last.",
		CATALOGUE_CURES(
			"Hand out smaller chunks as threads become free: a dynamic or guided schedule, a "
			"work queue, work stealing.",
			"Split by the amount of work (non-zeros, particles), not by index.",
			"Start with the largest pieces.",
			"If the last thread has the same work but more misses, see set-conflicts and "
			"working-set. If it was preempted, see interference."),
	},
	{
		FINDING_SERIALISATION,
		"one thread works while the others wait",
		"Part of the program runs in one thread only. More CPUs do not make it faster "
		"(Amdahl's law).",
		"annot sums the time in which one thread of a group works and all others wait. It does "
		"not count the end of a region in which all of them take part.",
		"In the page, one lane is filled, and the others show a wait of the same length. "
		"annot report --show regions lists the time as serial.",
		CATALOGUE_CURES(
			"Make the serial part parallel, or run it while the other threads do other work.",
			"Move input, output and allocation out of it.",
			"If it holds a lock: split the lock, or hold it for a shorter time.",
			"If nothing else helps, use fewer threads: the others only cost."),
	},
	{ 0 },
};

const struct analysis_desc regions_analysis = {
	.name = "regions",
	.help = "parallel regions: balance, the last thread, and why",
	.catalogue = catalogue,
	.compute = regions_report_compute,
	.free = regions_report_free,
	.add_findings = regions_report_add_findings,
	.write_text = regions_report_write_text,
	.write_json = regions_report_write_json,
	.members = regions_members,
};
