// SPDX-License-Identifier: GPL-2.0
#include <inttypes.h>

#include "analysis/sched/interference_findings.h"
#include "analysis/sched/migrations.h"
#include "report/analysis_list.h"
#include "report/schema/sched_members.h"
#include "report/table/table_json.h"
#include "report/table/table_text.h"
#include "util/text/figure.h"

#define TEXT_MATRIX_CPUS 14 /* a line's width */

static void *migrations_report_compute(const struct analyses *analyses)
{
	return migrations_compute(analyses->model);
}

static void migrations_report_free(void *result)
{
	migrations_of_free(result);
}

static void migrations_report_add_findings(const struct analyses *analyses, const void *result,
					   struct findings *findings)
{
	migrations_add_findings(analyses->model, result, findings);
}

static uint64_t count_at(const struct migrations *migrations, int from, int to)
{
	return migrations->matrix[(size_t)from * (size_t)migrations->nr_cpus + (size_t)to];
}

static void print_matrix(const struct migrations *migrations, FILE *out)
{
	int nr = migrations->nr_cpus;

	if (nr > TEXT_MATRIX_CPUS) {
		fprintf(out, "The matrix of %d CPUs is in --json.\n", nr);
		return;
	}
	fputs("from\\to", out);
	for (int to = 0; to < nr; to++)
		fprintf(out, " %6d", to);
	for (int from = 0; from < nr; from++) {
		fprintf(out, "\n%7d", from);
		for (int to = 0; to < nr; to++)
			fprintf(out, " %6s", figure_count(count_at(migrations, from, to)).text);
	}
	fputc('\n', out);
}

static void print_distances(const struct analyses *analyses, const struct migrations *migrations,
			    FILE *out)
{
	uint64_t counts[DISTANCE_UNKNOWN + 1] = { 0 };

	for (int from = 0; from < migrations->nr_cpus; from++) {
		for (int to = 0; to < migrations->nr_cpus; to++)
			counts[topology_distance(&analyses->model->topology, from, to)] +=
				count_at(migrations, from, to);
	}
	for (int i = SMT_SIBLING; i <= DISTANCE_UNKNOWN; i++) {
		if (counts[i])
			fprintf(out, "%7s to: %s\n", figure_count(counts[i]).text,
				cpu_distance_name((enum cpu_distance)i));
	}
}

static void migrations_report_write_text(const struct analyses *analyses, const void *result,
					 FILE *out)
{
	const struct migrations *migrations = result;

	fprintf(out,
		"MIGRATIONS: %" PRIu64 ", %" PRIu64 " of them back within %s; waited %s for it\n",
		migrations->total, migrations->ping_pongs, figure_ns(PING_PONG_NS, " ").text,
		figure_ns(migrations->cost_ns, " ").text);
	if (!migrations->total)
		return;
	print_matrix(migrations, out);
	print_distances(analyses, migrations, out);
	table_text_write(analyses, &migrations_analysis, out);
}

static void write_matrix(const struct migrations *migrations, struct json *json)
{
	json_key(json, "matrix");
	json_begin_array(json);
	for (int from = 0; from < migrations->nr_cpus; from++) {
		json_begin_array(json);
		for (int to = 0; to < migrations->nr_cpus; to++)
			json_u64(json, count_at(migrations, from, to));
		json_end_array(json);
	}
	json_end_array(json);
}

static void write_distances(const struct analyses *analyses, const struct migrations *migrations,
			    struct json *json)
{
	json_key(json, "distance");
	json_begin_array(json);
	for (int from = 0; from < migrations->nr_cpus; from++) {
		json_begin_array(json);
		for (int to = 0; to < migrations->nr_cpus; to++) {
			enum cpu_distance distance = topology_distance(&analyses->model->topology,
								       from, to);

			if (distance == DISTANCE_UNKNOWN)
				json_null(json);
			else
				json_u64(json, (uint64_t)distance);
		}
		json_end_array(json);
	}
	json_end_array(json);
}

static void migrations_report_write_json(const struct analyses *analyses, const void *result,
					 struct json *json)
{
	const struct migrations *migrations = result;
	const struct model *model = analyses->model;

	json_begin_object(json);
	json_key_u64(json, "total", migrations->total);
	write_matrix(migrations, json);
	json_key_u64(json, "left_out_of_matrix", migrations->left_out);
	write_distances(analyses, migrations, json);
	table_json_write(analyses, &migrations_analysis, json);
	json_key_u64(json, "ping_pongs", migrations->ping_pongs);
	json_key_u64(json, "cost_ns", migrations->cost_ns);
	json_key(json, "event");
	if (migrations->has_misses)
		json_string(json,
			    trace_string(model->trace, model->pmu_events[migrations->event].name));
	else
		json_null(json);
	json_key_known_double(json, "excess_misses", migrations->has_misses,
			      migrations->excess_misses);
	json_end_object(json);
}

static const void *thread_rows(const void *result, size_t *nr)
{
	const struct migrations *migrations = result;

	*nr = migrations->nr_threads;
	return migrations->threads;
}

static struct table_cell misses_cell(const struct table_source *source, const void *row)
{
	const struct migrations *migrations = source->result;
	const struct thread_migrations *thread = row;

	return (struct table_cell){
		.is_unknown = !migrations->has_misses,
		.real = thread->excess_misses,
	};
}

#define FIELD(field) TABLE_FIELD(thread_migrations, field)

static const struct table_column columns[] = {
	{ COLUMN_THREAD, NULL, "thread", "The thread that moved.", FIELD(thread) },
	{ COLUMN_COUNT, "migrations", "moved", "How often it moved.", FIELD(nr) },
	{ COLUMN_COUNT, "ping_pongs", "back",
	  "Moves back to a CPU that it had left less than 10 ms before.", FIELD(ping_pongs) },
	{ COLUMN_TIME, "cost_ns", "cost",
	  "How long it still waited for the new CPU while the CPU that it had left was already idle, "
	  "less the average of those of its waits that did not end in a migration.",
	  FIELD(cost_ns) },
	{ COLUMN_NUMBER, "misses", "misses",
	  "Excess misses of the first sampled event, negative if there were fewer than usual; null if "
	  "no event was sampled.",
	  .cell = misses_cell },
	{ 0 },
};

static const struct analysis_table tables[] = {
	{ "threads", "Who moved", "thread", columns, sizeof(struct thread_migrations),
	  thread_rows },
	{ 0 },
};

static const struct catalogue_entry catalogue[] = {
	{
		FINDING_MIGRATIONS,
		"threads move from CPU to CPU",
		"A thread that migrates leaves its caches behind. If it leaves the NUMA node, it leaves "
		"its memory behind, too.",
		"A thread migrates when its next slice is on another CPU than its last. How far it moves "
		"follows from the caches and nodes that the two CPUs share.",
		"In the page, a thread's lane changes the CPU. annot report --show migrations lists from "
		"where to where, how far, and the cost.",
		CATALOGUE_CURES(
			"Pin threads: OMP_PROC_BIND=close or spread, OMP_PLACES=cores, taskset, "
			"numactl.",
			"First touch: pin the thread first, then let it be the first to write to the "
			"memory that it will use.",
			"Do not run more threads than CPUs: the scheduler then need not move any."),
	},
	{ 0 },
};

const struct analysis_desc migrations_analysis = {
	.name = "migrations",
	.help = "threads that moved: from where to where, distance, cost",
	.title = "Migrations",
	.tables = tables,
	.catalogue = catalogue,
	.compute = migrations_report_compute,
	.free = migrations_report_free,
	.add_findings = migrations_report_add_findings,
	.write_text = migrations_report_write_text,
	.write_json = migrations_report_write_json,
	.members = migrations_members,
};
