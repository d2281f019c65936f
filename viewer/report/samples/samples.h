/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Samples as plain text: a header line, then a line for each. Columns are padded; no field has a
 * blank in it, and what is not known is "-", so that sort(1), cut(1) and awk(1) can go on with it.
 */
#ifndef ANNOT_SAMPLES_H
#define ANNOT_SAMPLES_H

#include <stdio.h>

#include "model/model.h"

#define SAMPLES_MAX_COLUMNS 64

struct sample_columns {
	size_t nr;
	int columns[SAMPLES_MAX_COLUMNS]; /* private: which column, or which register */
};

/* Which samples; a filter that is not set lets all pass. */
struct sample_filter {
	const char *event;
	const char *thread; /* its tid, or its comm */
	const char *task; /* a span of that name is open, whether or not it is the innermost */
	uint64_t from_ns;
	uint64_t to_ns; /* up to here, it not included */
	bool all_threads; /* those that are not of the session, too */
};

/* Adds the column of that name ("regs" adds all registers). -1: there is none. */
int sample_columns_add(struct sample_columns *columns, const struct model *model, const char *name);

/* Adds what is worth seeing of the samples of @model. */
void sample_columns_add_default(struct sample_columns *columns, const struct model *model);

/* Whether @wanted is the tid or the comm of @thread, or 0 with idle being meant. */
bool samples_thread_is(const struct model *model, uint32_t thread, const char *wanted);

/*
 * Returns how many samples of other threads than those of the session were left out, or -1 after
 * one line on stderr: the trace is damaged.
 */
int64_t samples_print(const struct model *model, const struct sample_columns *columns,
		      const struct sample_filter *filter, FILE *out);

#endif /* ANNOT_SAMPLES_H */
