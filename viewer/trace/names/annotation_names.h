/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The names of annotations, as they are recorded -> as they are shown. The others know only the
 * latter.
 */
#ifndef ANNOT_TRACE_NAMES_ANNOTATION_NAMES_H
#define ANNOT_TRACE_NAMES_ANNOTATION_NAMES_H

#include "trace/event.h"
#include "util/string_table.h"

struct annotation_names;

/* @strings gets what is shown, and must outlive the names. */
struct annotation_names *annotation_names_new(struct string_table *strings);
void annotation_names_free(struct annotation_names *names);

/* From now on names are shown as @resolve says, which is asked once for each. */
void annotation_names_resolve(struct annotation_names *names, trace_name_resolver *resolve,
			      void *context);

/* The id of what is shown for the name of @length bytes at @bytes. */
uint32_t annotation_names_intern(struct annotation_names *names, const char *bytes, size_t length);

/* Where what is shown is. */
struct string_table *annotation_names_strings(const struct annotation_names *names);

#endif /* ANNOT_TRACE_NAMES_ANNOTATION_NAMES_H */
