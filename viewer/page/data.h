/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The data of a page: format version 5.
 *
 * Head: <script type="application/json" id="annot-head">, an object with
 *
 *   format	4. A page carries the script that reads it, so the number guards against halves of
 *		two builds, not against old readers.
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
 * Encodings of a value (block.h): "u8" a byte; "varint"; "zigzag"; "time" the zigzag of the
 * difference to the row before (the first: to 0); "idle" the zigzag of the difference to the end
 * of the row before, "length" a varint: end - start; "split" a u8 of each row, then a varint of each:
 * the low byte of a number, and what is above it. Times are nanoseconds since the trace began.
 *
 *   kind		owner	columns
 *   1 slices		cpu	start idle, length split, thread varint, end_state u8
 *   2 gaps		cpu	start time, end length, events varint, kind u8 (enum gap_kind)
 *   3 states		thread	start time, state u8, cpu zigzag: those that slices and wakeups do not
 *				of the same window imply (derived_states.h), see 13
 *   4 spans		thread	start time, end length, name varint, kind u8, depth u8, flags u8,
 *				value zigzag
 *   5 marks		thread	time time, name varint, flags u8 (1: counter, 2: has a value),
 *				value zigzag
 *   6 migrations	0	time time, waited varint (since it left), thread varint,
 *				from zigzag, to zigzag
 *   7 wakeups		cpu	by the waker's CPU, and by what ran there (wakeups.h): step varint (from
 *				the place of the row before, the first: from 0), since split (where the
 *				place begins; place 0: at time 0), waker varint (0: who ran there, 1: nobody,
 *				else thread + 2), wakee varint (0: whom the waker woke before, in
 *				the block, else thread + 1). Of all CPUs, in order of time; at one
 *				time, the lower CPU is first
 *   8 span drains	thread	after varint: how long after a span's start its begin came into the
 *				trace; a row for each of the thread's spans. Left out if all are 0
 *   9 mark drains	thread	the same, of marks
 *  10 samples		0	time time, thread varint (0: none, else thread + 1), cpu zigzag,
 *				event u8, has u8 (ANNOT_SAMPLE_*), period varint, ip varint,
 *				addr varint, weight varint
 *  11 slice counts	columns	start time, end length, thread varint (0: none, else thread + 1),
 *				cpu zigzag, invalid varint (bit i: column i is not of the whole
 *				slice), then as many columns as the owner says: count varint
 *  12 pmu gaps	0	start time, end length, cpu zigzag, event u8, state u8 (ANNOT_PMU_*)
 *  13 state edits	thread	put in varint, left out varint, kept varint: how to have the thread's
 *				states from those implied. Row by row: so many of table 3 come next;
 *				so many implied ones are passed over; so many are taken. A thread
 *				without edits has those implied
 *  14 loose states	thread	start time, end length, state u8, cpu zigzag: in the rest, in
 *				place of 3 and 13
 *
 * Those of the overview (overview.h). A run is so many buckets that are alike; an owner's (of 22 a
 * depth's, of 25 a name's) add up to all buckets. A share is a u8, of 255.
 *
 *  20 cpus		cpu	a row for each bucket: thread varint (0: none, else thread + 1: who ran
 *				longest), busy share
 *  21 states		thread	run varint, seven shares: of each state but "unknown", which has what is
 *				missing to 255. There is a table of each thread
 *  22 spans		thread	depth u8, run varint, name varint, kind u8, share: by depth; the name
 *				and kind that lasted longest, and how long. Depth 255, where depths
 *				are no longer counted, is left out
 *  23 densities	event * number of CPUs + cpu: run varint, sum varint, min varint, max varint: the
 *				amount in a bucket, the least and the most in an eighth of it
 *  24 densities	event * number of threads + thread: the same
 *  25 counters	thread	name varint, run varint, min zigzag, max zigzag, last zigzag: by name; of
 *				the values in a bucket or, where there is none, of the last one before;
 *				1, 0, 0 before the first
 *  26 marks		thread	run varint, name varint (of the first), count varint; counters are not
 *				counted
 *
 * An empty table is left out. Thread states and span flags are those of model.h. To grow it: a
 * new table kind for new data (a reader refuses kinds that it does not know), a new "format" for
 * anything else.
 */
#ifndef ANNOT_PAGE_DATA_H
#define ANNOT_PAGE_DATA_H

#include <stdio.h>

#include "model/model.h"

#define PAGE_FORMAT_VERSION 5

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
