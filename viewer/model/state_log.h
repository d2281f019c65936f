/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The states of one thread in one window, while they are booked: which of them its slices and wakeups
 * imply (implied.h). Keeps those that they do not, and how many there are of the others (edits.h).
 *
 * A row is implied by what is booked after it: a wakeup or a slice's start by the slice, once that
 * is over. So the last two rows wait to be; and the very last one is open: it is the window's only if
 * it ends within it.
 */
#ifndef ANNOT_MODEL_STATE_LOG_H
#define ANNOT_MODEL_STATE_LOG_H

#include "model/edits.h"

struct state_row {
	uint64_t start_ns;
	uint8_t state;
	int16_t cpu;
	bool migrated;
};

enum row_place {
	ROW_NONE,
	ROW_OUTSIDE, /* it begins before the window */
	ROW_WAITS,
	ROW_KEPT,
};

/* Begins as state_log_new(). */
struct state_log {
	struct state_row last;
	struct state_row before; /* the one before the last, if it waits */
	uint8_t last_place; /* enum row_place */
	bool before_waits;
	bool expects; /* the next row to be the end of the slice before */
	bool is_woken; /* by a wakeup, since woken_ns, which is not in any row yet */
	uint8_t after; /* state after the last slice in the window, */
	int16_t cpu; /* where that was, */
	uint64_t end_ns; /* and until when */
	uint64_t woken_ns;
	uint64_t nr_kept; /* since anything else came into the edits */
	struct thread_edits edits;
};

struct state_log state_log_new(void);

/* For a row that is not kept. */
void state_log_leave_out(struct state_log *log);
void state_log_make_wait(struct state_log *log);

/* The next row; @from_ns is the window's start. */
static inline void state_log_add(struct state_log *log, const struct state_row *row,
				 uint64_t from_ns)
{
	if (log->expects) {
		log->expects = false;
		if (row->start_ns == log->end_ns && row->state == log->after &&
		    row->cpu == log->cpu && !log->before_waits && log->last_place != ROW_WAITS) {
			log->nr_kept++;
			log->last = *row;
			log->last_place = ROW_KEPT;
			return;
		}
		state_log_leave_out(log);
	}
	if (log->last_place == ROW_WAITS)
		state_log_make_wait(log);
	log->last = *row;
	log->last_place = row->start_ns < from_ns ? ROW_OUTSIDE : ROW_WAITS;
}

/* The last row, whose thread waits, is on another CPU than was told. */
void state_log_move(struct state_log *log, int16_t cpu);

/* A wakeup is in the window; it stands behind all that is booked of the thread. */
static inline void state_log_wake(struct state_log *log, uint64_t time_ns)
{
	if (log->is_woken || time_ns < log->end_ns || log->after == STATE_RUNNING ||
	    log->after == STATE_PREEMPTED || log->after == STATE_DEAD)
		return;
	log->is_woken = true;
	log->woken_ns = time_ns;
}

/* As state_log_slice(), whatever waits. */
void state_log_any_slice(struct state_log *log, uint64_t start_ns, int16_t cpu);

static inline bool state_row_is(const struct state_row *row, uint64_t start_ns,
				enum thread_state state, int16_t cpu)
{
	return row->start_ns == start_ns && row->state == state && row->cpu == cpu;
}

/* A slice is in the window: it is over, and its end's state comes next. */
static inline void state_log_slice(struct state_log *log, uint64_t start_ns, uint64_t end_ns,
				   int16_t cpu, enum thread_state end_state)
{
	if (!log->expects && log->is_woken == log->before_waits && log->last_place == ROW_WAITS &&
	    state_row_is(&log->last, start_ns, STATE_RUNNING, cpu) &&
	    (!log->is_woken || state_row_is(&log->before, log->woken_ns, STATE_WOKEN, cpu))) {
		log->nr_kept += 1 + log->is_woken;
		log->is_woken = false;
		log->before_waits = false;
		log->last_place = ROW_KEPT;
	} else {
		state_log_any_slice(log, start_ns, cpu);
	}
	log->after = (uint8_t)end_state;
	log->end_ns = end_ns;
	log->cpu = cpu;
	log->expects = end_state != STATE_RUNNING;
}

/*
 * The window is over at @to_ns; of the whole trace if @is_last, so that its last row ends, too.
 * Returns its edits; the log goes on with the next window.
 */
struct thread_edits state_log_cut(struct state_log *log, uint64_t to_ns, bool is_last);

#endif /* ANNOT_MODEL_STATE_LOG_H */
