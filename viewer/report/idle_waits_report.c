// SPDX-License-Identifier: GPL-2.0
#include <stdlib.h>

#include "analysis/sched/idle_waits.h"
#include "report/row_json.h"
#include "report/analysis_list.h"
#include "util/figure.h"
#include "util/text.h"
#include "util/xalloc.h"

#define NAME_COLUMNS 25
#define TEXT_THREADS 20

static void *idle_waits_report_compute(const struct analyses *analyses)
{
	struct idle_waits *result = xcalloc(1, sizeof(*result));

	*result = idle_waits_compute(analyses->model);
	return result;
}

static void idle_waits_report_free(void *result)
{
	idle_waits_free(result);
	free(result);
}

static void idle_waits_report_add_findings(const struct analyses *analyses, const void *result,
					   struct findings *findings)
{
	idle_waits_add_findings(analyses->model, result, findings);
}

static void idle_waits_report_write_text(const struct analyses *analyses, const void *result,
					 FILE *out)
{
	const struct idle_waits *idle_waits = result;

	fprintf(out, "%-*s  WAITS   TIME LONGEST  CPU  IDLE CPU\n", NAME_COLUMNS,
		"WAITED, ANOTHER CPU IDLE");
	for (size_t i = 0; i < idle_waits->nr && i < TEXT_THREADS; i++) {
		const struct idle_waits_thread *row = &idle_waits->threads[i];

		text_print_name(out, thread_label(analyses->model, row->thread).text, NAME_COLUMNS,
				NAME_COLUMNS);
		fprintf(out, "  %5s %6s %7s %4d %9d\n", figure_count(row->waits).text,
			figure_ns(row->ns, "").text, figure_ns(row->longest_ns, "").text,
			row->longest_cpu, row->longest_idle_cpu);
	}
	if (idle_waits->nr > TEXT_THREADS)
		fprintf(out, "and %zu more threads\n", idle_waits->nr - TEXT_THREADS);
	if (!idle_waits->nr)
		fputs("nobody\n", out);
}

static void write_thread(const struct analyses *analyses, const struct idle_waits_thread *row,
			 struct json *json)
{
	json_begin_object(json);
	row_json_thread(json, analyses->model, row->thread);
	json_key_u64(json, "waits", row->waits);
	json_key_u64(json, "ns", row->ns);
	json_key_u64(json, "longest_ns", row->longest_ns);
	json_key_u64(json, "longest_from_ns", row->longest_from_ns);
	json_key_u64(json, "longest_to_ns", row->longest_to_ns);
	json_key_u64(json, "cpu", (uint64_t)row->longest_cpu);
	json_key_u64(json, "idle_cpu", (uint64_t)row->longest_idle_cpu);
	json_end_object(json);
}

static void idle_waits_report_write_json(const struct analyses *analyses, const void *result,
					 struct json *json)
{
	const struct idle_waits *idle_waits = result;

	json_begin_object(json);
	json_key(json, "threads");
	json_begin_array(json);
	for (size_t i = 0; i < idle_waits->nr && i < ROW_JSON_MAX; i++)
		write_thread(analyses, &idle_waits->threads[i], json);
	json_end_array(json);
	json_key_u64(json, "left_out",
		     idle_waits->nr > ROW_JSON_MAX ? idle_waits->nr - ROW_JSON_MAX : 0);
	json_end_object(json);
}

static const struct catalogue_entry catalogue[] = {
	{
		FINDING_IDLE_WAITS,
		"threads wait for a busy CPU while another one is idle",
		"Threads are queued on one CPU while another CPU, on which they have also run, is idle.",
		"annot sums the time in which a thread was queued on one CPU and another CPU was idle on "
		"which the thread ran at some time. It subtracts the time in which the CPU of the "
		"queue was itself idle.",
		"In the page, a thread's lane is 'preempted' or 'runnable' while a CPU's lane is empty. "
		"annot report --show idle_waits lists each thread; --show interference lists the queue "
		"of each CPU.",
		CATALOGUE_CURES(
			"Start as many threads as there are CPUs (OMP_NUM_THREADS). A container may have "
			"fewer than nproc prints.",
			"Do not let affinity masks overlap: several programs pinned to the same CPUs "
			"wait for each other while other CPUs are idle.",
			"Do not pin threads if the load changes."),
	},
	{ 0 },
};

const struct analysis_desc idle_waits_analysis = {
	.name = "idle_waits",
	.help = "threads that waited for a busy CPU while another one was idle",
	.catalogue = catalogue,
	.compute = idle_waits_report_compute,
	.free = idle_waits_report_free,
	.add_findings = idle_waits_report_add_findings,
	.write_text = idle_waits_report_write_text,
	.write_json = idle_waits_report_write_json,
};
