// SPDX-License-Identifier: GPL-2.0
#include "model/memory/page_readings.h"

#include "model/builder_state.h"
#include "model/table_rows.h"

void page_readings_note_recorder(struct model_builder *builder, const struct trace_event *event)
{
	if (!builder->recorder_tid)
		builder->recorder_tid = event->tid;
}

/* The lines of a reading were written one after the other, but it is of one time. */
static void end_reading(struct model_builder *builder)
{
	struct page_reading_table *readings = &builder->model->page_readings;

	for (size_t row = builder->first_of_reading; row < readings->nr; row++)
		readings->time_ns[row] = readings->time_ns[readings->nr - 1];
	builder->first_of_reading = readings->nr;
}

void page_readings_feed(struct model_builder *builder, const struct trace_event *event)
{
	struct model *model = builder->model;
	struct page_reading_row row = {
		.tgid = event->pages.tgid,
		.start = event->pages.start,
		.length = event->pages.length,
		.resident_bytes = event->pages.resident_bytes,
		.huge_bytes = event->pages.huge_bytes,
		.page_bytes = event->pages.page_bytes,
		.huge_page_bytes = event->pages.huge_page_bytes,
	};

	if (!builder->recorder_tid || event->tid != builder->recorder_tid)
		return;
	if (event->pages.true_ns > model->start_ns)
		row.time_ns = event->pages.true_ns - model->start_ns;
	page_reading_table_add(&model->page_readings, &row);
	if (!row.length)
		end_reading(builder);
}
