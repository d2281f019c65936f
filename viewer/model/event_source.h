/* SPDX-License-Identifier: GPL-2.0 */
/*
 * How the model gets rows of events that nothing decodes: what a command gives for that. The model knows no
 * formats, so it is told the names of events and what they say.
 */
#ifndef ANNOT_MODEL_EVENT_SOURCE_H
#define ANNOT_MODEL_EVENT_SOURCE_H

#include "trace/trace.h"

struct clip;

/* Called for each event that was added, in order. @text is one line, in any bytes. */
typedef void event_text_fn(void *taker, const char *text);

struct event_source {
	void *context;
	uint32_t (*name)(void *context, uint16_t type); /* "system:event": string id */
	/* Whether events of the type are to be rows, if they are few. Asked once for each type, and before the model begins. */
	bool (*is_wanted)(void *context, uint16_t type);
	/* The record of the event that the model was fed last. */
	bool (*record)(void *context, struct trace_record *record);
	/* Keeps a copy of @record to be printed. Returns whether it is time to flush. */
	bool (*add)(void *context, uint64_t time_ns, int cpu, const struct trace_record *record);
	/* Prints all that were added since the last flush. */
	void (*flush)(void *context, event_text_fn *take, void *taker);
	/* Told of each type without rows, the most frequent first; NULL: nobody wants to hear. */
	void (*left_out)(void *context, uint16_t type, uint64_t nr);
	/* Told how many events of wanted types come before the model begins, if any; NULL: nobody wants to hear. */
	void (*early)(void *context, uint64_t nr);
	/*
	 * So many rows at most, of the types with the fewest events; all events of a type are rows, or
	 * none is. It is known at the end of the trace which ones, so they are in the rest, or in a
	 * single window. UINT64_MAX: no limit, and each row is in its window.
	 */
	uint64_t most_rows;
	const struct clip *clip; /* only these events count; NULL: all */
};

#endif /* ANNOT_MODEL_EVENT_SOURCE_H */
