/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Recording of programs that annot did not start. Without the module, they write annotations to the
 * top trace_marker, and only while tracing is on there and an event is enabled. A recording in an
 * instance makes that so, by a sign (sign.h).
 */
#ifndef ANNOT_RECORD_BUFFER_OUTSIDE_H
#define ANNOT_RECORD_BUFFER_OUTSIDE_H

#include <stdbool.h>

struct outside {
	bool begun;
	bool turned_on; /* tracing was off there */
};

/* Does nothing if another program uses the top buffer. */
void outside_begin(struct outside *outside);

/*
 * Runs on each CPU for a moment, so that threads are preempted. A thread that was preempted checks
 * whether something records, but at most once in 20 ms: so call this again after that time. Call
 * when the recording has begun.
 */
void outside_call(void);

/*
 * Removes the instances that are left, and the sign if no other recording needs it. Call when the
 * own instance is released. May be called more than once.
 */
void outside_end(const struct outside *outside);

#endif /* ANNOT_RECORD_BUFFER_OUTSIDE_H */
