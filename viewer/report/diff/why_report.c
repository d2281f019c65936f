// SPDX-License-Identifier: GPL-2.0
#include "report/diff/why_report.h"

#include <math.h>
#include <stdlib.h>

#include "report/diff/diff_page.h"
#include "util/text/figure.h"
#include "util/text/html_text.h"
#include "util/text/text.h"

#define NAME_COLUMNS 24

/* Between a task's name and what its difference is made of. */
#define FIGURES_COLUMNS 27

/* Smaller shares of all that changed are not told in text; in JSON they are. */
#define LEAST_SHARE 0.01

/* A part of a difference, whichever sign that has. */
static const struct {
	const char *key;
	const char *name;
} parts[NR_INSTANCE_PARTS] = {
	[PART_INSTRUCTIONS] = { "instructions_ns", "by the number of instructions" },
	[PART_MISSES] = { "misses_ns", "by cache misses" },
	[PART_SIBLING] = { "sibling_ns", "by SMT siblings" },
	[PART_IPC] = { "ipc_ns", "by IPC for other reasons" },
	[PART_CLOCK] = { "clock_ns", "by the clock's frequency" },
	[PART_USEFUL] = { "useful_ns", "on a CPU" },
	[PART_STOLEN] = { "stolen_ns", "in interrupts" },
	[PART_SPINNING] = { "spinning_ns", "spinning" },
	[PART_PREEMPTED] = { "preempted_ns", "preempted" },
	[PART_WAKEUP] = { "wakeup_ns", "woken late" },
	[PART_BLOCKED] = { "blocked_ns", "blocked" },
	[PART_UNKNOWN] = { "unknown_ns", "in an unknown state" },
};

static const char *part_name(const struct why_task *why, int part)
{
	if (part == PART_CLOCK && !why->with_kernel)
		return "by the clock's frequency, or in the kernel";
	return parts[part].name;
}

static const char *name_of(const struct why_report *why, uint32_t name)
{
	return name == TRACE_NO_STRING ? NULL : string_table_get(why->whys->runs->names, name);
}

/* What instances were blocked on, if that is known of what changed most. */
static void print_cause(const struct why_report *why, const struct why_task *task, FILE *out)
{
	const char *name = task->nr_causes ? name_of(why, task->causes[0].cause) : NULL;

	if (name)
		fprintf(out, " (%s on %s)", figure_change_ns(llround(task->causes[0].ns)).text,
			name);
}

/* The part that changed most of those that @told does not have. */
static int next_part(const struct why_task *task, const bool *told)
{
	int most = -1;

	for (int part = 0; part < NR_INSTANCE_PARTS; part++) {
		if (!told[part] &&
		    (most < 0 || llabs(task->parts_ns[part]) > llabs(task->parts_ns[most])))
			most = part;
	}
	return most;
}

static double all_parts_ns(const struct why_task *task)
{
	double sum_ns = 0;

	for (int part = 0; part < NR_INSTANCE_PARTS; part++)
		sum_ns += fabs((double)task->parts_ns[part]);
	return sum_ns;
}

char *why_report_sentence(const struct why_report *why, const struct why_task *task)
{
	double least_ns = LEAST_SHARE * all_parts_ns(task);
	bool told[NR_INSTANCE_PARTS] = { false };
	const char *separator = "";
	char *text = NULL;
	size_t nr_bytes;
	FILE *out = open_memstream(&text, &nr_bytes);

	if (!out)
		return NULL;
	for (int i = 0; i < NR_INSTANCE_PARTS; i++) {
		int part = next_part(task, told);
		int64_t ns = task->parts_ns[part];

		told[part] = true;
		if (!ns || fabs((double)ns) < least_ns)
			continue;
		fprintf(out, "%s%s %s", separator, figure_change_ns(ns).text,
			part_name(task, part));
		separator = ", ";
		if (part == PART_BLOCKED)
			print_cause(why, task, out);
	}
	if (task->migrations[0] > 0 || task->migrations[1] > 0)
		fprintf(out, "%s%.3g migrations, were %.3g", *separator ? "; " : "",
			task->migrations[1], task->migrations[0]);
	fclose(out);
	return text;
}

static struct figure mean_of(const struct why_task *task, int side, const char *space)
{
	return figure_ns((uint64_t)llround(task->mean_ns[side]), space);
}

static void print_tasks(const struct why_report *why, FILE *out)
{
	if (why->whys->nr_tasks)
		fprintf(out,
			"\n%-*s  BEFORE   AFTER   change  of the mean instance, and what it is made of\n",
			NAME_COLUMNS, "WHY");
	for (size_t i = 0; i < why->whys->nr_tasks; i++) {
		const struct why_task *task = &why->whys->tasks[i];
		char *sentence = why_report_sentence(why, task);

		text_print_name(out, name_of(why, task->name), NAME_COLUMNS, NAME_COLUMNS);
		fprintf(out, " %7s %7s %8s  ", mean_of(task, 0, "").text, mean_of(task, 1, "").text,
			figure_change_ns(task->difference_ns).text);
		text_print_wrapped(out, sentence ? sentence : "", LINE_COLUMNS,
				   NAME_COLUMNS + FIGURES_COLUMNS);
		fputc('\n', out);
		free(sentence);
	}
}

size_t why_report_nr_lines(const struct why_report *why)
{
	double sum_ns = 0;
	size_t nr = 0;

	if (!why->with_path)
		return 0;
	for (size_t i = 0; i < why->whys->nr_path_lines; i++)
		sum_ns += why->whys->path_lines[i].ns[0];
	while (nr < why->whys->nr_path_lines &&
	       fabs(why->whys->path_lines[nr].ns[1] - why->whys->path_lines[nr].ns[0]) >=
		       LEAST_SHARE * sum_ns)
		nr++;
	return nr;
}

/* "blocked on futex in barrier": free() it. NULL: it cannot be had. */
static char *line_name(const struct why_report *why, const struct run_path_line *line)
{
	const char *task = name_of(why, line->task), *cause = name_of(why, line->waits_for);
	char *text = NULL;
	size_t nr_bytes;
	FILE *out = open_memstream(&text, &nr_bytes);

	if (!out)
		return NULL;
	fputs(critical_path_kind_name(line->kind), out);
	if (cause)
		fprintf(out, " on %s", cause);
	fprintf(out, task ? " in %s" : " outside of tasks", task);
	fclose(out);
	return text;
}

static void print_path(const struct why_report *why, FILE *out)
{
	size_t nr = why_report_nr_lines(why);

	if (nr)
		fputs("\n BEFORE   AFTER   change  CRITICAL PATH\n", out);
	for (size_t i = 0; i < nr; i++) {
		const double *ns = why->whys->path_lines[i].ns;
		char *name = line_name(why, &why->whys->path_lines[i].line);

		fprintf(out, "%7s %7s %8s  ", figure_ns((uint64_t)llround(ns[0]), "").text,
			figure_ns((uint64_t)llround(ns[1]), "").text,
			figure_change_ns(llround(ns[1] - ns[0])).text);
		text_print_name(out, name ? name : "", -1, 0);
		fputc('\n', out);
		free(name);
	}
}

void why_report_text(const struct why_report *why, FILE *out)
{
	print_tasks(why, out);
	print_path(why, out);
}

static void write_name(const char *name, FILE *out)
{
	fputs("<td class=\"text\">", out);
	html_text_write(name ? name : "", out);
	fputs("</td>", out);
}

static void write_change(int64_t ns, FILE *out)
{
	diff_page_cell(figure_change_ns(ns).text, out);
}

static void write_tasks(const struct why_report *why, FILE *out)
{
	if (!why->whys->nr_tasks)
		return;
	fputs("<h2>Why</h2>\n<div class=\"scroll\"><table>\n<caption>The mean instance of what changed, and what its change is "
	      "made of.</caption>\n<thead><tr><th class=\"left\">task</th><th>before</th><th>after</th><th>change</th>"
	      "<th class=\"left\">is made of</th></tr></thead>\n<tbody>\n",
	      out);
	for (size_t i = 0; i < why->whys->nr_tasks; i++) {
		const struct why_task *task = &why->whys->tasks[i];
		char *sentence = why_report_sentence(why, task);

		fputs("<tr>", out);
		write_name(name_of(why, task->name), out);
		diff_page_cell(mean_of(task, 0, " ").text, out);
		diff_page_cell(mean_of(task, 1, " ").text, out);
		write_change(task->difference_ns, out);
		write_name(sentence, out);
		fputs("</tr>\n", out);
		free(sentence);
	}
	fputs("</tbody></table></div>\n", out);
}

static void write_path(const struct why_report *why, FILE *out)
{
	size_t nr = why_report_nr_lines(why);

	if (!nr)
		return;
	fputs("<h2>Critical path</h2>\n<div class=\"scroll\"><table>\n<thead><tr><th>before</th><th>after</th><th>change</th>"
	      "<th class=\"left\">what is on it</th></tr></thead>\n<tbody>\n",
	      out);
	for (size_t i = 0; i < nr; i++) {
		const double *ns = why->whys->path_lines[i].ns;
		char *name = line_name(why, &why->whys->path_lines[i].line);

		fputs("<tr>", out);
		diff_page_cell(figure_ns((uint64_t)llround(ns[0]), " ").text, out);
		diff_page_cell(figure_ns((uint64_t)llround(ns[1]), " ").text, out);
		write_change(llround(ns[1] - ns[0]), out);
		write_name(name, out);
		fputs("</tr>\n", out);
		free(name);
	}
	fputs("</tbody></table></div>\n", out);
}

void why_report_html(const struct why_report *why, FILE *out)
{
	write_tasks(why, out);
	write_path(why, out);
}

static void write_causes(struct json *json, const struct why_report *why,
			 const struct why_task *task)
{
	json_key(json, "blocked_on");
	json_begin_array(json);
	for (size_t i = 0; i < task->nr_causes; i++) {
		json_begin_object(json);
		json_key_text(json, "cause", name_of(why, task->causes[i].cause));
		json_key_known_i64(json, "difference_ns", true, llround(task->causes[i].ns));
		json_end_object(json);
	}
	json_end_array(json);
}

static void write_task(struct json *json, const struct why_report *why, const struct why_task *task)
{
	json_begin_object(json);
	json_key_string(json, "name", name_of(why, task->name));
	json_key_string(json, "kind", task->kind == TRACE_SPAN_WAIT ? "wait" : "work");
	json_key_known_double(json, "before_mean_ns", true, task->mean_ns[0]);
	json_key_known_double(json, "after_mean_ns", true, task->mean_ns[1]);
	json_key_known_i64(json, "difference_ns", true, task->difference_ns);
	for (int part = 0; part < NR_INSTANCE_PARTS; part++)
		json_key_known_i64(json, parts[part].key, true, task->parts_ns[part]);
	write_causes(json, why, task);
	json_key_known_double(json, "before_migrations", true, task->migrations[0]);
	json_key_known_double(json, "after_migrations", true, task->migrations[1]);
	json_end_object(json);
}

void why_report_line_json(const struct why_report *why, const struct why_path_line *line,
			  struct json *json)
{
	json_begin_object(json);
	json_key_text(json, "task", name_of(why, line->line.task));
	json_key_string(json, "state", critical_path_kind_name(line->line.kind));
	json_key_text(json, "waits_for", name_of(why, line->line.waits_for));
	json_key_known_double(json, "before_ns", true, line->ns[0]);
	json_key_known_double(json, "after_ns", true, line->ns[1]);
	json_end_object(json);
}

void why_report_json(const struct why_report *why, struct json *json)
{
	json_key(json, "why");
	json_begin_array(json);
	for (size_t i = 0; i < why->whys->nr_tasks; i++)
		write_task(json, why, &why->whys->tasks[i]);
	json_end_array(json);
	json_key(json, "critical_path");
	json_begin_array(json);
	for (size_t i = 0; why->with_path && i < why->whys->nr_path_lines; i++)
		why_report_line_json(why, &why->whys->path_lines[i], json);
	json_end_array(json);
}
