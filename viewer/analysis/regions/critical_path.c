// SPDX-License-Identifier: GPL-2.0
#include "analysis/regions/critical_path.h"

#include <stdlib.h>

#include "util/lower_bound.h"
#include "util/pair_table.h"
#include "analysis/base/row_search.h"
#include "model/table_rows.h"
#include "util/xalloc.h"

struct walk {
	const struct path_finder *finder;
	struct critical_path *path;
	struct critical_path_segment segment; /* the one at hand; */
	bool has_segment; /* false: none yet */
	size_t nr_segments;
	uint64_t least_ns; /* the shortest that may still be kept */
	struct pair_table places; /* of a thread and task */
	struct pair_table lines; /* of a place and what was done there */
	struct critical_path_thread *threads; /* what is on the path of each */
	uint32_t thread;
	uint64_t time_ns; /* what is behind it is done */
	size_t *rows; /* by thread: of its states, where it was last looked at */
	size_t wakeup; /* the first that is not before now, when it was last looked for */
};

static const char *const kind_names[] = {
	[PATH_RUNNING] = "running", [PATH_PREEMPTED] = "preempted", [PATH_RUNNABLE] = "runnable",
	[PATH_BLOCKED] = "blocked", [PATH_UNKNOWN] = "unknown",
};

static const char *const cause_names[] = {
	[CAUSE_ORDER] = "order",
	[CAUSE_START] = "start",
	[CAUSE_WAKEUP] = "wakeup",
	[CAUSE_BARRIER] = "barrier",
};

const char *critical_path_kind_name(enum path_kind kind)
{
	return kind_names[kind];
}

const char *critical_path_cause_name(enum path_cause cause)
{
	return cause_names[cause];
}

/* Sorted by thread as they are, since waits are. */
static void note_passed(struct path_finder *finder)
{
	const struct barriers *barriers = finder->barriers;
	size_t nr_waits = barriers->waits.nr, nr = 0;
	uint32_t *threads = xcalloc(nr_waits, sizeof(*threads));

	finder->passed_barriers = xcalloc(nr_waits, sizeof(*finder->passed_barriers));
	for (size_t i = 0; i < nr_waits; i++) {
		if (barriers->barrier_of[i] == NO_BARRIER)
			continue;
		threads[nr] = barriers->waits.thread[i];
		finder->passed_barriers[nr++] = barriers->barrier_of[i];
	}
	finder->passed = by_thread_group(finder->model, threads, nr);
	free(threads);
}

struct path_finder path_finder_new(const struct model *model, const struct task_stats *stats,
				   const struct barriers *barriers)
{
	struct path_finder finder = {
		.model = model,
		.barriers = barriers,
		.tops = top_spans_compute(model, stats),
	};

	note_passed(&finder);
	return finder;
}

void path_finder_free(struct path_finder *finder)
{
	top_spans_free(&finder->tops);
	by_thread_free(&finder->passed);
	free(finder->passed_barriers);
}

static enum path_kind kind_of(uint8_t state)
{
	switch (state) {
	case STATE_RUNNING:
		return PATH_RUNNING;
	case STATE_PREEMPTED:
		return PATH_PREEMPTED;
	case STATE_RUNNABLE:
		return PATH_RUNNABLE;
	case STATE_SLEEPING:
	case STATE_UNINTERRUPTIBLE:
	case STATE_STOPPED:
		return PATH_BLOCKED;
	default:
		return PATH_UNKNOWN;
	}
}

static const struct state_table *states_of(const struct walk *walk, uint32_t thread)
{
	return &walk->finder->model->threads[thread].states;
}

/* The row of @thread just before @time_ns (not 0), or its number of rows. */
static size_t row_before(struct walk *walk, uint32_t thread, uint64_t time_ns)
{
	const struct state_table *states = states_of(walk, thread);

	if (!states->nr || states->start_ns[0] >= time_ns)
		return states->nr;
	walk->rows[thread] = row_search_state_near(states, time_ns - 1, walk->rows[thread]);
	return walk->rows[thread];
}

/*
 * Returns until when @thread was at work before now, if it is a thread of the session; otherwise 0.
 * It may have been switched out since it woke a thread on another CPU, because that CPU needs time
 * to switch the thread in.
 */
static uint64_t ran_until(struct walk *walk, uint32_t thread)
{
	const struct state_table *states;
	size_t row;

	if (thread == MODEL_NO_THREAD || thread == walk->thread ||
	    !walk->finder->model->threads[thread].in_session)
		return 0;
	states = states_of(walk, thread);
	row = row_before(walk, thread, walk->time_ns);
	if (row == states->nr)
		return 0;
	if (states->state[row] == STATE_RUNNING)
		return walk->time_ns;
	return row && states->state[row - 1] == STATE_RUNNING ? states->start_ns[row] : 0;
}

/* Who woke the walk's thread just now, or MODEL_NO_THREAD. */
static uint32_t find_waker(struct walk *walk)
{
	const struct wakeup_table *wakeups = &walk->finder->model->wakeups;

	walk->wakeup = row_search_after_near(wakeups->time_ns, wakeups->nr, walk->time_ns - 1,
					     walk->wakeup);
	for (size_t i = walk->wakeup; i < wakeups->nr && wakeups->time_ns[i] == walk->time_ns;
	     i++) {
		if (wakeups->wakee[i] == walk->thread)
			return wakeups->waker[i];
	}
	return MODEL_NO_THREAD;
}

static const struct barrier *passed_barrier(const struct path_finder *finder, size_t row)
{
	return &finder->barriers->rows[finder->passed_barriers[finder->passed.rows[row]]];
}

/* The last barrier that the walk's thread came to and was let go of before now, or NULL. */
static const struct barrier *barrier_before(const struct walk *walk)
{
	const struct path_finder *finder = walk->finder;
	const size_t *first = &finder->passed.first[walk->thread];
	size_t end = LOWER_BOUND(row, first[0], first[1],
				 passed_barrier(finder, row)->release_ns < walk->time_ns);

	return end == first[0] ? NULL : passed_barrier(finder, end - 1);
}

static uint64_t later_of(uint64_t a, uint64_t b)
{
	return a > b ? a : b;
}

/* The top span that holds the moment just before now: its name, and since when, at least
 * @since_ns. */
static uint32_t task_before(const struct walk *walk, uint64_t *since_ns)
{
	const struct top_spans *tops = &walk->finder->tops;
	size_t at = top_spans_after(tops, walk->thread, walk->time_ns - 1);

	if (at < tops->first[walk->thread + 1] && tops->start_ns[at] < walk->time_ns) {
		*since_ns = later_of(*since_ns, tops->start_ns[at]);
		return tops->name[at];
	}
	if (at > tops->first[walk->thread])
		*since_ns = later_of(*since_ns, tops->end_ns[at - 1]);
	return TRACE_NO_STRING;
}

/* For how long @thread waited, in spans or asleep, or was gone. */
static uint64_t waited_ns(const struct path_finder *finder, uint32_t thread, uint64_t from_ns,
			  uint64_t to_ns)
{
	struct wait_account account;
	uint64_t sum_ns = 0;

	wait_spans_account(&finder->barriers->waits, finder->model, thread, from_ns, to_ns,
			   &account);
	for (int state = STATE_SLEEPING; state < NR_THREAD_STATES; state++)
		sum_ns += account.outside_ns[state];
	for (int state = STATE_UNKNOWN + 1; state < NR_THREAD_STATES; state++)
		sum_ns += account.inside_ns[state];
	return sum_ns;
}

/* The same of a segment: most need no account, as their threads did one thing all the time. */
static uint64_t segment_waited_ns(const struct path_finder *finder,
				  const struct critical_path_segment *segment)
{
	switch (segment->kind) {
	case PATH_BLOCKED:
		return segment->to_ns - segment->from_ns;
	case PATH_UNKNOWN:
		return waited_ns(finder, segment->thread, segment->from_ns, segment->to_ns);
	default:
		return wait_spans_ns(&finder->barriers->waits, segment->thread, segment->from_ns,
				     segment->to_ns);
	}
}

static uint64_t length_ns(const struct critical_path_segment *segment)
{
	return segment->to_ns - segment->from_ns;
}

/* Leaves the longest; of those of one length, the earliest, which stand last. */
static void thin_out(struct walk *walk)
{
	struct critical_path *path = walk->path;
	struct top_k worst = { 0 };
	size_t nr = 0;

	for (size_t i = 0; i < path->nr; i++)
		top_k_add(&worst, length_ns(&path->segments[i]), path->nr - 1 - i);
	walk->least_ns = worst.rows[0].ns;
	top_k_sort(&worst);
	for (size_t i = worst.nr; i-- > 0;)
		path->segments[nr++] = path->segments[path->nr - 1 - worst.rows[i].row];
	path->nr = nr;
}

static void keep_segment(struct walk *walk)
{
	struct critical_path *path = walk->path;

	walk->nr_segments++;
	if (length_ns(&walk->segment) < walk->least_ns)
		return;
	if (path->nr == 2 * PATH_MOST_SEGMENTS)
		thin_out(walk);
	path->segments[path->nr++] = walk->segment;
}

/* What a segment does, as one number: its kind, or beyond all kinds what it waits for. */
static uint32_t deed_of(const struct critical_path_segment *segment)
{
	return segment->waits_for == TRACE_NO_STRING ? segment->kind :
						       NR_PATH_KINDS + segment->waits_for;
}

/* The line that the segment at hand is of. */
static struct critical_path_line *line_of(struct walk *walk)
{
	const struct critical_path_segment *segment = &walk->segment;
	struct critical_path *path = walk->path;
	size_t place = pair_table_number(&walk->places, segment->thread, segment->task);
	size_t at = pair_table_number(&walk->lines, (uint32_t)place, deed_of(segment));

	if (at < path->nr_lines)
		return &path->lines[at];
	if (column_is_full(path->nr_lines))
		path->lines = column_grow(path->lines, path->nr_lines, sizeof(*path->lines));
	path->lines[path->nr_lines++] =
		(struct critical_path_line){ .thread = segment->thread,
					     .task = segment->task,
					     .kind = segment->kind,
					     .waits_for = segment->waits_for };
	return &path->lines[at];
}

/* Books the one at hand, which begins where it does. */
static void finish_segment(struct walk *walk)
{
	const struct critical_path_segment *segment = &walk->segment;
	struct critical_path_thread *thread = &walk->threads[segment->thread];
	struct critical_path_line *line;

	if (!walk->has_segment)
		return;
	thread->on_path_ns += length_ns(segment);
	thread->slack_ns -= segment_waited_ns(walk->finder, segment);
	line = line_of(walk);
	line->nr++;
	line->ns += length_ns(segment);
	keep_segment(walk);
}

/* Backwards in time: each segment comes before the one at hand. */
static void add_segment(struct walk *walk, uint64_t from_ns, enum path_kind kind, uint32_t task,
			uint32_t waits_for)
{
	struct critical_path_segment *next = &walk->segment;

	if (walk->has_segment && next->cause == CAUSE_ORDER && next->thread == walk->thread &&
	    next->kind == kind && next->task == task && next->waits_for == waits_for) {
		next->from_ns = from_ns;
		return;
	}
	finish_segment(walk);
	walk->has_segment = true;
	walk->segment = (struct critical_path_segment){
		.thread = walk->thread,
		.task = task,
		.kind = kind,
		.waits_for = waits_for,
		.cause = CAUSE_ORDER,
		.from_ns = from_ns,
		.to_ns = walk->time_ns,
	};
}

/* Of the walk's thread, what its state that begins at @start_ns waits for. */
static uint32_t cause_from(const struct walk *walk, uint64_t start_ns)
{
	const struct cause_table *causes = &walk->finder->model->threads[walk->thread].causes;
	size_t row = column_find(causes->start_ns, causes->nr, start_ns);

	return row != SIZE_MAX && causes->start_ns[row] == start_ns ? causes->cause[row] :
								      TRACE_NO_STRING;
}

/* Through what is left of @row, at most back to @stop_ns. */
static void go_through(struct walk *walk, size_t row, uint64_t stop_ns)
{
	const struct state_table *states = states_of(walk, walk->thread);
	uint64_t from_ns = later_of(states->start_ns[row], stop_ns);
	uint32_t task = task_before(walk, &from_ns);
	enum path_kind kind = kind_of(states->state[row]);

	add_segment(walk, from_ns, kind, task,
		    kind == PATH_BLOCKED ? cause_from(walk, states->start_ns[row]) :
					   TRACE_NO_STRING);
	walk->time_ns = from_ns;
}

/* On to @thread, which is why the segment behind now could begin. */
static void go_on_to(struct walk *walk, uint32_t thread, enum path_cause cause)
{
	walk->segment.cause = cause;
	walk->thread = thread;
}

/* Before its first state: whoever created it goes on. Returns false if that is not known. */
static bool go_to_creator(struct walk *walk)
{
	uint32_t creator = walk->finder->model->threads[walk->thread].parent;

	if (ran_until(walk, creator) != walk->time_ns)
		return false;
	go_on_to(walk, creator, CAUSE_START);
	return true;
}

/* If the walk's thread slept in @row until now, goes to who woke it. */
static bool go_to_waker(struct walk *walk, size_t row)
{
	const struct state_table *states = states_of(walk, walk->thread);
	uint64_t ran_until_ns;
	uint32_t by;

	if (kind_of(states->state[row]) != PATH_BLOCKED ||
	    walk->time_ns != states->start_ns[row + 1])
		return false;
	by = find_waker(walk);
	ran_until_ns = ran_until(walk, by);
	if (ran_until_ns <= later_of(states->start_ns[row], walk->path->from_ns))
		return false;
	if (ran_until_ns < walk->time_ns)
		go_through(walk, row, ran_until_ns);
	if (walk->time_ns > ran_until_ns)
		return true;
	go_on_to(walk, by, CAUSE_WAKEUP);
	return true;
}

/* One step back. Returns false where the path ends. */
static bool step_back(struct walk *walk)
{
	const struct state_table *states = states_of(walk, walk->thread);
	size_t row = row_before(walk, walk->thread, walk->time_ns);
	const struct barrier *barrier = barrier_before(walk);
	uint64_t released_ns = barrier ? barrier->release_ns : 0;
	uint32_t last;

	if (row == states->nr)
		return go_to_creator(walk);
	if (released_ns <= states->start_ns[row] && go_to_waker(walk, row))
		return true;
	go_through(walk, row, later_of(released_ns, walk->path->from_ns));
	if (!barrier || walk->time_ns != released_ns)
		return true;
	last = barrier_last(walk->finder->barriers, barrier);
	if (last != walk->thread)
		go_on_to(walk, last, CAUSE_BARRIER);
	return true;
}

/* The session, or the region, begins with the one at hand. */
static void finish_segments(struct walk *walk)
{
	struct critical_path *path = walk->path;

	walk->segment.cause = CAUSE_START;
	finish_segment(walk);
	if (path->nr > PATH_MOST_SEGMENTS)
		thin_out(walk);
	path->left_out = walk->nr_segments - path->nr;
	for (size_t i = 0; i < path->nr / 2; i++) {
		struct critical_path_segment segment = path->segments[i];

		path->segments[i] = path->segments[path->nr - 1 - i];
		path->segments[path->nr - 1 - i] = segment;
	}
}

static int compare_lines(const void *a, const void *b)
{
	const struct critical_path_line *first = a, *second = b;

	if (first->ns != second->ns)
		return first->ns > second->ns ? -1 : 1;
	if (first->thread != second->thread)
		return first->thread < second->thread ? -1 : 1;
	if (first->task != second->task)
		return first->task < second->task ? -1 : 1;
	if (first->kind != second->kind)
		return first->kind < second->kind ? -1 : 1;
	return first->waits_for < second->waits_for ? -1 : first->waits_for > second->waits_for;
}

static int compare_slack(const void *a, const void *b)
{
	const struct critical_path_thread *first = a, *second = b;

	if (first->slack_ns != second->slack_ns)
		return first->slack_ns < second->slack_ns ? -1 : 1;
	return first->thread < second->thread ? -1 : first->thread > second->thread;
}

static bool was_there(const struct thread *thread, uint64_t from_ns, uint64_t to_ns)
{
	const struct state_table *states = &thread->states;

	if (!thread->in_session || !states->nr || states->start_ns[0] >= to_ns)
		return false;
	return states->state[states->nr - 1] != STATE_DEAD ||
	       states->start_ns[states->nr - 1] > from_ns;
}

/* Slack is what it waited, less what of that is on the path. */
static void finish_threads(struct walk *walk)
{
	const struct path_finder *finder = walk->finder;
	struct critical_path *path = walk->path;
	struct critical_path_thread *threads = walk->threads;

	for (uint32_t i = 0; i < finder->model->nr_threads; i++) {
		if (!was_there(&finder->model->threads[i], path->from_ns, path->to_ns))
			continue;
		threads[i].thread = i;
		threads[i].slack_ns += waited_ns(finder, i, path->from_ns, path->to_ns);
		threads[path->nr_threads++] = threads[i];
	}
	if (path->nr_threads)
		qsort(threads, path->nr_threads, sizeof(*threads), compare_slack);
	path->threads = threads;
}

struct critical_path critical_path_compute(const struct path_finder *finder, uint32_t thread,
					   uint64_t from_ns, uint64_t to_ns)
{
	size_t nr_threads = finder->model->nr_threads;
	struct critical_path path = {
		.from_ns = from_ns,
		.to_ns = to_ns,
		.segments = xcalloc(2 * PATH_MOST_SEGMENTS, sizeof(*path.segments)),
	};
	struct walk walk = {
		.finder = finder,
		.path = &path,
		.threads = xcalloc(nr_threads, sizeof(*walk.threads)),
		.thread = thread,
		.time_ns = to_ns,
		.rows = xcalloc(nr_threads, sizeof(*walk.rows)),
	};

	while (thread != MODEL_NO_THREAD && walk.time_ns > from_ns && step_back(&walk))
		;
	finish_segments(&walk);
	if (path.nr_lines)
		qsort(path.lines, path.nr_lines, sizeof(*path.lines), compare_lines);
	finish_threads(&walk);
	pair_table_free(&walk.places);
	pair_table_free(&walk.lines);
	free(walk.rows);
	return path;
}

void critical_path_free(struct critical_path *path)
{
	free(path->segments);
	free(path->lines);
	free(path->threads);
	*path = (struct critical_path){ 0 };
}

/* When @thread was last on a CPU; 0: never. */
static uint64_t on_cpu_until_ns(const struct thread *thread)
{
	const struct state_table *states = &thread->states;

	for (size_t row = states->nr; row-- > 0;) {
		if (states->state[row] == STATE_RUNNING)
			return states->start_ns[row + 1];
	}
	return 0;
}

uint32_t critical_path_last_on_cpu(const struct model *model, uint64_t *until_ns)
{
	uint32_t last = MODEL_NO_THREAD;

	*until_ns = 0;
	for (uint32_t i = 0; i < model->nr_threads; i++) {
		uint64_t ns = model->threads[i].in_session ? on_cpu_until_ns(&model->threads[i]) :
							     0;

		if (ns > *until_ns) {
			*until_ns = ns;
			last = i;
		}
	}
	return last;
}
