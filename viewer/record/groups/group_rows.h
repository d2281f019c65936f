/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What the counters of one CPU tell -> lines of the trace (trace/lines/group_line.h), each with as many rows as fit.
 */
#ifndef ANNOT_RECORD_GROUPS_GROUP_ROWS_H
#define ANNOT_RECORD_GROUPS_GROUP_ROWS_H

#include "record/buffer/marker.h"
#include "record/groups/counter_group.h"

struct group_rows {
	int marker_fd;
	int cpu;
	size_t group;
	size_t nr_counts;
	bool has_last; /* there was a reading before */
	bool is_other; /* it was of another group */
	uint64_t last_ns;
	uint64_t last[TRACE_GROUP_MOST_COUNTS];
	uint64_t nr_lost; /* readings */
	size_t nr_bytes; /* of the line that is not written yet */
	size_t nr_rows; /* in it */
	char line[MARKER_LINE_MAX_BYTES];
};

/* What comes now is of @group, which has @nr_counts counters. */
void group_rows_begin(struct group_rows *rows, size_t group, size_t nr_counts);

/* A counter_group_handler, whose context is a struct group_rows. */
void group_rows_take(void *context, const struct counter_reading *reading);

/* Writes the rows that are not written yet. */
void group_rows_flush(struct group_rows *rows);

#endif /* ANNOT_RECORD_GROUPS_GROUP_ROWS_H */
