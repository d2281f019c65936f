// SPDX-License-Identifier: GPL-2.0
/*
 * A trace is read twice. The last name of a thread, and the names of all its spans, are known only
 * at the end, and rows that are not wanted must not be kept until then.
 */
#include "model/reading.h"
#include "model/window/filter.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "model/account.h"
#include "model/event_source.h"
#include "model/window/clip.h"
#include "model/table_rows.h"
#include "util/diag.h"
#include "util/text/word_list.h"
#include "util/xalloc.h"

#define NS_PER_S 1000000000u
#define MOST_S 1e9

/* What the first pass found about a thread. */
struct seen_thread {
	bool lives; /* in the stretch, something is known of it */
	bool has_task; /* one of those asked for */
	bool ran_there; /* on one of the CPUs asked for */
};

struct survey {
	const struct model_filter *filter;
	struct clip clip; /* the stretch of time only */
	bool started;
	size_t nr;
	struct seen_thread *threads;
	bool *found_tasks; /* of each name in the filter's list */
};

struct selection {
	struct clip clip;
	uint32_t *index;
	const struct model_sink *sink;
};

static const struct {
	const char *text;
	double ns;
} units[] = {
	{ "", 1e9 }, { "s", 1e9 }, { "ms", 1e6 }, { "us", 1e3 }, { "ns", 1 },
};

/* Digits, and a unit or none. */
static bool parse_ns(const char *text, long double *ns)
{
	char *end;

	if (*text < '0' || *text > '9')
		return false;
	/* strtold() takes them. */
	if (!strncasecmp(text, "0x", 2))
		return false;
	*ns = strtold(text, &end);
	for (size_t i = 0; i < sizeof(units) / sizeof(units[0]); i++) {
		if (strcmp(end, units[i].text))
			continue;
		*ns *= units[i].ns;
		return isfinite(*ns) && *ns <= MOST_S * NS_PER_S;
	}
	return false;
}

bool filter_time_parse(struct filter_time *time, const char *text)
{
	bool since_start = *text == '+';
	long double ns;

	if (!parse_ns(text + since_start, &ns))
		return false;
	time->text = text;
	time->since_start = since_start;
	time->ns = (uint64_t)llroundl(ns);
	return true;
}

bool filter_duration_parse(double *ns, const char *text)
{
	long double parsed;

	/* Without a unit, it would be of seconds. */
	if (!*text || text[strlen(text) - 1] != 's' || !parse_ns(text, &parsed))
		return false;
	*ns = (double)parsed;
	return true;
}

/* Since the start of the trace; what lies before that is there. */
static uint64_t resolve_time(const struct filter_time *time, uint64_t start_ns)
{
	if (time->since_start)
		return time->ns;
	return time->ns > start_ns ? time->ns - start_ns : 0;
}

static void survey_start(struct survey *survey, const struct model *model)
{
	const struct model_filter *filter = survey->filter;

	if (survey->started)
		return;
	survey->started = true;
	survey->clip.to_ns = UINT64_MAX;
	if (filter->from.text)
		survey->clip.from_ns = resolve_time(&filter->from, model->start_ns);
	if (filter->to.text)
		survey->clip.to_ns = resolve_time(&filter->to, model->start_ns);
}

static void survey_need(struct survey *survey, size_t nr)
{
	if (nr <= survey->nr)
		return;
	survey->threads = xrealloc_array(survey->threads, nr, sizeof(*survey->threads));
	for (; survey->nr < nr; survey->nr++)
		survey->threads[survey->nr] = (struct seen_thread){ 0 };
}

static bool is_known(enum thread_state state)
{
	return state != STATE_UNKNOWN && state != STATE_DEAD;
}

static void survey_states(const struct survey *survey, size_t thread,
			  const struct state_table *states)
{
	for (size_t i = 0; i < states->nr && !survey->threads[thread].lives; i++) {
		uint64_t end_ns = states->end_ns ? states->end_ns[i] : states->start_ns[i + 1];

		survey->threads[thread].lives = is_known(states->state[i]) &&
						clip_has(&survey->clip, states->start_ns[i],
							 end_ns);
	}
}

static void survey_spans(const struct survey *survey, const struct model *model, size_t thread)
{
	const struct span_table *spans = &model->threads[thread].spans;
	const char *tasks = survey->filter->tasks;

	for (size_t i = 0; i < spans->nr; i++) {
		int word;

		if (!clip_has(&survey->clip, spans->start_ns[i], spans->end_ns[i]))
			continue;
		survey->threads[thread].lives = true;
		if (!tasks)
			return;
		word = word_list_find(tasks, trace_string(model->trace, spans->name[i]));
		if (word < 0)
			continue;
		survey->threads[thread].has_task = true;
		survey->found_tasks[word] = true;
	}
}

static void survey_slices(const struct survey *survey, const struct slice_table *slices)
{
	for (size_t i = 0; i < slices->nr; i++) {
		if (clip_has(&survey->clip, slices->start_ns[i], slices->end_ns[i]))
			survey->threads[slices->thread[i]].ran_there = true;
	}
}

static void survey_take(void *context, const struct model *window, uint64_t from_ns, uint64_t to_ns)
{
	struct survey *survey = context;
	const bool *cpus = survey->filter->cpus;

	(void)from_ns;
	(void)to_ns;
	survey_start(survey, window);
	survey_need(survey, window->nr_threads);
	for (size_t i = 0; i < window->nr_threads; i++) {
		survey_states(survey, i, &window->threads[i].states);
		survey_spans(survey, window, i);
	}
	for (int cpu = 0; cpus && cpu < window->nr_cpus && cpu < FILTER_MAX_CPUS; cpu++) {
		if (cpus[cpu])
			survey_slices(survey, &window->cpus[cpu].slices);
	}
}

static bool is_thread(const struct model *model, const struct thread *thread, const char *threads)
{
	char tid[16];

	snprintf(tid, sizeof(tid), "%" PRId32, thread->tid);
	return word_list_find(threads, tid) >= 0 ||
	       word_list_find(threads, trace_string(model->trace, thread->comm)) >= 0;
}

static bool is_wanted(const struct survey *survey, const struct model *rest, size_t thread)
{
	const struct model_filter *filter = survey->filter;
	const struct seen_thread *seen = &survey->threads[thread];

	if (!seen->lives || (filter->tasks && !seen->has_task))
		return false;
	if (filter->cpus && !seen->ran_there)
		return false;
	return !filter->threads || is_thread(rest, &rest->threads[thread], filter->threads);
}

/* The first word of a list that matches nothing, or NULL; free() it. */
static char *missing_thread(const struct model *rest, const char *threads)
{
	for (int at = 0; at < word_list_count(threads); at++) {
		char *word = word_list_get(threads, at);
		size_t i = 0;

		while (i < rest->nr_threads && !is_thread(rest, &rest->threads[i], word))
			i++;
		if (i == rest->nr_threads)
			return word;
		free(word);
	}
	return NULL;
}

static char *missing_task(const struct survey *survey)
{
	for (int at = 0; at < word_list_count(survey->filter->tasks); at++) {
		if (!survey->found_tasks[at])
			return word_list_get(survey->filter->tasks, at);
	}
	return NULL;
}

/* A filter that lets nothing pass, as what it names is not there, is a slip of the pen. */
static int check_words(const struct survey *survey, const struct model *rest)
{
	const char *path = trace_info(rest->trace)->path;
	const char *option = "--thread", *what = "thread";
	char *missing = NULL;

	if (survey->filter->threads)
		missing = missing_thread(rest, survey->filter->threads);
	if (!missing && survey->filter->tasks) {
		option = "--task";
		what = "task";
		missing = missing_task(survey);
	}
	if (!missing)
		return 0;
	diag_error("%s: %s: has no %s '%s'%s", path, option, what, missing,
		   survey->filter->tasks && (survey->filter->from.text || survey->filter->to.text) ?
			   " in that time" :
			   "");
	free(missing);
	return -1;
}

static int check_times(const struct survey *survey, const struct model *rest)
{
	const struct model_filter *filter = survey->filter;
	const char *path = trace_info(rest->trace)->path;
	uint64_t end_ns = rest->start_ns + rest->duration_ns;

	if (survey->clip.from_ns > rest->duration_ns)
		return diag_error("%s: --from '%s': the trace ends at %" PRIu64 ".%09" PRIu64, path,
				  filter->from.text, end_ns / NS_PER_S, end_ns % NS_PER_S);
	if (filter->to.text && !survey->clip.to_ns)
		return diag_error("%s: --to '%s': the trace begins at %" PRIu64 ".%09" PRIu64, path,
				  filter->to.text, rest->start_ns / NS_PER_S,
				  rest->start_ns % NS_PER_S);
	if (survey->clip.from_ns >= survey->clip.to_ns)
		return diag_error("%s: --from '%s' is not before --to '%s'", path,
				  filter->from.text, filter->to.text);
	return 0;
}

static int check_cpus(const struct survey *survey, const struct model *rest)
{
	const bool *cpus = survey->filter->cpus;

	for (int cpu = 0; cpus && cpu < FILTER_MAX_CPUS; cpu++) {
		if (cpus[cpu] && cpu >= rest->nr_cpus)
			return diag_error("%s: --cpu: has no CPU %d", trace_info(rest->trace)->path,
					  cpu);
	}
	return 0;
}

static int select_threads(const struct survey *survey, const struct model *rest,
			  struct selection *selection)
{
	selection->index = xcalloc(rest->nr_threads + 1, sizeof(*selection->index));
	for (size_t i = 0; i < rest->nr_threads; i++) {
		selection->index[i] = MODEL_NO_THREAD;
		if (is_wanted(survey, rest, i))
			selection->index[i] = (uint32_t)selection->clip.nr_threads++;
	}
	if (!selection->clip.nr_threads)
		return diag_error(
			"%s: no thread matches all of --from, --to, --thread, --task and --cpu",
			trace_info(rest->trace)->path);
	selection->clip.index = selection->index;
	selection->clip.nr_index = rest->nr_threads;
	selection->clip.totals = xcalloc(selection->clip.nr_threads,
					 sizeof(*selection->clip.totals));
	return 0;
}

static struct selection *make_selection(struct survey *survey, const struct model *rest)
{
	struct selection *selection;

	survey_take(survey, rest, 0, 0);
	if (check_times(survey, rest) || check_words(survey, rest) || check_cpus(survey, rest))
		return NULL;
	selection = xcalloc(1, sizeof(*selection));
	selection->clip = survey->clip;
	selection->clip.chosen = survey->filter->threads || survey->filter->tasks;
	selection->clip.cpus = survey->filter->cpus;
	if (selection->clip.to_ns >= rest->duration_ns) {
		selection->clip.to_ns = rest->duration_ns;
		selection->clip.to_end = true;
	}
	if (select_threads(survey, rest, selection)) {
		selection_free(selection);
		return NULL;
	}
	return selection;
}

int selection_new(const struct trace *whole, const struct model_filter *filter,
		  void (*progress)(uint64_t to_ns), struct selection **out)
{
	struct survey survey = { .filter = filter };
	const struct model_sink sink = {
		.take = survey_take,
		.context = &survey,
		.progress = progress,
	};
	struct model *rest = NULL;
	struct trace *trace;

	if (trace_reopen(whole, &trace) < 0)
		return -1;
	if (filter->tasks)
		survey.found_tasks = xcalloc((size_t)word_list_count(filter->tasks), sizeof(bool));
	*out = NULL;
	if (!model_survey(trace, &sink, &rest))
		*out = make_selection(&survey, rest);
	model_free(rest);
	free(survey.threads);
	free(survey.found_tasks);
	trace_close(trace);
	return *out ? 0 : -1;
}

void selection_free(struct selection *selection)
{
	if (!selection)
		return;
	free(selection->clip.totals);
	free(selection->index);
	free(selection);
}

uint64_t selection_duration_ns(const struct selection *selection)
{
	return selection->clip.to_ns - selection->clip.from_ns;
}

static bool has_rows(const struct model *window)
{
	size_t nr = window->migrations.nr + window->wakeups.nr + window->samples.nr +
		    window->slice_counts.nr + window->events.nr;

	for (size_t i = 0; i < window->nr_threads; i++)
		nr += window->threads[i].states.nr + window->threads[i].spans.nr +
		      window->threads[i].marks.nr + window->threads[i].kernel_slices.nr;
	for (int cpu = 0; cpu < window->nr_cpus; cpu++)
		nr += window->cpus[cpu].slices.nr + window->cpus[cpu].interrupts.nr +
		      window->cpus[cpu].idle.nr + window->cpus[cpu].frequencies.nr;
	return nr;
}

static void take_clipped(void *context, const struct model *window, uint64_t from_ns,
			 uint64_t to_ns)
{
	const struct selection *selection = context;
	const struct clip *clip = &selection->clip;
	struct model *clipped;

	if (!clip_has_window(clip, from_ns, to_ns))
		return;
	from_ns = from_ns > clip->from_ns ? from_ns - clip->from_ns : 0;
	to_ns = (to_ns < clip->to_ns ? to_ns : clip->to_ns) - clip->from_ns;
	clipped = clip_model(clip, window);
	/* A window that ends where the part begins contains at most rows at that very time. */
	if (to_ns > from_ns || has_rows(clipped))
		selection->sink->take(selection->sink->context, clipped, from_ns, to_ns);
	model_free(clipped);
}

/* The names of threads and the like, from the whole trace. */
static void name_threads(const struct selection *selection, struct model *clipped,
			 const struct model *model)
{
	for (size_t i = 0; i < model->nr_threads; i++) {
		uint32_t at = clip_thread(&selection->clip, (uint32_t)i);
		struct thread *thread;

		if (at == MODEL_NO_THREAD)
			continue;
		thread = &clipped->threads[at];
		thread->tid = model->threads[i].tid;
		thread->tgid = model->threads[i].tgid;
		thread->comm = model->threads[i].comm;
		thread->kind = model->threads[i].kind;
		thread->parent = clip_thread(&selection->clip, model->threads[i].parent);
		thread->in_session = model->threads[i].in_session || selection->clip.chosen;
		thread->has_rank = model->threads[i].has_rank;
		thread->rank = model->threads[i].rank;
		thread->leads_teams = model->threads[i].leads_teams;
		thread->joins_teams = model->threads[i].joins_teams;
		thread->nr_unmatched_ends = model->threads[i].nr_unmatched_ends;
		thread->nr_unmatched_kernel_ends = model->threads[i].nr_unmatched_kernel_ends;
		thread->totals = selection->clip.totals[at];
	}
}

static struct model *finish_selection(const struct selection *selection, struct model *model)
{
	struct model *clipped = clip_model(&selection->clip, model);

	name_threads(selection, clipped, model);
	model_free(model);
	return clipped;
}

int selection_stream(struct selection *selection, struct trace *trace,
		     const struct model_sink *sink, struct model **rest)
{
	struct event_source events;
	const struct model_sink clipping = {
		.take = take_clipped,
		.context = selection,
		.events = sink->events ? &events : NULL,
		.progress = sink->progress,
	};

	if (sink->events) {
		events = *sink->events;
		events.clip = &selection->clip;
	}
	selection->sink = sink;
	if (model_stream(trace, &clipping, rest) < 0)
		return -1;
	*rest = finish_selection(selection, *rest);
	return 0;
}

void selection_take(struct selection *selection, struct model **model)
{
	*model = finish_selection(selection, *model);
	account_prepare_all(*model);
	for (size_t i = 0; i < (*model)->nr_threads; i++)
		(*model)->threads[i].totals = selection->clip.totals[i];
	stolen_prepare(*model);
}

int selection_build(struct selection *selection, struct trace *trace, struct model **out)
{
	if (model_build(trace, out) < 0)
		return -1;
	selection_take(selection, out);
	return 0;
}
