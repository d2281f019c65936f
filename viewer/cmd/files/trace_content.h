/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Shared by the commands that show samples.
 */
#ifndef ANNOT_CMD_TRACE_CONTENT_H
#define ANNOT_CMD_TRACE_CONTENT_H

#include "analysis/stacks/stack_weights.h"
#include "model/model.h"

/*
 * Checks that the trace has samples of the event with that name or, if NULL, of any. Returns 0, or
 * -1 after one line on stderr with the reason.
 */
int trace_content_check_samples(const struct model *model, const char *event);

/*
 * Checks that the trace has call stacks; of misses, that it has samples of the event with that name or, if NULL, of any,
 * and sets the event in @wanted. Returns 0, or -1 after one line on stderr.
 */
int trace_content_choose_stacks(const struct model *model, const char *event,
				struct stack_weights_options *wanted);

/* Whether any thread is in the session; if none is, all threads are treated equally. */
bool trace_content_has_session(const struct model *model);

#endif /* ANNOT_CMD_TRACE_CONTENT_H */
