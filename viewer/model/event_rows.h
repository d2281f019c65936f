/* SPDX-License-Identifier: GPL-2.0 */
/* Makes rows of the events that nothing decodes, while a model is built (event_source.h). */
#ifndef ANNOT_MODEL_EVENT_ROWS_H
#define ANNOT_MODEL_EVENT_ROWS_H

#include "model/event_source.h"
#include "model/model.h"

/* A longer text of an event is cut, and ends in "...". */
#define EVENT_MOST_TEXT_BYTES 400

struct event_rows;
struct model_builder;

struct event_rows *event_rows_new(const struct event_source *source);
void event_rows_free(struct event_rows *rows);

/* Takes or counts an event of kind TRACE_OTHER. */
void event_rows_feed(struct model_builder *builder, const struct trace_event *event);

/* Counts such an event before the model begins. */
void event_rows_note_early(struct model_builder *builder, const struct trace_event *event);

/* All rows so far get their texts. Call before they leave for a window. */
void event_rows_flush(struct model_builder *builder);

/* Makes the rows that had to wait for the end, and tells what is left out. Call before the last cut. */
void event_rows_finish(struct model_builder *builder);

/* Copies @nr rows from @first on, with their texts. */
void event_rows_copy(struct event_table *to, const struct event_table *from, size_t first,
		     size_t nr);

#endif /* ANNOT_MODEL_EVENT_ROWS_H */
