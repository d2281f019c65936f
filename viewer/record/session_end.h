/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The end of a recording, after a request or the death of its recorder.
 */
#ifndef ANNOT_RECORD_SESSION_END_H
#define ANNOT_RECORD_SESSION_END_H

#include "record/session_state.h"

/* Turns tracing off. The figures are final then. A second call does nothing. */
void session_stop_recording(struct session *session);

/* Stores the result of the recorder, which has ended. */
void session_take_result(struct session *session);

/* Stops, waits until the trace is written, and reports. Returns an exit status. */
int session_finish_recording(struct session *session);

#endif /* ANNOT_RECORD_SESSION_END_H */
