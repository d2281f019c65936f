/* SPDX-License-Identifier: GPL-2.0 */
#ifndef ANNOT_CHANGE_WORDS_H
#define ANNOT_CHANGE_WORDS_H

#include <stdio.h>

#include "analysis/base/run_change.h"
#include "model/model.h"
#include "util/text/json.h"

/* The option of annot what-if, as on a command line: "--balance loop48". */
void change_words_print(const struct model *model, const struct run_change *change, FILE *out);

/* The same as an array of words; null: CHANGE_NONE. */
void change_words_json(struct json *json, const struct model *model,
		       const struct run_change *change);

#endif /* ANNOT_CHANGE_WORDS_H */
