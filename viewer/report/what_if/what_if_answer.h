/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The answer of annot what-if, as text and as JSON.
 */
#ifndef ANNOT_WHAT_IF_ANSWER_H
#define ANNOT_WHAT_IF_ANSWER_H

#include <stdio.h>

#include "analysis/replay/trials.h"
#include "util/text/json.h"

/* @trials: of an answer without a change; NULL: none were asked for. */
void what_if_text(const struct model *model, const struct what_if *what_if, bool is_changed,
		  const struct trials *trials, FILE *out);
void what_if_json(const struct model *model, const struct what_if *what_if, bool is_changed,
		  const struct trials *trials, FILE *out);

/* Members of the object that @json is in: what an answer begins with, what stands before its tasks, a task, and a trial. */
void what_if_json_head(struct json *json, const struct what_if *what_if, bool is_changed);
void what_if_json_tasks_head(struct json *json, const struct model *model,
			     const struct what_if *what_if);
void what_if_json_task(struct json *json, const struct model *model,
		       const struct what_if_task *task);
void what_if_json_trial(struct json *json, const struct model *model, const struct trial *trial);

#endif /* ANNOT_WHAT_IF_ANSWER_H */
