// SPDX-License-Identifier: GPL-2.0
#include "report/what_if/what_if_answer.h"

#include <math.h>

#include "report/what_if/change_words.h"
#include "report/what_if/unlisted_tasks.h"
#include "util/text/figure.h"
#include "util/text/json.h"
#include "util/text/text.h"

#define FULL_GAIN_PCT 1.0 /* a task on every critical path */
#define BAR_COLUMNS 20
#define NAME_COLUMNS 30
#define LEAST_GAIN_PCT 0.005 /* what is less is printed as none */

static double share_of(uint64_t ns, uint64_t of_ns)
{
	return of_ns ? (double)ns / (double)of_ns : 0;
}

static void print_replay(const struct what_if *what_if, FILE *out)
{
	fprintf(out, "Recorded   %s\n", figure_ns(what_if->recorded_ns, " ").text);
	if (!what_if->recorded_ns)
		return;
	fprintf(out, "Replayed   %s unchanged: %+.1f %%\n",
		figure_ns(what_if->replayed_ns, " ").text, 100 * what_if->error);
}

static void print_prediction(const struct what_if *what_if, FILE *out)
{
	double saved = 1 - share_of(what_if->predicted.ns, what_if->recorded_ns);

	fprintf(out, "Predicted  %s", figure_ns(what_if->predicted.ns, " ").text);
	fprintf(out, " (%s", figure_ns(what_if->predicted.least_ns, " ").text);
	fprintf(out, " to %s): %.1f %% %s\n", figure_ns(what_if->predicted.most_ns, " ").text,
		100 * fabs(saved), saved < 0 ? "longer" : "shorter");
}

/* The task that is worth most to make faster; NULL: none is. The first one gains most. */
static const struct what_if_task *bottleneck_of(const struct what_if *what_if)
{
	bool has_gain = what_if->nr_tasks && what_if->tasks[0].gain >= LEAST_GAIN_PCT;

	return has_gain ? &what_if->tasks[0] : NULL;
}

static void print_bottleneck(const struct model *model, const struct what_if *what_if,
			     bool is_changed, FILE *out)
{
	const struct what_if_task *task = bottleneck_of(what_if);

	if (task)
		fprintf(out, "%-10s %s: 1 %% less work in it makes the run %.2f %% shorter\n",
			is_changed ? "Next" : "First", trace_string(model->trace, task->name),
			task->gain);
}

static void print_bar(double gain, FILE *out)
{
	int nr = (int)(gain * BAR_COLUMNS / FULL_GAIN_PCT + 0.5);

	for (int i = 0; i < nr && i < BAR_COLUMNS; i++)
		putc('#', out);
}

static void print_tasks(const struct model *model, const struct what_if *what_if, bool is_changed,
			FILE *out)
{
	if (!what_if->nr_tasks)
		return;
	fprintf(out, "\n%s1 %% less work in a task makes the run shorter by GAIN %%:\n",
		is_changed ? "After that, " : "");
	fprintf(out, "%7s %8s  %s\n", "GAIN", "WORK", "TASK");
	for (size_t i = 0; i < what_if->nr_tasks; i++) {
		const struct what_if_task *task = &what_if->tasks[i];

		fprintf(out, "%7.2f %8s  %-*s  ", task->gain, figure_ns(task->work_ns, "").text,
			NAME_COLUMNS, trace_string(model->trace, task->name));
		print_bar(task->gain, out);
		putc('\n', out);
	}
}

static void print_unlisted(const struct model *model, const struct what_if *what_if, FILE *out)
{
	size_t nr = unlisted_tasks_count(model, what_if);

	if (!nr)
		return;
	if (!what_if->nr_tasks)
		putc('\n', out);
	fprintf(out,
		"Not listed: %zu task%s of less than 1 %% of the work, or without an answer.\n", nr,
		text_plural(nr));
}

static void print_trials(const struct model *model, const struct what_if *what_if,
			 const struct trials *trials, FILE *out)
{
	fputs("\nEach change alone makes the run shorter by:\n", out);
	fprintf(out, "%7s %8s %8s %8s  %s\n", "SHORTER", "LENGTH", "LEAST", "MOST", "CHANGE");
	for (size_t i = 0; i < trials->nr; i++) {
		const struct what_if_prediction *predicted = &trials->rows[i].predicted;
		double pct = 100 - 100 * share_of(predicted->ns, what_if->recorded_ns);

		/* Not "-0.0". */
		fprintf(out, "%6.1f%%", fabs(pct) < 0.05 ? 0.0 : pct);
		fprintf(out, " %8s", figure_ns(predicted->ns, "").text);
		fprintf(out, " %8s", figure_ns(predicted->least_ns, "").text);
		fprintf(out, " %8s  ", figure_ns(predicted->most_ns, "").text);
		change_words_print(model, &trials->rows[i].change, out);
		putc('\n', out);
	}
}

void what_if_text(const struct model *model, const struct what_if *what_if, bool is_changed,
		  const struct trials *trials, FILE *out)
{
	print_replay(what_if, out);
	if (!what_if->has_answer) {
		fprintf(out, "No answer: %s.\n", what_if_why_no_answer(what_if));
		return;
	}
	if (is_changed)
		print_prediction(what_if, out);
	if (trials)
		print_trials(model, what_if, trials, out);
	else
		print_bottleneck(model, what_if, is_changed, out);
	print_tasks(model, what_if, is_changed, out);
	print_unlisted(model, what_if, out);
}

void what_if_json_task(struct json *json, const struct model *model,
		       const struct what_if_task *task)
{
	json_key_string(json, "name", trace_string(model->trace, task->name));
	json_key_u64(json, "work_ns", task->work_ns);
	json_key_known_double(json, "gain_pct_per_pct", true, task->gain);
}

static void write_tasks(struct json *json, const struct model *model, const struct what_if *what_if)
{
	json_key(json, "tasks");
	json_begin_array(json);
	for (size_t i = 0; i < what_if->nr_tasks; i++) {
		json_begin_object(json);
		what_if_json_task(json, model, &what_if->tasks[i]);
		json_end_object(json);
	}
	json_end_array(json);
}

void what_if_json_tasks_head(struct json *json, const struct model *model,
			     const struct what_if *what_if)
{
	const struct what_if_task *task = bottleneck_of(what_if);

	json_key_text(json, "next_task", task ? trace_string(model->trace, task->name) : NULL);
	json_key_u64(json, "tasks_left_out", unlisted_tasks_count(model, what_if));
}

static void write_prediction(struct json *json, const struct what_if_prediction *predicted)
{
	json_key_u64(json, "predicted_ns", predicted->ns);
	json_key_u64(json, "predicted_least_ns", predicted->least_ns);
	json_key_u64(json, "predicted_most_ns", predicted->most_ns);
}

void what_if_json_trial(struct json *json, const struct model *model, const struct trial *trial)
{
	const struct run_change *change = &trial->change;

	json_key_string(json, "change", run_change_name(change->kind));
	if (change->name != TRACE_NO_STRING)
		json_key_string(json, "name", trace_string(model->trace, change->name));
	if (change->kind == CHANGE_CPUS)
		json_key_u64(json, "cpus", (uint64_t)change->nr_cpus);
	write_prediction(json, &trial->predicted);
}

static void write_trials(struct json *json, const struct model *model, const struct trials *trials)
{
	json_key(json, "trials");
	json_begin_array(json);
	for (size_t i = 0; i < trials->nr; i++) {
		json_begin_object(json);
		what_if_json_trial(json, model, &trials->rows[i]);
		json_end_object(json);
	}
	json_end_array(json);
}

void what_if_json_head(struct json *json, const struct what_if *what_if, bool is_changed)
{
	json_key_u64(json, "recorded_ns", what_if->recorded_ns);
	json_key_u64(json, "replayed_ns", what_if->replayed_ns);
	json_key_known_double(json, "replay_error_pct", true, 100 * what_if->error);
	json_key_u64(json, "slice_ns", what_if->slice_ns);
	json_key_u64(json, "latency_ns", what_if->latency_ns);
	if (!what_if->has_answer)
		json_key_string(json, "no_answer", what_if_why_no_answer(what_if));
	if (what_if->has_answer && is_changed)
		write_prediction(json, &what_if->predicted);
}

void what_if_json(const struct model *model, const struct what_if *what_if, bool is_changed,
		  const struct trials *trials, FILE *out)
{
	struct json json;

	json_init(&json, out, JSON_INDENTED);
	json_begin_object(&json);
	what_if_json_head(&json, what_if, is_changed);
	if (what_if->has_answer && trials)
		write_trials(&json, model, trials);
	if (what_if->has_answer) {
		what_if_json_tasks_head(&json, model, what_if);
		write_tasks(&json, model, what_if);
	}
	json_end_object(&json);
}
