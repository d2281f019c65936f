/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What programs write to trace_marker_raw, in the format of trace/annot_raw.h -> batches. Any
 * program may write anything there. Records in other formats are skipped. Invalid records in our
 * format are counted. An annotation is never assigned to a thread of another process.
 */
#ifndef ANNOT_TRACE_ANNOTATIONS_RAW_READER_H
#define ANNOT_TRACE_ANNOTATIONS_RAW_READER_H

#include "trace/names/annotation_names.h"
#include "trace/annotations/batch.h"

struct raw_reader;

/* Both must outlive the reader; @counts grow. */
struct raw_reader *raw_reader_new(struct annotation_names *annotation_names,
				  struct trace_annotation_counts *counts);
void raw_reader_free(struct raw_reader *reader);

/* One event. */
struct raw_data {
	const uint8_t *bytes; /* from the id on */
	size_t nr_bytes;
	uint64_t time_ns;
	int32_t tid; /* the thread that wrote it */
	bool swap;
	bool is_mono; /* time_ns is of CLOCK_MONOTONIC */
};

/* Whether the data are in our format, valid or not. */
bool raw_data_is_annot(const struct raw_data *data);

/*
 * For printing: the number of names that the event should have; 0 if it is not an event of names.
 */
uint32_t raw_data_nr_names(const struct raw_data *data);

struct raw_name {
	uint32_t number;
	const char *text; /* without a NUL */
	size_t nr_bytes;
};

/*
 * The next name of such an event; *@at is 0 at first. Returns false if there is no complete one
 * left.
 */
bool raw_data_next_name(const struct raw_data *data, size_t *at, struct raw_name *name);

/*
 * Returns true if the data are annotations: then @batch reads them. The bytes must stay valid until
 * the batch is over.
 */
bool raw_reader_read(struct raw_reader *reader, const struct raw_data *data, struct batch *batch);

/* The thread ended. Its tid may be reused by another process. */
void raw_reader_forget_thread(struct raw_reader *reader, int32_t tid);

#endif /* ANNOT_TRACE_ANNOTATIONS_RAW_READER_H */
