/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What the JSON of several parts has in common.
 */
#ifndef ANNOT_ROW_JSON_H
#define ANNOT_ROW_JSON_H

#include "analysis/base/top_k.h"
#include "analysis/stats/histogram.h"
#include "model/model.h"
#include "util/text/json.h"

#define ROW_JSON_MAX TOP_K_MAX /* in any list */

/* Keys "thread", "tid" and "comm" of the object that @json is in. */
void row_json_thread(struct json *json, const struct model *model, uint32_t thread);

/* The same keys, for a thread that is not known. */
void row_json_no_thread(struct json *json);

/* {"edges_ns": [...], "counts": [...]}: one more count than edges. */
void row_json_histogram(struct json *json, const struct histogram *histogram);

#endif /* ANNOT_ROW_JSON_H */
