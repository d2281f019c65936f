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
 *		depth[] (levels of spans), spans[], marks[] (how many of them), main_cpu[] (the CPU
 *		with more than half of its time on CPUs; if there is none, a CPU on which it ran;
 *		-1: none), switches[], preemptions[], migrations[], stolen[] (ns that interrupts took
 *		from it), ns[] (time in each state: one value per state for each thread)}
 *   cpus	array of 0 or 1: whether the CPU wrote anything
 *   pmu	array of the measured events, in the order of their numbers below: {name, counted
 *		(it has counts per slice; else samples), user, kernel (bools), asked, precise
 *		(levels), period, error (errno with which it was refused, or 0), lost (samples known
 *		to be missing), counter (of a counted one: which column of slice counts), merged
 *		(nothing is left of it)}
 *   slots	how issue slots divide, by top-down: {inputs[] (of each: the columns of slice counts whose sum it is),
 *		figures {NAME: [] (its formula in postfix notation: a number, [an input], or the name of an operation)},
 *		turns (events had to take turns), whole_core (the formulas take the thread for the only one on its core, and
 *		cores have several)}; missing if the events of no figure were counted
 *   windows	{start[] (ns), rows[] (how many, of all tables)}
 *   overview	{buckets (how many), bucket_ns}; null if there is but one window. Bucket i is
 *		[i * bucket_ns, (i + 1) * bucket_ns); the last one reaches beyond the end
 *   fine_overview	the same, of the overview in more and shorter buckets; null if that is the only one
 *   counts	{slices, gaps, states, spans, marks, migrations, wakeups, samples, slice_counts,
 *		interrupts}
 *   span_names	array of [name, kind, how many]
 *   mark_names	array of [name, how many], of marks and values of counters
 *   event_names	array of [name, how many], of rows of events. This and the next three are missing if the
 *		trace has no events that nothing else shows
 *   event_cpus	array of [CPU, how many]
 *   event_threads	array of [thread, how many]
 *   left_out_events	array of [name, how many], of events without rows
 *   early_events	how many events of wanted types come before the page begins; missing if none do
 *   series	counters: array of [thread, name, how many values, least, most (of them and 0)]
 *   kernel	what threads do in the kernel; missing if there is nothing: {depth[], slices[], unmatched[] (of
 *		each thread: levels, how many rows, ends without a begin), names: array of [name, how many],
 *		errors: names of results of system calls by number, textless (how many calls whose arguments
 *		have no text, as too many differ)}
 *	power	missing if there is nothing: {idle[] (of each CPU, 0 or 1: whether it has idle states), most_khz[] (its
 *		highest frequency; 0: none is known)}
 *   devices	block devices: array of [name, the most requests in flight at once in the whole trace, whatever part of
 *		it the page shows]; missing if there is none
 *
 * Blocks: <script type="application/x-annot-block" id="...">, each the base64 of a gzip member. They
 * are "annot-overview" and "annot-overview-fine", if the head has them, and those of model/window/window.h:
 * "annot-rest", unless it is empty, and "annot-block-0", "annot-block-1", ..., one for each window. The
 * overview and the rest are before the page's script, the fine overview and the windows after it. So the
 * script can draw before a browser has read the windows, and equally soon however long the trace is: the
 * overview is of at most 131072 bytes before base64, or of less than 256 buckets. Inflated, a block is a
 * sequence of tables:
 *
 *   table	kind (u8), owner (varint), number of rows (varint), then its columns, one after the
 *		other, each with a value for every row
 *
 * model/tables.def declares and describes kinds, columns and encodings. `make page-format` writes them
 * to build/page-format.md. Times are nanoseconds since the start of the trace. A table of states has only
 * the rows that slices and wakeups of the same window do not imply (model/states/derived_states.h).
 *
 * In the overview (overview.h), a run is a number of equal buckets. The runs of an owner add up to all
 * buckets; so do those of each depth of spans, and of each name of a counter. Shares are in 255ths.
 *
 * Messages are divided like the rows of a model: those that are sent and received in one window stand in its block,
 * others in the rest.
 *
 * An empty table is left out. Thread states and span flags are those of model.h.
 */
#ifndef ANNOT_PAGE_DATA_H
#define ANNOT_PAGE_DATA_H

#include <stdio.h>

#include "model/model.h"

/* The data of one page while its trace is read. */
struct page_data;

/* The hints are the expected length of the trace and number of events, or 0 (overview.h). */
struct page_data *page_data_new(uint64_t duration_hint_ns, uint64_t nr_events_hint);
void page_data_free(struct page_data *data);

/*
 * What messages there are, by start. They must live as long. Without this, there are none. If it is called after the last window
 * instead of before the first one, no window has them, but the rest.
 */
void page_data_set_messages(struct page_data *data, const struct message_table *messages);

/* Adds a window. @data is a struct page_data: for model_sink.take. */
void page_data_take(void *data, const struct model *window, uint64_t from_ns, uint64_t to_ns);

/* Adds a state, for model_sink.state. page_data_step_ns() is the step_ns of the sink. */
uint64_t page_data_step_ns(const struct page_data *data);
void page_data_take_state(void *data, uint32_t thread, enum thread_state state, uint64_t start_ns,
			  uint64_t end_ns);

/* The page has the strings that @trace has now, not those that come later. Call after the last window. */
void page_data_end_strings(struct page_data *data, const struct trace *trace);

/*
 * Limits the data to @most_bytes. If they would be larger, windows are dropped: those with the
 * fewest spans and marks first, among equal ones the last. If all windows are too few, so is the fine
 * overview.
 */
void page_data_limit(struct page_data *data, uint64_t most_bytes);

/*
 * Writes the part before the page's script; call once. Returns -1 after one line on stderr if
 * memory ran out, or the limit is too small.
 */
int page_data_write_head(struct page_data *data, const struct model *rest, const char *title,
			 FILE *out);

/* Writes the part after the page's script: the fine overview, then the windows. */
void page_data_write_windows(const struct page_data *data, FILE *out);

#endif /* ANNOT_PAGE_DATA_H */
