// SPDX-License-Identifier: GPL-2.0
#include <stdlib.h>

#include "analysis/sched/idle_waits.h"
#include "report/row_json.h"
#include "report/parts.h"
#include "util/units.h"
#include "util/xalloc.h"

#define NAME_COLUMNS 25
#define TEXT_THREADS 20

static void *analyse_part(const struct insights *insights)
{
	struct idle_waits *result = xcalloc(1, sizeof(*result));

	*result = idle_waits_of(insights->model);
	return result;
}

static void free_part(void *result)
{
	idle_waits_free(result);
	free(result);
}

static void find(const struct insights *insights, const void *result, struct findings *findings)
{
	idle_waits_find(insights->model, result, findings);
}

static void text(const struct insights *insights, const void *result, FILE *out)
{
	const struct idle_waits *idle_waits = result;

	fprintf(out, "%-*s  WAITS   TIME LONGEST  CPU  IDLE CPU\n", NAME_COLUMNS,
		"WAITED BESIDE AN IDLE CPU");
	for (size_t i = 0; i < idle_waits->nr && i < TEXT_THREADS; i++) {
		const struct idle_waits_thread *row = &idle_waits->threads[i];

		print_name(out, thread_label(insights->model, row->thread).text, NAME_COLUMNS,
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

static void write_thread(const struct insights *insights, const struct idle_waits_thread *row,
			 struct json *json)
{
	json_begin_object(json);
	part_write_thread(json, insights->model, row->thread);
	json_key_u64(json, "waits", row->waits);
	json_key_u64(json, "ns", row->ns);
	json_key_u64(json, "longest_ns", row->longest_ns);
	json_key_u64(json, "longest_from_ns", row->longest_from_ns);
	json_key_u64(json, "longest_to_ns", row->longest_to_ns);
	json_key_u64(json, "cpu", (uint64_t)row->longest_cpu);
	json_key_u64(json, "idle_cpu", (uint64_t)row->longest_idle_cpu);
	json_end_object(json);
}

static void json(const struct insights *insights, const void *result, struct json *json)
{
	const struct idle_waits *idle_waits = result;

	json_begin_object(json);
	json_key(json, "threads");
	json_begin_array(json);
	for (size_t i = 0; i < idle_waits->nr && i < PART_MAX_ROWS; i++)
		write_thread(insights, &idle_waits->threads[i], json);
	json_end_array(json);
	json_key_u64(json, "left_out",
		     idle_waits->nr > PART_MAX_ROWS ? idle_waits->nr - PART_MAX_ROWS : 0);
	json_end_object(json);
}

const struct insight_part idle_waits_part = {
	.name = "idle_waits",
	.help = "threads that waited for a busy CPU while another one was idle",
	.analyse = analyse_part,
	.free = free_part,
	.find = find,
	.text = text,
	.json = json,
};
