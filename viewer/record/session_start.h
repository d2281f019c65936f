/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The start of a recording. It must be complete before the command runs.
 */
#ifndef ANNOT_RECORD_SESSION_START_H
#define ANNOT_RECORD_SESSION_START_H

#include "record/session_state.h"

/*
 * Starts to record, and waits until everything requested is being recorded. Returns an exit status.
 */
int session_start_recording(struct session *session);

#endif /* ANNOT_RECORD_SESSION_START_H */
