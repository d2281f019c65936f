/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Parses event formats: the text of tracefs events/SYSTEM/EVENT/format, which trace.dat has for
 * each event. Only the positions of the fields are taken from it, once, before events are read.
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
	FIELD_REL_LOC, /* the same, with the offset counted from the field's end */
};

struct event_field {
	char name[FORMAT_NAME_BYTES];
	uint16_t offset;
	bool is_pointer; /* "char * buf" */
	uint16_t size; /* 0: an array to the record's end */
	enum field_location location;
};

struct event_format {
	char name[FORMAT_NAME_BYTES];
	int id; /* -1: the text has none (header_page) */
	const char *print; /* rest of the parsed text from "print fmt" on, or "" */
	int nr_fields;
	struct event_field fields[FORMAT_MAX_FIELDS];
};

/*
 * Parses @text. @format points into @text. Returns -1, silently, if it is not the text of a format.
 */
int event_format_parse(const char *text, struct event_format *format);

/* Returns NULL if there is no field of that name. */
const struct event_field *event_format_field(const struct event_format *format, const char *name);

#endif /* ANNOT_TRACE_FILE_EVENT_FORMAT_H */
