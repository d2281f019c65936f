// SPDX-License-Identifier: GPL-2.0
#include "model/states/state_log.h"

#define NO_CPU (-1)

struct state_log state_log_new(void)
{
	return (struct state_log){ .cpu = NO_CPU };
}

/* So that something else can come into the edits. */
static struct state_delta *delta_for_change(struct state_log *log)
{
	state_delta_keep(&log->delta, log->nr_kept);
	log->nr_kept = 0;
	return &log->delta;
}

void state_log_leave_out(struct state_log *log)
{
	state_delta_leave_out(delta_for_change(log));
}

static RARE void put_in(struct state_log *log, const struct state_row *row)
{
	state_delta_put_in(delta_for_change(log), row->start_ns, row->state, row->cpu);
}

static void put_in_before(struct state_log *log)
{
	if (log->flags & LOG_BEFORE_WAITS)
		put_in(log, &log->before);
	log->flags &= ~LOG_BEFORE_WAITS;
}

void state_log_make_wait(struct state_log *log)
{
	put_in_before(log);
	log->before = log->last;
	log->flags |= LOG_BEFORE_WAITS;
}

/* What was kept last is left out after all. */
static void let_last_wait(struct state_log *log)
{
	log->nr_kept--;
	state_log_leave_out(log);
	log->flags = (log->flags & ~LOG_LAST_KEPT) | LOG_LAST_WAITS;
}

void state_log_move(struct state_log *log, int16_t cpu)
{
	if (log->last.cpu == cpu)
		return;
	if (log->flags & LOG_LAST_KEPT)
		let_last_wait(log);
	log->last.cpu = cpu;
}

/* One of those that wait, the last one only if it is @with_last, or none. */
static void imply_state(struct state_log *log, uint64_t start_ns, enum thread_state state,
			int16_t cpu, bool with_last)
{
	if (log->flags & LOG_BEFORE_WAITS && state_row_is(&log->before, start_ns, state, cpu)) {
		log->flags &= ~LOG_BEFORE_WAITS;
		log->nr_kept++;
	} else if (with_last && log->flags & LOG_LAST_WAITS &&
		   state_row_is(&log->last, start_ns, state, cpu)) {
		put_in_before(log);
		log->flags = (log->flags & ~LOG_LAST_WAITS) | LOG_LAST_KEPT;
		log->nr_kept++;
	} else {
		state_log_leave_out(log);
	}
}

static void imply_wakeup(struct state_log *log, int16_t cpu, bool with_last)
{
	if (log->flags & LOG_WOKEN)
		imply_state(log, log->woken_ns, STATE_RUNNABLE, cpu, with_last);
	log->flags &= ~LOG_WOKEN;
}

void state_log_any_slice(struct state_log *log, uint64_t start_ns, int16_t cpu)
{
	if (log->flags & LOG_EXPECTS)
		state_log_leave_out(log);
	log->flags &= ~LOG_EXPECTS;
	imply_wakeup(log, cpu, true);
	imply_state(log, start_ns, STATE_RUNNING, cpu, true);
}

/* The row that is open is not the window's, other than at the end of the trace. */
static void finish_edit(struct state_log *log, bool is_last)
{
	if (log->flags & LOG_LAST_KEPT && !is_last)
		let_last_wait(log);
	if (log->flags & LOG_EXPECTS)
		state_log_leave_out(log);
	imply_wakeup(log, log->cpu, is_last);
	put_in_before(log);
	if (log->flags & LOG_LAST_WAITS && is_last)
		put_in(log, &log->last);
	state_delta_finish(delta_for_change(log));
}

struct state_delta state_log_cut(struct state_log *log, uint64_t to_ns, bool is_last)
{
	struct state_log next = state_log_new();
	struct state_delta delta;

	finish_edit(log, is_last);
	delta = log->delta;
	next.flags = log->flags & LOG_HAS_LAST;
	if (next.flags && log->last.start_ns >= to_ns)
		next.flags |= LOG_LAST_WAITS;
	next.last = log->last;
	*log = next;
	return delta;
}
