/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What the commands that show samples have in common.
 */
#ifndef ANNOT_CMD_TRACE_CONTENT_H
#define ANNOT_CMD_TRACE_CONTENT_H

#include "model/model.h"

/*
 * Whether there are samples to show: of the event of that name, or (NULL) of any. Returns 0, or -1
 * after one line on stderr that says why there are none.
 */
int trace_content_check_samples(const struct model *model, const char *event);

/* Whether any thread is of the session; without one, all are as good as any. */
bool trace_content_has_session(const struct model *model);

#endif /* ANNOT_CMD_TRACE_CONTENT_H */
