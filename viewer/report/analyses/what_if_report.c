// SPDX-License-Identifier: GPL-2.0
#include <stdlib.h>

#include "analysis/replay/finding_gains.h"
#include "report/analyses/what_if_report.h"
#include "report/analysis_list.h"
#include "report/table/analysis_table.h"
#include "util/xalloc.h"

/*
 * A replay takes as long as reading two such events, and there are dozens of them: of longer sessions, annot what-if tells the
 * same to who asks for it.
 */
#define MOST_STATES 500000

struct what_if_report {
	const char *not_computed; /* why there is none; NULL: there is one */
	bool has_oracle;
	struct what_if_oracle oracle;
	struct what_if what_if;
};

static size_t count_states(const struct model *model)
{
	size_t nr = 0;

	for (size_t i = 0; i < model->nr_threads; i++)
		nr += model->threads[i].in_session ? model->threads[i].states.nr : 0;
	return nr;
}

static void *what_if_report_compute(const struct analyses *analyses)
{
	const struct what_if_question nothing = { 0 };
	struct what_if_report *result = xcalloc(1, sizeof(*result));

	if (count_states(analyses->model) > MOST_STATES) {
		result->not_computed = "the session has more than 500 000 states of threads: "
				       "annot what-if replays it";
		return result;
	}
	result->oracle = what_if_oracle_new(analyses->model,
					    analyses_result(analyses, &regions_analysis));
	result->has_oracle = true;
	result->what_if = what_if_compute(&result->oracle, &nothing);
	if (!result->what_if.has_answer)
		result->not_computed = what_if_why_no_answer(&result->what_if);
	return result;
}

static void what_if_report_free(void *context)
{
	struct what_if_report *result = context;

	what_if_free(&result->what_if);
	if (result->has_oracle)
		what_if_oracle_free(&result->oracle);
	free(result);
}

static const char *what_if_report_not_computed(const void *result)
{
	return ((const struct what_if_report *)result)->not_computed;
}

void what_if_report_add_gains(const struct analyses *analyses, struct findings *findings)
{
	const struct what_if_report *report = analyses_result(analyses, &what_if_analysis);

	if (report->has_oracle)
		finding_gains_compute(findings, &report->oracle);
}

double what_if_report_error(const struct analyses *analyses)
{
	const struct what_if_report *report = analyses_result(analyses, &what_if_analysis);

	return report->what_if.error;
}

static const void *replay_rows(const void *result, size_t *nr)
{
	const struct what_if_report *report = result;

	*nr = report->has_oracle;
	return &report->what_if;
}

static const void *task_rows(const void *result, size_t *nr)
{
	const struct what_if_report *report = result;

	*nr = report->what_if.nr_tasks;
	return report->what_if.tasks;
}

static struct table_cell error_cell(const struct table_source *source, const void *row)
{
	const struct what_if *what_if = row;

	(void)source;
	return (struct table_cell){ .is_unknown = !what_if->recorded_ns,
				    .real = 100 * what_if->error };
}

static struct table_cell name_cell(const struct table_source *source, const void *row)
{
	const struct what_if_task *task = row;

	return (struct table_cell){ .text = trace_string(source->analyses->model->trace,
							 task->name) };
}

#define REPLAY_FIELD(field) TABLE_FIELD(what_if, field)

static const struct table_column replay_columns[] = {
	{ COLUMN_TIME, "recorded_ns", "recorded", "How long the session took.",
	  REPLAY_FIELD(recorded_ns) },
	{ COLUMN_TIME, "replayed_ns", "replayed", "How long the unchanged replay takes.",
	  REPLAY_FIELD(replayed_ns) },
	{ COLUMN_NUMBER, "replay_error_pct", "%",
	  "By how much that is longer, in percent. Beyond 10 nothing is predicted.",
	  .cell = error_cell },
	{ 0 },
};

#define TASK_FIELD(field) TABLE_FIELD(what_if_task, field)

static const struct table_column task_columns[] = {
	{ COLUMN_TEXT, "name", "task", "The task.", .cell = name_cell },
	{ COLUMN_NUMBER, "gain_pct_per_pct", "gain",
	  "By how many percent the session is shorter if the task has one percent less work.",
	  TASK_FIELD(gain) },
	{ COLUMN_TIME, "work_ns", "work", "Its time on CPUs, of all threads.",
	  TASK_FIELD(work_ns) },
	{ 0 },
};

static const struct analysis_table tables[] = {
	{ "replay", "The replay", "replay", replay_columns, sizeof(struct what_if), replay_rows },
	{ "tasks", "What is worth making faster", "task", task_columns, sizeof(struct what_if_task),
	  task_rows },
	{ 0 },
};

const struct analysis_desc what_if_analysis = {
	.name = "what_if",
	.help = "what is worth making faster, by a replay of the session",
	.title = "What if",
	.tables = tables,
	.compute = what_if_report_compute,
	.needs = &regions_analysis,
	.free = what_if_report_free,
	.not_computed = what_if_report_not_computed,
};
