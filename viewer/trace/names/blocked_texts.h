/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What annot_blocked tells -> texts: the cause of a wait, and what was waited for. Each is made a text of once, or
 * seldom more.
 */
#ifndef ANNOT_TRACE_NAMES_BLOCKED_TEXTS_H
#define ANNOT_TRACE_NAMES_BLOCKED_TEXTS_H

#include <stdbool.h>
#include <stdint.h>

#include "util/string_table.h"

#define BLOCKED_OBJECTS_MAX 65536u /* more different ones have no text, only their number */

struct blocked_texts;

struct blocked_texts *blocked_texts_new(struct string_table *strings);
void blocked_texts_free(struct blocked_texts *texts);

/* @call is a string, TRACE_NO_STRING: in no system call; @what and @variant as in call_causes.h. */
uint32_t blocked_texts_cause(struct blocked_texts *texts, uint32_t call, uint8_t what,
			     uint32_t variant);

/* The cause of a thread that was stopped, wherever it was. */
uint32_t blocked_texts_stopped(const struct blocked_texts *texts);

/* Which one is waited for: fields of annot_blocked. Those that do not count are 0. */
struct blocked_object {
	uint64_t number;
	uint32_t detail;
	uint32_t name; /* string */
	uint8_t what;
	bool is_descriptor;
};

/* TRACE_NO_STRING if it is one too many. */
uint32_t blocked_texts_object(struct blocked_texts *texts, const struct blocked_object *object);

#endif /* ANNOT_TRACE_NAMES_BLOCKED_TEXTS_H */
