// SPDX-License-Identifier: GPL-2.0
#include "analysis/regions/loop_schedule.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/base/team.h"
#include "util/text/figure.h"
#include "util/xalloc.h"

/* Two notes that a thread makes at once may have those of so many other threads between them. */
#define MOST_THREADS_BETWEEN 1024

/* One thread's part of an instance, and what notes tell of it. */
struct loop_part {
	uint64_t chunks;
	bool has_dispatch;
	uint64_t dispatch_ns;
};

struct loop_parts {
	const struct model *model;
	uint32_t chunks_name, dispatch_name;
	size_t nr;
	size_t capacity;
	struct interval *intervals; /* row: index in parts */
	size_t parts_capacity;
	struct loop_part *parts;
};

/* The row of a span that began then, with that name; SIZE_MAX: none. */
static size_t find_span(const struct span_table *spans, uint64_t start_ns, uint32_t name)
{
	size_t row = column_find(spans->start_ns, spans->nr, start_ns);

	for (; row != SIZE_MAX && spans->start_ns[row] == start_ns; row--) {
		if (spans->name[row] == name)
			return row;
	}
	return SIZE_MAX;
}

static void add_part(struct loop_parts *parts, size_t note)
{
	const struct note_table *notes = &parts->model->notes;
	uint32_t thread = notes->thread[note];
	const struct span_table *spans = &parts->model->threads[thread].spans;
	size_t span = find_span(spans, notes->span_start_ns[note], notes->span_name[note]);

	if (span == SIZE_MAX || notes->value[note] < 0)
		return;
	ARRAY_MAKE_ROOM(parts->intervals, parts->nr, parts->capacity);
	ARRAY_MAKE_ROOM(parts->parts, parts->nr, parts->parts_capacity);
	parts->intervals[parts->nr] = (struct interval){
		.name = spans->name[span],
		.thread = thread,
		.start_ns = spans->start_ns[span],
		.end_ns = spans->end_ns[span],
		.row = parts->nr,
	};
	parts->parts[parts->nr++] = (struct loop_part){ .chunks = (uint64_t)notes->value[note] };
}

/* A thread tells of its chunks first, and at once of what they took to get. */
static void add_dispatch(struct loop_parts *parts, size_t note)
{
	const struct note_table *notes = &parts->model->notes;

	for (size_t i = parts->nr; i-- && i + MOST_THREADS_BETWEEN > parts->nr;) {
		const struct interval *last = &parts->intervals[i];

		if (last->thread != notes->thread[note] ||
		    last->start_ns != notes->span_start_ns[note] || notes->value[note] < 0)
			continue;
		parts->parts[i].has_dispatch = true;
		parts->parts[i].dispatch_ns = (uint64_t)notes->value[note];
		return;
	}
}

static void collect_parts(struct loop_parts *parts)
{
	const struct note_table *notes = &parts->model->notes;

	for (size_t i = 0; i < notes->nr; i++) {
		if (!parts->model->threads[notes->thread[i]].in_session)
			continue;
		if (notes->name[i] == parts->chunks_name)
			add_part(parts, i);
		else if (notes->name[i] == parts->dispatch_name)
			add_dispatch(parts, i);
	}
}

/* Whether the thread of @interval has no part yet in the instance that begins at @first. */
static bool is_new_thread(const struct interval *first, const struct interval *interval)
{
	for (const struct interval *part = first; part < interval; part++) {
		if (part->thread == interval->thread)
			return false;
	}
	return true;
}

static size_t instance_end(const struct interval *intervals, size_t first, size_t nr)
{
	uint64_t end_ns = intervals[first].end_ns;
	size_t at = first + 1;

	for (; at < nr; at++) {
		if (!team_is_same(&intervals[first], &intervals[at]) ||
		    intervals[at].start_ns >= end_ns ||
		    !is_new_thread(&intervals[first], &intervals[at]))
			break;
		if (intervals[at].end_ns > end_ns)
			end_ns = intervals[at].end_ns;
	}
	return at;
}

static void add_instance(struct loop_schedule_loop *loop, const struct loop_parts *parts,
			 size_t first, size_t end)
{
	const struct interval *last = &parts->intervals[first];
	uint64_t from_ns = last->start_ns, most_dispatch_ns = 0, tail_ns;
	double sum_ends_ns = 0;

	for (size_t i = first; i < end; i++) {
		const struct interval *interval = &parts->intervals[i];
		const struct loop_part *part = &parts->parts[interval->row];

		loop->parts++;
		loop->chunks += part->chunks;
		loop->has_dispatch |= part->has_dispatch;
		loop->dispatch_ns += part->dispatch_ns;
		if (part->dispatch_ns > most_dispatch_ns)
			most_dispatch_ns = part->dispatch_ns;
		loop->thread_ns += interval->end_ns - interval->start_ns;
		sum_ends_ns += (double)(interval->end_ns - from_ns);
		if (interval->end_ns > last->end_ns)
			last = interval;
	}
	tail_ns =
		(uint64_t)((double)(last->end_ns - from_ns) - sum_ends_ns / (double)(end - first));
	loop->instances++;
	loop->most_dispatch_ns += most_dispatch_ns;
	loop->elapsed_ns += last->end_ns - from_ns;
	loop->tail_ns += tail_ns;
	if (end - first > loop->most_threads)
		loop->most_threads = end - first;
	if (loop->instances == 1 || tail_ns > loop->worst_tail_ns) {
		loop->worst_tail_ns = tail_ns;
		loop->worst_thread = last->thread;
		loop->worst_from_ns = from_ns;
		loop->worst_to_ns = last->end_ns;
	}
}

static int compare_loops(const void *a, const void *b)
{
	const struct loop_schedule_loop *first = a, *second = b;

	if (first->elapsed_ns != second->elapsed_ns)
		return first->elapsed_ns > second->elapsed_ns ? -1 : 1;
	return first->name < second->name ? -1 : first->name > second->name;
}

static void sum_loops(const struct loop_parts *parts, struct loop_schedule *schedule)
{
	size_t end, capacity = 0;

	for (size_t at = 0; at < parts->nr; at = end) {
		end = instance_end(parts->intervals, at, parts->nr);
		if (!schedule->nr || !at ||
		    !team_is_same(&parts->intervals[at - 1], &parts->intervals[at])) {
			ARRAY_MAKE_ROOM(schedule->loops, schedule->nr, capacity);
			schedule->loops[schedule->nr++] =
				(struct loop_schedule_loop){ .name = parts->intervals[at].name };
		}
		add_instance(&schedule->loops[schedule->nr - 1], parts, at, end);
	}
}

struct loop_schedule loop_schedule_compute(const struct model *model)
{
	struct loop_parts parts = { .model = model };
	struct loop_schedule schedule = { 0 };

	if (!model->notes.nr)
		return schedule;
	parts.chunks_name = trace_find(model->trace, "@chunks");
	parts.dispatch_name = trace_find(model->trace, "@dispatch_ns");
	collect_parts(&parts);
	if (parts.nr)
		team_sort(model, parts.intervals, parts.nr);
	sum_loops(&parts, &schedule);
	free(parts.intervals);
	free(parts.parts);
	if (schedule.nr)
		qsort(schedule.loops, schedule.nr, sizeof(*schedule.loops), compare_loops);
	return schedule;
}

void loop_schedule_free(struct loop_schedule *schedule)
{
	free(schedule->loops);
}

double loop_schedule_chunk_ns(const struct loop_schedule_loop *loop)
{
	return loop->chunks ? (double)(loop->thread_ns - loop->dispatch_ns) / (double)loop->chunks :
			      0;
}

double loop_schedule_dispatch_share(const struct loop_schedule_loop *loop)
{
	return loop->thread_ns ? (double)loop->dispatch_ns / (double)loop->thread_ns : 0;
}

static struct finding *add_loop(const struct loop_schedule_loop *loop, uint64_t at_most_ns,
				struct findings *findings)
{
	struct finding *finding = findings_add_at_most(findings, FINDING_LOOP_SCHEDULE, at_most_ns,
						       loop->worst_from_ns, loop->worst_to_ns);

	finding->confidence = loop->instances > 1 ? CONFIDENCE_MEDIUM : CONFIDENCE_LOW;
	finding_add_thread(finding, loop->worst_thread);
	return finding;
}

static bool is_too_fine(const struct loop_schedule_loop *loop)
{
	return loop_schedule_dispatch_share(loop) >= LOOP_SCHEDULE_LEAST_SHARE;
}

static void say_too_fine(const struct model *model, const struct loop_schedule_loop *loop,
			 struct findings *findings)
{
	uint64_t lost_ns = loop->most_dispatch_ns;

	if (!findings_note_loss(findings, FINDING_LOOP_SCHEDULE, lost_ns))
		return;
	finding_set_text(
		add_loop(loop, lost_ns, findings),
		"%s is divided too finely: %" PRIu64 " chunks of %s on average, and getting them "
		"takes %.0f %% of its threads' time (an estimate); larger chunks would save up to %s",
		trace_string(model->trace, loop->name), loop->chunks,
		figure_ns((uint64_t)loop_schedule_chunk_ns(loop), " ").text,
		100 * loop_schedule_dispatch_share(loop), figure_ns(lost_ns, " ").text);
}

static bool is_too_coarse(const struct loop_schedule_loop *loop)
{
	double tail_ns = (double)loop->tail_ns;

	return loop->most_threads > 1 && loop->chunks < LOOP_SCHEDULE_FEW_CHUNKS * loop->parts &&
	       tail_ns >= LOOP_SCHEDULE_LEAST_SHARE * (double)loop->elapsed_ns &&
	       tail_ns <= 2 * loop_schedule_chunk_ns(loop) * (double)loop->instances;
}

static void say_too_coarse(const struct model *model, const struct loop_schedule_loop *loop,
			   struct findings *findings)
{
	struct finding *finding;

	if (!findings_note_loss(findings, FINDING_LOOP_SCHEDULE, loop->tail_ns))
		return;
	finding = add_loop(loop, loop->tail_ns, findings);
	finding->cure = (struct run_change){ .kind = CHANGE_BALANCE, .name = loop->name };
	finding_set_text(finding,
			 "%s is divided too coarsely: %.1f chunks for each of %" PRIu64
			 " threads, of %s on average; most threads wait for the last chunk; "
			 "smaller chunks would save up to %s of %s",
			 trace_string(model->trace, loop->name),
			 (double)loop->chunks / (double)loop->parts, loop->most_threads,
			 figure_ns((uint64_t)loop_schedule_chunk_ns(loop), " ").text,
			 figure_ns(loop->tail_ns, " ").text, figure_ns(loop->elapsed_ns, " ").text);
}

void loop_schedule_add_findings(const struct model *model, const struct loop_schedule *schedule,
				struct findings *findings)
{
	for (size_t i = 0; i < schedule->nr; i++) {
		if (is_too_fine(&schedule->loops[i]))
			say_too_fine(model, &schedule->loops[i], findings);
		else if (is_too_coarse(&schedule->loops[i]))
			say_too_coarse(model, &schedule->loops[i], findings);
	}
}
