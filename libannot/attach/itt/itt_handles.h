/* SPDX-License-Identifier: MIT */
/*
 * What a collector makes for the program, and the program gives back to it: domains, strings, counters.
 * Each stays valid for the life of the process. The same name gives the same domain or string.
 */
#ifndef LIBANNOT_ATTACH_ITT_HANDLES_H
#define LIBANNOT_ATTACH_ITT_HANDLES_H

#include <stdint.h>

#include "../place.h"
#include "itt_api.h"

/* NULL if there is no memory. */
struct itt_domain *itt_domain_of_name(const char *name);
struct itt_string *itt_string_of_text(const char *text);

/* A counter: its value, and the handle that the next collector gave it. */
struct itt_counter {
	const void *tag; /* tells it from handles that others made */
	struct place *place;
	enum itt_type type;
	int64_t value;
	void *next;
};

struct itt_counter *itt_counter_make(const char *name, enum itt_type type, void *next);

/* NULL: it is not one of itt_counter_make(). */
struct itt_counter *itt_counter_of_handle(void *handle);

/* The counter of a name that has no handle. NULL: there are too many. */
struct itt_counter *itt_counter_of_place(struct place *place);

#endif /* LIBANNOT_ATTACH_ITT_HANDLES_H */
