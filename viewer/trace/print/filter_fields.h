/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Which fields a filter names. To libtraceevent, a field that the event does not have is one that never matches,
 * without a word.
 */
#ifndef ANNOT_TRACE_PRINT_FILTER_FIELDS_H
#define ANNOT_TRACE_PRINT_FILTER_FIELDS_H

#include <stdbool.h>
#include <stddef.h>

struct tep_event;

/*
 * Looks for a word in @expression, of libtraceevent's language of filters, that is not a field of @event. Returns
 * false if there is none, else the word in @word, cut to @nr_bytes.
 */
bool filter_fields_find_unknown(struct tep_event *event, const char *expression, char *word,
				size_t nr_bytes);

/* Whether a string is compared by "~", as in the kernel's language of filters. In this one, it is no comparison. */
bool filter_fields_has_glob(const char *expression);

#endif /* ANNOT_TRACE_PRINT_FILTER_FIELDS_H */
