// SPDX-License-Identifier: GPL-2.0
#include "model/state_log.h"

#define NO_CPU (-1)

struct state_log state_log_new(void)
{
	return (struct state_log){ .cpu = NO_CPU };
}

/* So that something else can come into the edits. */
static struct thread_edits *told_edits(struct state_log *log)
{
	edits_keep(&log->edits, log->nr_kept);
	log->nr_kept = 0;
	return &log->edits;
}

void state_log_leave_out(struct state_log *log)
{
	edits_leave_out(told_edits(log));
}

static void put_in(struct state_log *log, const struct state_row *row)
{
	edits_put_in(told_edits(log), row->start_ns, row->state, row->cpu);
}

static void put_in_before(struct state_log *log)
{
	if (log->before_waits)
		put_in(log, &log->before);
	log->before_waits = false;
}

void state_log_make_wait(struct state_log *log)
{
	put_in_before(log);
	log->before = log->last;
	log->before_waits = true;
}

/* What was kept last is left out after all. */
static void let_last_wait(struct state_log *log)
{
	log->nr_kept--;
	state_log_leave_out(log);
	log->last_place = ROW_WAITS;
}

void state_log_move(struct state_log *log, int16_t cpu)
{
	if (log->last.cpu == cpu)
		return;
	if (log->last_place == ROW_KEPT)
		let_last_wait(log);
	log->last.cpu = cpu;
}

/* One of those that wait, the last one only if it is @with_last, or none. */
static void imply(struct state_log *log, uint64_t start_ns, enum thread_state state, int16_t cpu,
		  bool with_last)
{
	if (log->before_waits && state_row_is(&log->before, start_ns, state, cpu)) {
		log->before_waits = false;
		log->nr_kept++;
	} else if (with_last && log->last_place == ROW_WAITS &&
		   state_row_is(&log->last, start_ns, state, cpu)) {
		put_in_before(log);
		log->last_place = ROW_KEPT;
		log->nr_kept++;
	} else {
		state_log_leave_out(log);
	}
}

static void imply_wakeup(struct state_log *log, int16_t cpu, bool with_last)
{
	if (log->is_woken)
		imply(log, log->woken_ns, STATE_WOKEN, cpu, with_last);
	log->is_woken = false;
}

void state_log_any_slice(struct state_log *log, uint64_t start_ns, int16_t cpu)
{
	if (log->expects)
		state_log_leave_out(log);
	imply_wakeup(log, cpu, true);
	imply(log, start_ns, STATE_RUNNING, cpu, true);
}

/* The row that is open is not the window's, other than at the end of the trace. */
static void finish(struct state_log *log, bool is_last)
{
	if (log->last_place == ROW_KEPT && !is_last)
		let_last_wait(log);
	if (log->expects)
		state_log_leave_out(log);
	imply_wakeup(log, log->cpu, is_last);
	put_in_before(log);
	if (log->last_place == ROW_WAITS && is_last)
		put_in(log, &log->last);
	edits_finish(told_edits(log));
}

struct thread_edits state_log_cut(struct state_log *log, uint64_t to_ns, bool is_last)
{
	struct state_log next = state_log_new();
	struct thread_edits edits;

	finish(log, is_last);
	edits = log->edits;
	if (log->last_place != ROW_NONE)
		next.last_place = log->last.start_ns < to_ns ? ROW_OUTSIDE : ROW_WAITS;
	next.last = log->last;
	*log = next;
	return edits;
}
