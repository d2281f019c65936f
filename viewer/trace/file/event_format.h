/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Event formats: the text of tracefs events/SYSTEM/EVENT/format, which a trace.dat carries for
 * each event. Only where the fields lie is taken from it, once, before events are read.
 */
#ifndef ANNOT_TRACE_FILE_EVENT_FORMAT_H
#define ANNOT_TRACE_FILE_EVENT_FORMAT_H

#include <stdbool.h>
#include <stdint.h>

#define FORMAT_NAME_BYTES 48
#define FORMAT_MAX_FIELDS 32

enum field_location {
	FIELD_IN_PLACE,
	FIELD_DATA_LOC, /* u32: length << 16 | offset from the record's start */
	FIELD_REL_LOC, /* the same, the offset counted from the field's end */
};

struct event_field {
	char name[FORMAT_NAME_BYTES];
	uint16_t offset;
	uint16_t size; /* 0: an array to the record's end */
	enum field_location location;
};

struct event_format {
	char name[FORMAT_NAME_BYTES];
	int id; /* -1: the text has none (header_page) */
	const char *print; /* the "print fmt" line on, in the text that was parsed, or "" */
	int nr_fields;
	struct event_field fields[FORMAT_MAX_FIELDS];
};

/* Reads @text, which stays with @format. Returns -1, silently, if it is not the text of a format. */
int event_format_parse(const char *text, struct event_format *format);

/* NULL when there is none of that name. */
const struct event_field *event_format_field(const struct event_format *format, const char *name);

#endif /* ANNOT_TRACE_FILE_EVENT_FORMAT_H */
