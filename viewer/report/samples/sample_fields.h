/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What stands in each column of annot samples.
 */
#ifndef ANNOT_SAMPLE_FIELDS_H
#define ANNOT_SAMPLE_FIELDS_H

#include "report/samples/registers.h"
#include "symbols/symbols.h"

#define SAMPLE_FIELD_BYTES 1024

enum sample_field {
	SAMPLE_FIELD_TIME, /* seconds since the trace's beginning */
	SAMPLE_FIELD_CPU,
	SAMPLE_FIELD_TID,
	SAMPLE_FIELD_PID,
	SAMPLE_FIELD_COMM,
	SAMPLE_FIELD_EVENT,
	SAMPLE_FIELD_MODE,
	SAMPLE_FIELD_IP,
	SAMPLE_FIELD_SYMBOL,
	SAMPLE_FIELD_OBJECT,
	SAMPLE_FIELD_LINE,
	SAMPLE_FIELD_ADDR,
	SAMPLE_FIELD_DATA,
	SAMPLE_FIELD_WEIGHT,
	SAMPLE_FIELD_SOURCE,
	SAMPLE_FIELD_PERIOD,
	SAMPLE_FIELD_PRECISE,
	SAMPLE_FIELD_TASK,
	NR_SAMPLE_FIELDS,
};

struct sample_printer {
	const struct model *model;
	struct symbols *symbols; /* where a column needs them */
	size_t *spans; /* of each sample the innermost, likewise */
	uint32_t *objects; /* that programs named, likewise: see live_objects_of_samples() */
};

/* A field of @sample: never empty, without blanks and without what could upset a terminal. */
void sample_field_text(const struct sample_printer *printer, enum sample_field field, size_t sample,
		       char text[SAMPLE_FIELD_BYTES]);
void sample_register_text(const struct sample_printer *printer, size_t reg, size_t sample,
			  char text[SAMPLE_FIELD_BYTES]);

/* Whether it is a name, rather than a number. */
bool sample_field_is_name(enum sample_field field);

/* The names of all columns but those of registers, NULL at the end. */
const char *const *sample_column_names(void);

#endif /* ANNOT_SAMPLE_FIELDS_H */
