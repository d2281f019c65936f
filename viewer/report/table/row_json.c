// SPDX-License-Identifier: GPL-2.0
#include "report/table/row_json.h"

void row_json_thread(struct json *json, const struct model *model, uint32_t thread)
{
	const struct thread *row = &model->threads[thread];

	json_key_u64(json, "thread", thread);
	json_key(json, "tid");
	json_i64(json, row->tid);
	json_key_string(json, "comm", trace_string(model->trace, row->comm));
}

void row_json_no_thread(struct json *json)
{
	json_key(json, "thread");
	json_null(json);
	json_key(json, "tid");
	json_null(json);
	json_key(json, "comm");
	json_null(json);
}

void row_json_histogram(struct json *json, const struct histogram *histogram)
{
	json_begin_object(json);
	json_key(json, "edges_ns");
	json_begin_array(json);
	for (size_t i = 0; i < HISTOGRAM_EDGES; i++)
		json_u64(json, histogram_edge_ns(i));
	json_end_array(json);
	json_key(json, "counts");
	json_begin_array(json);
	for (size_t i = 0; i <= HISTOGRAM_EDGES; i++)
		json_u64(json, histogram->counts[i]);
	json_end_array(json);
	json_end_object(json);
}
