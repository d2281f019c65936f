/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The start of a recording: nothing that the command does may come before it.
 */
#ifndef ANNOT_RECORD_SESSION_START_H
#define ANNOT_RECORD_SESSION_START_H

#include "record/session_state.h"

/* Starts to record, and waits until all that was asked for is recorded. Returns an exit status. */
int session_start_recording(struct session *session);

#endif /* ANNOT_RECORD_SESSION_START_H */
