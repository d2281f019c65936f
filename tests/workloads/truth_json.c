// SPDX-License-Identifier: GPL-2.0
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "annot/annot.h"
#include "load.h"
#include "truth_log.h"

#define MAX_TASKS 32

static const char *kind_name(const struct truth_annotation *begin)
{
	return begin->letter == 'W' ? "wait" : "work";
}

/* Between the elements of a list: nothing before the first. */
static void separate(FILE *out, unsigned int index, const char *separator)
{
	if (index)
		fputs(separator, out);
}

static void write_text(FILE *out, const char *text)
{
	fputc('"', out);
	for (; *text; text++) {
		if (*text == '"' || *text == '\\')
			fputc('\\', out);
		fputc(*text, out);
	}
	fputc('"', out);
}

/* A member of an object; what is negative is not known. */
static void write_number(FILE *out, const char *key, int64_t number)
{
	if (number < 0)
		fprintf(out, "\"%s\": null", key);
	else
		fprintf(out, "\"%s\": %" PRId64, key, number);
}

static unsigned int count(const struct truth_thread *thread, char letter)
{
	unsigned int i, nr = 0;

	for (i = 0; i < thread->nr_annotations; i++)
		nr += thread->annotations[i].letter == letter;
	return nr;
}

static void write_annotations(FILE *out, const struct truth_thread *thread)
{
	unsigned int i;

	fprintf(out,
		"\t\t\"annotations\": {\"begin\": %u, \"wait_begin\": %u, \"end\": %u, "
		"\"mark\": %u, \"counter\": %u},\n",
		count(thread, 'B'), count(thread, 'W'), count(thread, 'E'), count(thread, 'I'),
		count(thread, 'C'));
	fputs("\t\t\"sequence\": [", out);
	for (i = 0; i < thread->nr_annotations; i++) {
		const struct truth_annotation *annotation = &thread->annotations[i];

		separate(out, i, ", ");
		fprintf(out, "\"%c", annotation->letter);
		if (annotation->name)
			fprintf(out, " %s", annotation->name);
		if (annotation->has_value)
			fprintf(out, " %" PRId64, annotation->value);
		fputc('"', out);
	}
	fputs("],\n", out);
}

static void write_spans(FILE *out, const struct truth_thread *thread)
{
	unsigned int i;

	fputs("\t\t\"spans\": [", out);
	for (i = 0; i < thread->nr_spans; i++) {
		const struct truth_span *span = &thread->spans[i];

		separate(out, i, ",");
		fprintf(out, "\n\t\t\t{\"name\": \"%s\", \"kind\": \"%s\", \"depth\": %u, ",
			span->begin.name, kind_name(&span->begin), span->depth);
		if (span->begin.has_value)
			fprintf(out, "\"value\": %" PRId64, span->begin.value);
		else
			fputs("\"value\": null", out);
		fprintf(out,
			", \"start_ns\": %" PRIu64 ", \"end_ns\": %" PRIu64 ", \"cpu_ns\": %" PRIu64
			", ",
			span->start_ns, span->end_ns, span->cpu_ns);
		write_number(out, "start_count", span->start_count);
		fputs(", ", out);
		write_number(out, "count", span->count);
		fputc('}', out);
	}
	fputs("],\n", out);
}

static void write_moves(FILE *out, const struct truth_thread *thread)
{
	unsigned int i;

	fputs("\t\t\"moves\": [", out);
	for (i = 0; i < thread->nr_moves; i++) {
		const struct truth_move *move = &thread->moves[i];

		separate(out, i, ",");
		fprintf(out,
			"\n\t\t\t{\"from\": %d, \"to\": %d, \"before_ns\": %" PRIu64
			", \"after_ns\": %" PRIu64 "}",
			move->from, move->to, move->before_ns, move->after_ns);
	}
	fputs("]\n", out);
}

static void write_thread(FILE *out, const struct truth_thread *thread)
{
	fprintf(out, "\t{\n\t\t\"tid\": %d, \"tgid\": %d, \"name\": \"%s\",\n", thread->tid,
		thread->tgid, thread->name);
	fprintf(out,
		"\t\t\"start_ns\": %" PRIu64 ", \"end_ns\": %" PRIu64 ", \"cpu_ns\": %" PRIu64
		",\n",
		thread->start_ns, thread->end_ns, thread->cpu_ns);
	fputs("\t\t", out);
	write_number(out, "schedstat_run_ns", thread->schedstat_run_ns);
	fputs(", ", out);
	write_number(out, "count", thread->count);
	fprintf(out, ", \"count_error\": %d,\n", thread->count_error);
	fprintf(out, "\t\t\"voluntary_switches\": %ld, \"involuntary_switches\": %ld,\n",
		thread->voluntary_switches, thread->involuntary_switches);
	write_annotations(out, thread);
	write_spans(out, thread);
	write_moves(out, thread);
	fputs("\t}", out);
}

/* Spans of one name and kind, over all threads. */
struct task {
	const struct truth_annotation *begin; /* of its first instance */
	unsigned int nr_instances;
	unsigned int nr_threads;
	uint64_t wall_ns;
	uint64_t cpu_ns;
	uint64_t max_cpu_ns; /* of a thread */
};

static struct task *find_task(struct task *tasks, unsigned int *nr,
			      const struct truth_annotation *begin)
{
	unsigned int i;

	for (i = 0; i < *nr; i++) {
		if (tasks[i].begin->letter == begin->letter &&
		    !strcmp(tasks[i].begin->name, begin->name))
			return &tasks[i];
	}
	if (*nr == MAX_TASKS)
		die("more than %d tasks", MAX_TASKS);
	tasks[*nr].begin = begin;
	return &tasks[(*nr)++];
}

static void add_thread(struct task *tasks, unsigned int *nr, const struct truth_thread *thread)
{
	struct task own[MAX_TASKS] = { 0 };
	unsigned int i, nr_own = 0;

	for (i = 0; i < thread->nr_spans; i++) {
		const struct truth_span *span = &thread->spans[i];
		struct task *task = find_task(own, &nr_own, &span->begin);

		task->nr_instances++;
		task->wall_ns += span->end_ns - span->start_ns;
		task->cpu_ns += span->cpu_ns;
	}
	for (i = 0; i < nr_own; i++) {
		struct task *task = find_task(tasks, nr, own[i].begin);

		task->nr_threads++;
		task->nr_instances += own[i].nr_instances;
		task->wall_ns += own[i].wall_ns;
		task->cpu_ns += own[i].cpu_ns;
		if (own[i].cpu_ns > task->max_cpu_ns)
			task->max_cpu_ns = own[i].cpu_ns;
	}
}

static void write_task(FILE *out, const struct task *task)
{
	double max = task->max_cpu_ns ? (double)task->max_cpu_ns : 1;
	double avg = (double)task->cpu_ns / task->nr_threads;
	double nr = task->nr_threads;

	fprintf(out,
		"\t{\"name\": \"%s\", \"kind\": \"%s\", \"instances\": %u, \"threads\": %u, "
		"\"wall_ns\": %" PRIu64 ", \"cpu_ns\": %" PRIu64 ", ",
		task->begin->name, kind_name(task->begin), task->nr_instances, task->nr_threads,
		task->wall_ns, task->cpu_ns);
	fprintf(out, "\"load_balance\": %.6f, \"imbalance_time_ns\": %.0f, ", avg / max, max - avg);
	if (task->nr_threads > 1)
		fprintf(out, "\"imbalance_pct\": %.4f}", (max - avg) / max * nr / (nr - 1) * 100);
	else
		fputs("\"imbalance_pct\": null}", out);
}

static void write_tasks(FILE *out, const struct truth *truth)
{
	struct task tasks[MAX_TASKS] = { 0 };
	unsigned int i, nr = 0;

	for (i = 0; i < truth->nr_threads; i++)
		add_thread(tasks, &nr, &truth->threads[i]);
	fputs("\"tasks\": [\n", out);
	for (i = 0; i < nr; i++) {
		separate(out, i, ",\n");
		write_task(out, &tasks[i]);
	}
	fputs("\n],\n", out);
}

struct matrix {
	unsigned int count[MAX_CPUS][MAX_CPUS];
};

static void write_matrix(FILE *out, const struct truth *truth)
{
	struct matrix *matrix = calloc(1, sizeof(*matrix));
	unsigned int i, j, from, to, total = 0, nr = 0;

	if (!matrix)
		die("no memory");
	for (i = 0; i < truth->nr_threads; i++) {
		for (j = 0; j < truth->threads[i].nr_moves; j++) {
			const struct truth_move *move = &truth->threads[i].moves[j];

			matrix->count[move->from][move->to]++;
			total++;
		}
	}
	fprintf(out, "\"moves\": {\"total\": %u, \"matrix\": [", total);
	for (from = 0; from < MAX_CPUS; from++) {
		for (to = 0; to < MAX_CPUS; to++) {
			if (!matrix->count[from][to])
				continue;
			separate(out, nr++, ", ");
			fprintf(out, "{\"from\": %u, \"to\": %u, \"count\": %u}", from, to,
				matrix->count[from][to]);
		}
	}
	fputs("]}\n", out);
	free(matrix);
}

static void write_head(FILE *out, const struct truth *truth)
{
	unsigned int i, nr_annotations = 0, nr_cpus;
	int cpus[MAX_CPUS];

	for (i = 0; i < truth->nr_threads; i++)
		nr_annotations += truth->threads[i].nr_annotations;
	nr_cpus = allowed_cpus(cpus);

	fprintf(out, "\"program\": \"%s\", \"pid\": %d, \"clock\": \"CLOCK_MONOTONIC\",\n",
		program_invocation_short_name, getpid());
	fputs("\"annot_status\": ", out);
	write_text(out, annot_status());
	fputs(",\n\"cpus\": [", out);
	for (i = 0; i < nr_cpus; i++) {
		separate(out, i, ", ");
		fprintf(out, "%d", cpus[i]);
	}
	fprintf(out, "],\n\"start_ns\": %" PRIu64 ", \"end_ns\": %" PRIu64 ",\n", truth->start_ns,
		wall_ns());
	fprintf(out, "\"annotations\": %u,\n", nr_annotations);
	fputs("\"counted\": ", out);
	if (truth->event)
		write_text(out, truth->event);
	else
		fputs("null", out);
	fputs(",\n", out);
	if (truth->write_details) {
		truth->write_details(out);
		fputs(",\n", out);
	}
}

void truth_write(const struct truth *truth, const char *path)
{
	FILE *out = strcmp(path, "-") ? fopen(path, "we") : stdout;
	unsigned int i;

	if (!out)
		die("%s: %s", path, strerror(errno));
	fputs("{\n", out);
	write_head(out, truth);
	fputs("\"threads\": [\n", out);
	for (i = 0; i < truth->nr_threads; i++) {
		separate(out, i, ",\n");
		write_thread(out, &truth->threads[i]);
	}
	fputs("\n],\n", out);
	write_tasks(out, truth);
	write_matrix(out, truth);
	fputs("}\n", out);
	if (ferror(out) | (out == stdout ? fflush(out) : fclose(out)))
		die("%s: cannot be written", path);
}
