// SPDX-License-Identifier: GPL-2.0
#include <inttypes.h>
#include <stdlib.h>

#include "analysis/sched/interference.h"
#include "analysis/sched/interference_findings.h"
#include "report/table/row_json.h"
#include "report/analysis_list.h"
#include "report/schema/sched_members.h"
#include "util/text/figure.h"
#include "util/text/text.h"

#define NAME_COLUMNS 20
#define TEXT_PAIRS 20

static void *interference_report_compute(const struct analyses *analyses)
{
	return interference_compute(analyses->model);
}

static void interference_report_free(void *result)
{
	interference_free(result);
}

static void interference_report_add_findings(const struct analyses *analyses, const void *result,
					     struct findings *findings)
{
	interference_add_findings(analyses->model, result, findings);
}

static const char *program_name(const struct analyses *analyses,
				const struct interference *interference, uint32_t program)
{
	if (program == PROGRAM_NOBODY)
		return "(nobody)";
	return trace_string(analyses->model->trace, interference->programs.names[program]);
}

static bool row_is_empty(const struct interference_programs *row)
{
	return !row->preempted_ns && !row->queued_ns;
}

static void print_programs(const struct analyses *analyses, const struct interference *interference,
			   FILE *out)
{
	fprintf(out, "%-*s %-*s  TIMES PREEMPT  WOKEN   LATER  WAITED\n", NAME_COLUMNS,
		"TAKEN FROM PROGRAM", NAME_COLUMNS, "BY PROGRAM");
	for (size_t i = 0; i < interference->nr_rows && i < TEXT_PAIRS; i++) {
		const struct interference_programs *row = &interference->rows[i];

		if (row_is_empty(row))
			continue;
		text_print_name(out, program_name(analyses, interference, row->victim),
				NAME_COLUMNS, NAME_COLUMNS);
		fputc(' ', out);
		text_print_name(out, program_name(analyses, interference, row->by), NAME_COLUMNS,
				NAME_COLUMNS);
		fprintf(out, " %6s %7s %6s %7s %7s\n", figure_count(row->times).text,
			figure_ns(row->preempted_ns, "").text, figure_ns(row->queued_ns, "").text,
			figure_ns(row->lost_ns, "").text,
			figure_ns(row->lengthened_waits_ns, "").text);
	}
}

static void print_pairs(const struct analyses *analyses, const struct interference *interference,
			FILE *out)
{
	fprintf(out, "\n%-*s %-*s  TIMES PREEMPT  WOKEN LONGEST\n", NAME_COLUMNS,
		"TAKEN FROM THREAD", NAME_COLUMNS, "BY THREAD");
	for (size_t i = 0; i < interference->nr_pairs && i < TEXT_PAIRS; i++) {
		const struct interference_pair *pair = &interference->pairs[i];

		text_print_name(out, thread_label(analyses->model, pair->victim).text, NAME_COLUMNS,
				NAME_COLUMNS);
		fputc(' ', out);
		text_print_name(out, thread_label(analyses->model, pair->by).text, NAME_COLUMNS,
				NAME_COLUMNS);
		fprintf(out, " %6s %7s %6s %7s\n", figure_count(pair->times).text,
			figure_ns(pair->preempted_ns, "").text, figure_ns(pair->queued_ns, "").text,
			figure_ns(pair->longest_ns, "").text);
	}
	if (interference->nr_pairs > TEXT_PAIRS)
		fprintf(out, "and %zu more pairs\n", interference->nr_pairs - TEXT_PAIRS);
}

static void print_queues(const struct interference *interference, FILE *out)
{
	fputs("\nCPU  WAITS   TIME LONGEST\n", out);
	for (int cpu = 0; cpu < interference->nr_queues; cpu++) {
		const struct cpu_queue *queue = &interference->queues[cpu];

		if (queue->waits)
			fprintf(out, "%3d %6s %6s %7s\n", cpu, figure_count(queue->waits).text,
				figure_ns(queue->wait_ns, "").text,
				figure_ns(queue->longest_ns, "").text);
	}
}

static void interference_report_write_text(const struct analyses *analyses, const void *result,
					   FILE *out)
{
	const struct interference *interference = result;

	fputs("INTERFERENCE\n", out);
	print_programs(analyses, interference, out);
	print_pairs(analyses, interference, out);
	print_queues(interference, out);
}

static void write_pair(const struct analyses *analyses, const struct interference *interference,
		       const struct interference_pair *pair, struct json *json)
{
	uint32_t by = interference->programs.of_thread[pair->by];

	json_begin_object(json);
	json_key(json, "victim");
	json_begin_object(json);
	row_json_thread(json, analyses->model, pair->victim);
	json_end_object(json);
	json_key(json, "by");
	json_begin_object(json);
	row_json_thread(json, analyses->model, pair->by);
	json_key_string(json, "program", program_name(analyses, interference, by));
	json_end_object(json);
	json_key_u64(json, "times", pair->times);
	json_key_u64(json, "preempted_ns", pair->preempted_ns);
	json_key_u64(json, "queued_ns", pair->queued_ns);
	json_key_u64(json, "longest_ns", pair->longest_ns);
	json_end_object(json);
}

static void write_programs(const struct analyses *analyses, const struct interference *interference,
			   const struct interference_programs *row, struct json *json)
{
	json_begin_object(json);
	json_key_string(json, "victim_program", program_name(analyses, interference, row->victim));
	json_key(json, "by_program");
	if (row->by == PROGRAM_NOBODY)
		json_null(json);
	else
		json_string(json, program_name(analyses, interference, row->by));
	json_key_u64(json, "times", row->times);
	json_key_u64(json, "preempted_ns", row->preempted_ns);
	json_key_u64(json, "queued_ns", row->queued_ns);
	json_key_u64(json, "lengthened_waits_ns", row->lengthened_waits_ns);
	json_key_u64(json, "lost_ns", row->lost_ns);
	json_end_object(json);
}

static void write_queue(const struct cpu_queue *queue, int cpu, struct json *json)
{
	json_begin_object(json);
	json_key_u64(json, "cpu", (uint64_t)cpu);
	json_key_u64(json, "waits", queue->waits);
	json_key_u64(json, "wait_ns", queue->wait_ns);
	json_key_u64(json, "longest_ns", queue->longest_ns);
	json_key(json, "histogram");
	row_json_histogram(json, &queue->histogram);
	json_end_object(json);
}

static size_t left_out(size_t nr)
{
	return nr > ROW_JSON_MAX ? nr - ROW_JSON_MAX : 0;
}

static void interference_report_write_json(const struct analyses *analyses, const void *result,
					   struct json *json)
{
	const struct interference *interference = result;

	json_begin_object(json);
	json_key(json, "pairs");
	json_begin_array(json);
	for (size_t i = 0; i < interference->nr_pairs && i < ROW_JSON_MAX; i++)
		write_pair(analyses, interference, &interference->pairs[i], json);
	json_end_array(json);
	json_key(json, "programs");
	json_begin_array(json);
	for (size_t i = 0; i < interference->nr_rows && i < ROW_JSON_MAX; i++) {
		if (!row_is_empty(&interference->rows[i]))
			write_programs(analyses, interference, &interference->rows[i], json);
	}
	json_end_array(json);
	json_key(json, "queues");
	json_begin_array(json);
	for (int cpu = 0; cpu < interference->nr_queues && cpu < ROW_JSON_MAX; cpu++)
		write_queue(&interference->queues[cpu], cpu, json);
	json_end_array(json);
	json_key_u64(json, "left_out",
		     left_out(interference->nr_pairs) + left_out(interference->nr_rows) +
			     left_out((size_t)interference->nr_queues));
	json_end_object(json);
}

static const struct catalogue_entry catalogue[] = {
	{
		FINDING_INTERFERENCE,
		"another program takes the CPU",
		"A thread could run, but a thread of another program ran on its CPU. Threads that wait "
		"for it at a barrier lose the same time.",
		"annot sums the time in which a thread was preempted, by the thread that ran on its CPU "
		"then. It adds the time by which this lengthened waits of other threads.",
		"In the page, the thread's lane is 'preempted', and its CPU's lane shows a thread of "
		"another program. annot report --show interference lists the pairs of threads.",
		CATALOGUE_CURES(
			"Do not run more threads than there are CPUs, in all programs together.",
			"Give each program its own CPUs: taskset, cgroup cpusets, isolcpus.",
			"Lower the priority of work that can wait: nice, SCHED_BATCH, SCHED_IDLE.",
			"If programs must share CPUs, use barriers that sleep instead of spin."),
	},
	{ 0 },
};

const struct analysis_desc interference_analysis = {
	.name = "interference",
	.help = "which program took the CPU from which, and the cost",
	.catalogue = catalogue,
	.compute = interference_report_compute,
	.takes_longest = true,
	.free = interference_report_free,
	.add_findings = interference_report_add_findings,
	.write_text = interference_report_write_text,
	.write_json = interference_report_write_json,
	.members = interference_members,
};
