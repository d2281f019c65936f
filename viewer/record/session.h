/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Runs one recording from its checks to its file.
 */
#ifndef ANNOT_RECORD_SESSION_H
#define ANNOT_RECORD_SESSION_H

#include "record/session_plan.h"

/* Returns the exit status of annot: that of the command, or of an error after a message. */
int session_run(const struct session_plan *plan);

#endif /* ANNOT_RECORD_SESSION_H */
