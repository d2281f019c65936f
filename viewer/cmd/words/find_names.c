// SPDX-License-Identifier: GPL-2.0
#include "cmd/words/find_names.h"

#include <stdlib.h>
#include <string.h>

#include "analysis/base/programs.h"
#include "analysis/replay/lock_waits.h"
#include "util/diag.h"
#include "util/text/nearest.h"
#include "util/xalloc.h"

/* The names that may be meant, each once. */
struct choice {
	const struct trace *trace;
	const char *what; /* "task" */
	size_t nr;
	size_t capacity;
	uint32_t *ids;
};

static void add_name(struct choice *choice, uint32_t id)
{
	for (size_t i = 0; i < choice->nr; i++) {
		if (choice->ids[i] == id)
			return;
	}
	ARRAY_MAKE_ROOM(choice->ids, choice->nr, choice->capacity);
	choice->ids[choice->nr++] = id;
}

static int no_such_name(const struct choice *choice, const char *name, size_t length)
{
	const char **names = xcalloc(choice->nr + 1, sizeof(*names)), *nearest;
	char *typed = xstrndup(name, length);

	for (size_t i = 0; i < choice->nr; i++)
		names[i] = trace_string(choice->trace, choice->ids[i]);
	nearest = nearest_word(typed, names);
	diag_error("%s: has no %s '%s'%s%s%s", trace_info(choice->trace)->path, choice->what, typed,
		   nearest ? "; did you mean '" : "", nearest ? nearest : "", nearest ? "'?" : "");
	free(typed);
	free(names);
	return -1;
}

/* NULL: it is none of them. */
static const uint32_t *find_name(const struct choice *choice, const char *name, size_t length)
{
	for (size_t i = 0; i < choice->nr; i++) {
		const char *own = trace_string(choice->trace, choice->ids[i]);

		if (strlen(own) == length && !memcmp(own, name, length))
			return &choice->ids[i];
	}
	return NULL;
}

/* Frees the choice. */
static int choose(struct choice *choice, const char *name, size_t length, uint32_t *id)
{
	const uint32_t *found = find_name(choice, name, length);
	int status = 0;

	if (found)
		*id = *found;
	else
		status = no_such_name(choice, name, length);
	free(choice->ids);
	return status;
}

/* The names of the session's tasks of a kind. */
static struct choice tasks_of_kind(const struct model *model, enum trace_span_kind kind)
{
	struct choice choice = { .trace = model->trace, .what = "task" };

	for (size_t i = 0; i < model->nr_threads; i++) {
		const struct span_table *spans = &model->threads[i].spans;

		for (size_t row = 0; model->threads[i].in_session && row < spans->nr; row++) {
			if (spans->kind[row] == kind)
				add_name(&choice, spans->name[row]);
		}
	}
	return choice;
}

int find_task_name(const struct model *model, const char *name, size_t length, uint32_t *id)
{
	struct choice waits = tasks_of_kind(model, TRACE_SPAN_WAIT);
	struct choice work = tasks_of_kind(model, TRACE_SPAN_WORK);
	bool only_waits = find_name(&waits, name, length) && !find_name(&work, name, length);

	free(waits.ids);
	if (!only_waits)
		return choose(&work, name, length, id);
	free(work.ids);
	return diag_error("%s: '%.*s' is a task of kind wait, where one of kind work is needed",
			  trace_info(model->trace)->path, (int)length, name);
}

int find_region_name(const struct model *model, const struct regions *regions, const char *name,
		     uint32_t *id)
{
	struct choice choice = { .trace = model->trace, .what = "parallel region" };

	for (size_t i = 0; i < regions->nr_groups; i++)
		add_name(&choice, regions->groups[i].name);
	return choose(&choice, name, strlen(name), id);
}

int find_program_name(const struct model *model, const char *name, uint32_t *id)
{
	struct choice choice = { .trace = model->trace, .what = "program" };
	struct programs programs = programs_compute(model);
	int status;

	for (size_t i = 0; i < programs.nr; i++)
		add_name(&choice, programs.names[i]);
	status = choose(&choice, name, strlen(name), id);
	programs_free(&programs);
	return status;
}

int find_lock_name(const struct model *model, const struct regions *regions, const char *name,
		   uint32_t *id)
{
	struct lock_spans waits = lock_waits_find(model, &regions->barriers);
	struct choice choice = { .trace = model->trace, .what = "lock" };

	for (size_t i = 0; i < waits.nr; i++)
		add_name(&choice, waits.rows[i].name);
	free(waits.rows);
	return choose(&choice, name, strlen(name), id);
}
