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
#include "util/rare.h"

struct state_row {
	uint64_t start_ns;
	uint8_t state;
	int16_t cpu;
	bool migrated;
};

/* Of a log, all in one word: they are looked at together. */
#define LOG_HAS_LAST 1u
#define LOG_LAST_WAITS 2u /* else it is kept, or begins before the window */
#define LOG_LAST_KEPT 4u
#define LOG_BEFORE_WAITS 8u
#define LOG_EXPECTS 16u /* the next row to be the end of the slice before */
#define LOG_WOKEN 32u /* by a wakeup, since woken_ns, which is not in any row yet */

/* Begins as state_log_new(). */
struct state_log {
	struct state_row last;
	struct state_row before; /* the one before the last, if it waits */
	unsigned int flags; /* LOG_* */
	uint8_t after; /* state after the last slice in the window, */
	int16_t cpu; /* where that was, */
	uint64_t end_ns; /* and until when */
	uint64_t woken_ns;
	uint64_t nr_kept; /* since anything else came into the edits */
	struct thread_edits edits;
};

struct state_log state_log_new(void);

/* For a row that is not kept. */
RARE void state_log_leave_out(struct state_log *log);
void state_log_make_wait(struct state_log *log);

/* Field by field: what was just written in parts is slow to read as a whole. */
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

/* The next row; @from_ns is the window's start. */
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

/* The last row, whose thread waits, is on another CPU than was told. */
void state_log_move(struct state_log *log, int16_t cpu);

/* A wakeup is in the window; it stands behind all that is booked of the thread. */
static inline void state_log_wake(struct state_log *log, uint64_t time_ns)
{
	if (log->flags & LOG_WOKEN || time_ns < log->end_ns || log->after == STATE_RUNNING ||
	    log->after == STATE_PREEMPTED || log->after == STATE_DEAD)
		return;
	log->flags |= LOG_WOKEN;
	log->woken_ns = time_ns;
}

/* As state_log_slice(), whatever waits. */
void state_log_any_slice(struct state_log *log, uint64_t start_ns, int16_t cpu);

/* A slice is in the window: it is over, and its end's state comes next. */
static inline void state_log_slice(struct state_log *log, uint64_t start_ns, uint64_t end_ns,
				   int16_t cpu, enum thread_state end_state)
{
	unsigned int flags = log->flags;
	unsigned int waits = flags & (LOG_BEFORE_WAITS | LOG_LAST_WAITS | LOG_EXPECTS | LOG_WOKEN);
	bool is_woken = waits == (LOG_BEFORE_WAITS | LOG_LAST_WAITS | LOG_WOKEN);

	if ((is_woken || waits == LOG_LAST_WAITS) &&
	    state_row_is(&log->last, start_ns, STATE_RUNNING, cpu) &&
	    (!is_woken || state_row_is(&log->before, log->woken_ns, STATE_WOKEN, cpu))) {
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
 * The window is over at @to_ns; of the whole trace if @is_last, so that its last row ends, too.
 * Returns its edits; the log goes on with the next window.
 */
struct thread_edits state_log_cut(struct state_log *log, uint64_t to_ns, bool is_last);

#endif /* ANNOT_MODEL_STATE_LOG_H */
