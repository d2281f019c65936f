/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What programs write to trace_marker_raw, in the format of trace/annot_raw.h -> batches. Anybody
 * may write there, and anything: what is not ours is passed over, what is ours and cannot be is
 * counted, and no thread is given another process's annotations.
 */
#ifndef ANNOT_TRACE_DECODE_RAW_READER_H
#define ANNOT_TRACE_DECODE_RAW_READER_H

#include "trace/decode/batch.h"

struct raw_reader;

/* Both must stay as long as the reader; @counts grow. */
struct raw_reader *raw_reader_new(struct string_table *strings,
				  struct trace_annotation_counts *counts);
void raw_reader_free(struct raw_reader *reader);

/* One event. */
struct raw_data {
	const uint8_t *bytes; /* from the id on */
	size_t nr_bytes;
	uint64_t time_ns;
	int32_t tid; /* who wrote it */
	bool swap;
	bool is_mono; /* time_ns is of CLOCK_MONOTONIC */
};

/* Whether it is in our format, or means to be. */
bool raw_data_is_annot(const struct raw_data *data);

/* For who prints them: how many names the event should tell, 0 if that is not what it is for. */
uint32_t raw_data_nr_names(const struct raw_data *data);

struct raw_name {
	uint32_t number;
	const char *text; /* without a NUL */
	size_t nr_bytes;
};

/* The next name of such an event, from *@at = 0 on. False: there is none that is whole. */
bool raw_data_next_name(const struct raw_data *data, size_t *at, struct raw_name *name);

/* True: annotations, which are @batch from now on. The bytes must stay until it is over. */
bool raw_reader_read(struct raw_reader *reader, const struct raw_data *data, struct batch *batch);

/* The thread ended; its number may go to one of another process. */
void raw_reader_forget_thread(struct raw_reader *reader, int32_t tid);

#endif /* ANNOT_TRACE_DECODE_RAW_READER_H */
