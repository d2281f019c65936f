/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The arguments of calls -> texts. Equal arguments are made a text of once. As programs make millions of
 * calls with arguments that differ, no more than ARGUMENT_TEXTS_MAX different ones get a text; the page has
 * each of these texts, however long the trace is.
 */
#ifndef ANNOT_TRACE_NAMES_ARGUMENT_TEXTS_H
#define ANNOT_TRACE_NAMES_ARGUMENT_TEXTS_H

#include <stdbool.h>
#include <stdint.h>

#include "trace/names/syscalls.h"
#include "util/string_table.h"

#define ARGUMENT_TEXTS_MAX 65536u

/* What the arguments of one kind of call are. */
struct argument_names {
	uint8_t nr;
	bool is_pointer[SYSCALL_MAX_ARGUMENTS];
	uint32_t names[SYSCALL_MAX_ARGUMENTS]; /* strings; TRACE_NO_STRING: not known */
};

struct argument_texts;

struct argument_texts *argument_texts_new(struct string_table *strings);
void argument_texts_free(struct argument_texts *texts);

/*
 * The text of SYSCALL_MAX_ARGUMENTS @values, 0 behind the last of which @names knows. @key tells kinds of calls apart whose names
 * of arguments differ. Returns false if it is one too many, and TRACE_NO_STRING in @text.
 */
bool argument_texts_get(struct argument_texts *texts, uint64_t key,
			const struct argument_names *names, const uint64_t *values, uint32_t *text);

/* @text of @bytes, as it is, under the same limit. */
bool argument_texts_intern(struct argument_texts *texts, const char *text, size_t bytes,
			   uint32_t *id);

#endif /* ANNOT_TRACE_NAMES_ARGUMENT_TEXTS_H */
