/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The data of a page, of format PAGE_FORMAT_VERSION (model/tables.def).
 *
 * Head: <script type="application/json" id="annot-head">, an object with
 *
 *   format	PAGE_FORMAT_VERSION. A page carries the script that reads it, so the number guards
 *		against halves of two builds, not against old readers.
 *   version	of annot
 *   title	as given
 *   trace	{file, clock, start_ns (decimal string: it may exceed 2^53), duration_ns, cpus,
 *		events, lost_events, lost_gaps, lost_annotations, altered_annotations,
 *		truncated, config}
 *   strings	array; an index into it stands for a string everywhere below. 0 is "none"
 *   threads	{tid[], tgid[], comm[], parent[] (-1: none), session[] (0 or 1), unmatched[],
 *		depth[] (levels of spans), spans[], marks[] (how many of them), main_cpu[] (on
 *		which it ran for more than half of its time on CPUs, if there is one, else one
 *		of those on which it ran; -1: none), switches[], preemptions[], migrations[], ns[] (time in each state: as many for each thread as
 *		there are states)}
 *   cpus	array of 0 or 1: whether the CPU wrote anything
 *   pmu	array of the measured events, in the order of their numbers below: {name, counted
 *		(it has counts per slice; else samples), user, kernel (bools), asked, precise
 *		(levels), period, error (errno with which it was refused, or 0), lost (samples known
 *		to be missing), counter (of a counted one: which column of slice counts), merged
 *		(nothing is left of it)}
 *   windows	{start[] (ns), rows[] (how many, of all tables)}
 *   overview	{buckets (how many), bucket_ns}; null if there is but one window. Bucket i is
 *		[i * bucket_ns, (i + 1) * bucket_ns); the last one reaches beyond the end
 *   counts	{slices, gaps, states, spans, marks, migrations, wakeups, samples, slice_counts}
 *   span_names	array of [name, kind, how many]
 *   mark_names	array of [name, how many], of marks and values of counters
 *   series	counters: array of [thread, name, how many values, least, most (of them and 0)]
 *
 * Blocks: <script type="application/x-annot-block" id="...">, each the base64 of a gzip member. They
 * are "annot-overview", if the head has one, and those of model/window.h: "annot-rest" stands before
 * the page's script, too, and is left out when it is empty; "annot-block-0", "annot-block-1", ..., one for each window, stand behind it. So the
 * script can draw before a browser has read them. Inflated, a block is a sequence of whole tables:
 *
 *   table	kind (u8), owner (varint), number of rows (varint), then its columns, one after the
 *		other, each with a value for every row
 *
 * Kinds, columns and encodings stand in model/tables.def, with what they mean; `make page-format` writes
 * them as build/page-format.md. Times are nanoseconds since the trace began. A state's rows are those that
 * slices and wakeups of the same window do not imply (model/derived_states.h).
 *
 * In the overview (overview.h), a run is so many buckets that are alike. Those of an owner add up to all
 * buckets; so do those of each depth of spans, and of each name of a counter. A share is of 255.
 *
 * An empty table is left out. Thread states and span flags are those of model.h.
 */
#ifndef ANNOT_PAGE_DATA_H
#define ANNOT_PAGE_DATA_H

#include <stdio.h>

#include "model/model.h"

/* The data of one page while its trace is read. */
struct page_data;

/* How long the trace will be, and how many events: as far as is known, or 0 (overview.h). */
struct page_data *page_data_new(uint64_t duration_hint_ns, uint64_t nr_events_hint);
void page_data_free(struct page_data *data);

/* Takes a window; @data is a struct page_data: for model_sink.take. */
void page_data_take(void *data, const struct model *window, uint64_t from_ns, uint64_t to_ns);

/* The same of a state: for model_sink.state, which may be told of steps of so many ns. */
uint64_t page_data_step_ns(const struct page_data *data);
void page_data_take_state(void *data, uint32_t thread, enum thread_state state, uint64_t start_ns,
			  uint64_t end_ns);

/*
 * The data are to take @most_bytes: where they would take more, windows are left out, those with the
 * fewest spans and marks first, of equal ones the last.
 */
void page_data_limit(struct page_data *data, uint64_t most_bytes);

/*
 * Writes what stands before the page's script; once. Returns -1 after one line on stderr when memory
 * ran out, or that much cannot be kept to.
 */
int page_data_write_head(struct page_data *data, const struct model *rest, const char *title,
			 FILE *out);

/* Writes what stands behind it. Returns -1 after one line on stderr when memory ran out. */
int page_data_write_windows(const struct page_data *data, FILE *out);

#endif /* ANNOT_PAGE_DATA_H */
