// SPDX-License-Identifier: GPL-2.0
#include "cmd/words/what_if_words.h"

#include <stdlib.h>
#include <string.h>

#include "analysis/base/programs.h"
#include "cmd/words/find_names.h"
#include "util/diag.h"

const char *what_if_words_add_faster(struct what_if_words *words, const char *text)
{
	const char *equals = strrchr(text, '=');
	struct faster_words *faster = &words->faster[words->nr_faster];
	char *end;

	_Static_assert(WHAT_IF_MOST_FASTER == 16, "the message has the number");
	if (words->nr_faster == WHAT_IF_MOST_FASTER)
		return "more than 16 tasks";
	if (!equals || equals == text)
		return "not TASK=FACTOR, such as solve=1.5";
	faster->text = text;
	faster->name_length = (size_t)(equals - text);
	faster->factor = strtod(equals + 1, &end);
	if (end == equals + 1 || *end || !(faster->factor >= 0.01 && faster->factor <= 1000))
		return "not a factor from 0.01 to 1000";
	words->nr_faster++;
	return NULL;
}

bool what_if_words_are_given(const struct what_if_words *words)
{
	return words->balance || words->without || words->no_lock || words->merge_chunks ||
	       words->nr_cpus || words->pin || words->unpin || words->nr_faster;
}

static bool ran(const struct thread *thread)
{
	return thread->states.nr && memchr(thread->states.state, STATE_RUNNING, thread->states.nr);
}

/* Without them, a run of no length would be the answer. */
static bool is_all_of_session(const struct model *model, uint32_t program)
{
	struct programs programs = programs_compute(model);
	bool has_any = false, has_other = false;

	for (size_t i = 0; i < model->nr_threads; i++) {
		if (!model->threads[i].in_session || !ran(&model->threads[i]))
			continue;
		if (programs.names[programs.of_thread[i]] == program)
			has_any = true;
		else
			has_other = true;
	}
	programs_free(&programs);
	return has_any && !has_other;
}

static int find_left_out(const struct what_if_words *words, const struct model *model,
			 uint32_t *program)
{
	if (find_program_name(model, words->without, program))
		return -1;
	if (is_all_of_session(model, *program))
		return diag_error(
			"%s: all threads of the session are of the program '%s': without it, "
			"nothing is left",
			trace_info(model->trace)->path, words->without);
	return 0;
}

static int find_changes(const struct what_if_words *words, const struct model *model,
			const struct regions *regions, struct replay_changes *changes)
{
	if (words->balance && find_region_name(model, regions, words->balance, &changes->balanced))
		return -1;
	if (words->without && find_left_out(words, model, &changes->without))
		return -1;
	if (words->no_lock && find_lock_name(model, regions, words->no_lock, &changes->no_lock))
		return -1;
	if (words->merge_chunks && find_task_name(model, words->merge_chunks,
						  strlen(words->merge_chunks), &changes->merged))
		return -1;
	return 0;
}

int what_if_words_ask(const struct what_if_words *words, const struct model *model,
		      const struct regions *regions, struct what_if_question *question)
{
	*question = (struct what_if_question){
		.nr_cpus = (int)words->nr_cpus,
		.is_pinned = words->pin,
		.is_unpinned = words->unpin,
		.nr_faster = words->nr_faster,
	};
	for (size_t i = 0; i < words->nr_faster; i++) {
		question->faster[i].factor = words->faster[i].factor;
		if (find_task_name(model, words->faster[i].text, words->faster[i].name_length,
				   &question->faster[i].task))
			return -1;
	}
	return find_changes(words, model, regions, &question->changes);
}
