/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Makes the state delta (state_delta.h) of one thread in one window while its events come in. The
 * log compares each row of states with the rows derived from slices and wakeups (derived_states.h).
 * It counts rows that agree, and keeps rows that do not.
 *
 * Slices are known only when they end. So "runnable" and "running" rows wait until their slice
 * ends: the log holds the last row and the row before it.
 *
 * The last row is open. It belongs to the window only if it ends in it.
 *
 * viewer/README.md has an example.
 */
#ifndef ANNOT_MODEL_STATE_LOG_H
#define ANNOT_MODEL_STATE_LOG_H

#include "model/states/state_delta.h"
#include "util/rare.h"

/* Flags of a log. They are in one word because they are tested together. */
#define LOG_HAS_LAST 1u
#define LOG_LAST_WAITS 2u /* otherwise it is kept, or it began before the window */
#define LOG_LAST_KEPT 4u
#define LOG_BEFORE_WAITS 8u
#define LOG_EXPECTS 16u /* a slice has ended: the next row should be its end state */
#define LOG_WOKEN 32u /* a wakeup at woken_ns has not been derived as a row yet */

/* Begins as state_log_new(). */
struct state_log {
	struct state_row last;
	struct state_row before; /* the row before the last, if it waits */
	unsigned int flags; /* LOG_* */
	uint8_t after; /* end state of the last slice in the window */
	int16_t cpu; /* of that slice */
	uint64_t end_ns; /* of that slice */
	uint64_t woken_ns;
	uint64_t nr_kept; /* derived rows kept since the last edit */
	struct state_delta delta;
};

struct state_log state_log_new(void);

/* Leaves out one derived row. */
RARE void state_log_leave_out(struct state_log *log);
void state_log_make_wait(struct state_log *log);

/* Copies field by field: a struct whose fields were just written is slow to read as a whole. */
static inline void state_row_copy(struct state_row *to, const struct state_row *from)
{
	to->start_ns = from->start_ns;
	to->state = from->state;
	to->cpu = from->cpu;
	to->migrated = from->migrated;
}

static inline bool state_row_is(const struct state_row *row, uint64_t start_ns,
				enum thread_state state, int16_t cpu)
{
	return row->start_ns == start_ns && row->state == state && row->cpu == cpu;
}

/* Adds the thread's next row; @from_ns is the window's start. */
static inline void state_log_add(struct state_log *log, const struct state_row *row,
				 uint64_t from_ns)
{
	unsigned int flags = log->flags;

	if (flags & LOG_EXPECTS) {
		if (!(flags & (LOG_BEFORE_WAITS | LOG_LAST_WAITS)) &&
		    state_row_is(row, log->end_ns, log->after, log->cpu)) {
			log->nr_kept++;
			state_row_copy(&log->last, row);
			log->flags = (flags & LOG_WOKEN) | LOG_HAS_LAST | LOG_LAST_KEPT;
			return;
		}
		state_log_leave_out(log);
	}
	if (flags & LOG_LAST_WAITS)
		state_log_make_wait(log);
	state_row_copy(&log->last, row);
	log->flags = (log->flags & (LOG_WOKEN | LOG_BEFORE_WAITS)) | LOG_HAS_LAST |
		     (row->start_ns < from_ns ? 0 : LOG_LAST_WAITS);
}

/* The thread waits and was moved to the queue of @cpu: sets the CPU of the last row. */
void state_log_move(struct state_log *log, int16_t cpu);

/* Adds a wakeup in the window. It is later than all slices and rows added so far. */
static inline void state_log_wake(struct state_log *log, uint64_t time_ns)
{
	if (log->flags & LOG_WOKEN || time_ns < log->end_ns || log->after == STATE_RUNNING ||
	    log->after == STATE_PREEMPTED || log->after == STATE_DEAD)
		return;
	log->flags |= LOG_WOKEN;
	log->woken_ns = time_ns;
}

/* The general case of state_log_slice(): derives the wakeup and the start of the slice. */
void state_log_any_slice(struct state_log *log, uint64_t start_ns, int16_t cpu);

/* Adds a slice in the window when it ends. The row of its end state is added next. */
static inline void state_log_slice(struct state_log *log, uint64_t start_ns, uint64_t end_ns,
				   int16_t cpu, enum thread_state end_state)
{
	unsigned int flags = log->flags;
	unsigned int waits = flags & (LOG_BEFORE_WAITS | LOG_LAST_WAITS | LOG_EXPECTS | LOG_WOKEN);
	bool is_woken = waits == (LOG_BEFORE_WAITS | LOG_LAST_WAITS | LOG_WOKEN);

	if ((is_woken || waits == LOG_LAST_WAITS) &&
	    state_row_is(&log->last, start_ns, STATE_RUNNING, cpu) &&
	    (!is_woken || state_row_is(&log->before, log->woken_ns, STATE_RUNNABLE, cpu))) {
		log->nr_kept += 1 + is_woken;
		flags = LOG_HAS_LAST | LOG_LAST_KEPT;
	} else {
		state_log_any_slice(log, start_ns, cpu);
		flags = log->flags;
	}
	log->after = (uint8_t)end_state;
	log->end_ns = end_ns;
	log->cpu = cpu;
	log->flags = end_state == STATE_RUNNING ? flags : flags | LOG_EXPECTS;
}

/*
 * Ends the window at @to_ns. With @is_last the trace ends, too, and so does the last row. Returns
 * the window's delta. The log then begins the next window.
 */
struct state_delta state_log_cut(struct state_log *log, uint64_t to_ns, bool is_last);

#endif /* ANNOT_MODEL_STATE_LOG_H */
