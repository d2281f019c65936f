/* SPDX-License-Identifier: GPL-2.0 */
/*
 * In which pages processes' memory is, as annot record read it now and then. Any process that may write to
 * trace_marker can write such a line. The kernel tells who wrote it, so only those of one thread are taken: of the one
 * that told first what CPUs there are, which annot record does before it starts a program.
 */
#ifndef ANNOT_MODEL_PAGE_READINGS_H
#define ANNOT_MODEL_PAGE_READINGS_H

#include "trace/event.h"

struct model_builder;

/* Call with each TRACE_CPU_TOPOLOGY, and with each TRACE_PAGES. */
void page_readings_note_recorder(struct model_builder *builder, const struct trace_event *event);
void page_readings_feed(struct model_builder *builder, const struct trace_event *event);

#endif /* ANNOT_MODEL_PAGE_READINGS_H */
