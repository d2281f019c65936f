/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Programs that annot did not start write their annotations, without the module, to the top
 * trace_marker, and only while tracing is on there and an event is enabled. A recording in an instance
 * shows them that by a sign.
 */
#ifndef ANNOT_RECORD_BUFFER_OUTSIDE_H
#define ANNOT_RECORD_BUFFER_OUTSIDE_H

#include <stdbool.h>

struct outside {
	bool begun;
	bool turned_on; /* tracing was off there */
};

/* Somebody else who uses the top buffer is left alone. */
void outside_begin(struct outside *outside);

/*
 * Once they are recorded: runs on each CPU for a moment. A thread that annotates looks whether somebody
 * records when it was preempted, but not twice in 20 ms: it is to be called again after that.
 */
void outside_call(void);

/*
 * To be called when no instance is claimed any more: removes those that are left, and the sign if no
 * other recording needs it. May be said more than once.
 */
void outside_end(const struct outside *outside);

#endif /* ANNOT_RECORD_BUFFER_OUTSIDE_H */
