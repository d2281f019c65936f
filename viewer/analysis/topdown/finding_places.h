/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Who knows where samples of a task fell, which is more than an analysis knows: names of lines and of data.
 */
#ifndef ANNOT_FINDING_PLACES_H
#define ANNOT_FINDING_PLACES_H

#include <stddef.h>
#include <stdint.h>

#include "analysis/base/findings.h"

#define FINDING_PLACES_BYTES 600
#define NO_EVENT SIZE_MAX

/* What is asked for. */
struct places_question {
	enum finding_kind kind;
	uint32_t task; /* NO_TASK: the session */
	size_t event; /* that the finding is of; NO_EVENT: of several */
};

struct finding_places {
	/* Writes a part of a sentence into @text, of @size bytes; "": nothing is known. */
	void (*say)(const void *context, const struct places_question *question, char *text,
		    size_t size);
	const void *context;
};

/* Writes "; l1_cache_miss at sum.c:31 (61 %)", or "". @places: NULL: nobody knows. */
void finding_places_say(const struct finding_places *places, const struct places_question *question,
			char text[FINDING_PLACES_BYTES]);

#endif /* ANNOT_FINDING_PLACES_H */
