/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Names by which attached programs speak to the reader of the trace (libannot/attach/sink.h). A wait whose
 * name ends in " @team_WORD" ends with a mark "@team_WORD" of the same value, made by any thread of its
 * process. Any other mark "@WORD" is a note about the span that it is made in. None of these marks is
 * shown.
 *
 * Who reads the trace may turn names that end in a place in code into others (symbols/place_names.h). Of an object, that place tells more:
 * then the mark is "@object NAME", a line feed, and the mark as the program made it.
 */
#ifndef ANNOT_MODEL_TEAM_NAMES_H
#define ANNOT_MODEL_TEAM_NAMES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "trace/trace.h"

#define TEAM_NAME_OBJECT_WORD "@object "

enum team_name_kind {
	TEAM_NAME_NONE, /* an ordinary name */
	TEAM_NAME_WAIT,
	TEAM_NAME_MARK,
	TEAM_NAME_NOTE,
	TEAM_NAME_RANK, /* "@rank": of the process, whatever span it is made in */
	TEAM_NAME_OBJECT, /* "@object NAME": of memory (data_objects.h) */
	TEAM_NAME_OBJECT_BYTES, /* "@object_bytes" */
	TEAM_NAME_OBJECT_END, /* "@object_end" */
	TEAM_NAME_THREAD_LOCAL, /* "@thread_local BYTES BUILDID PATH" (thread_local_name.h) */
	TEAM_NAME_THREAD_LOCAL_END, /* "@thread_local_end" */
};

struct team_name {
	bool known;
	enum team_name_kind kind;
	uint32_t mark; /* of a wait: string id of the mark that ends it; of a mark: its own */
	uint32_t shown; /* of a wait: its name without " @team_WORD"; of an object: its NAME */
	uint32_t
		recorded; /* of an object: the mark as the program made it; TRACE_NO_STRING: the same */
};

/* What is known of each name, by its string id. */
struct team_names {
	size_t nr;
	struct team_name *names;
};

/* Whether it tells of memory. */
static inline bool team_name_is_object(enum team_name_kind kind)
{
	return kind >= TEAM_NAME_OBJECT && kind <= TEAM_NAME_THREAD_LOCAL_END;
}

/* @trace may be NULL: no name is special then. The pointer is valid until the next call. */
const struct team_name *team_name_get(struct team_names *names, struct trace *trace, uint32_t name);
void team_names_free(struct team_names *names);

#endif /* ANNOT_MODEL_TEAM_NAMES_H */
