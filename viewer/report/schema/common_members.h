/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What several objects of the report have.
 */
#ifndef ANNOT_COMMON_MEMBERS_H
#define ANNOT_COMMON_MEMBERS_H

#include "report/schema/json_schema.h"

extern const struct schema_member
	schema_threads[]; /* thread and tid: of the page, and of the kernel */
extern const struct schema_member schema_span[]; /* from_ns and to_ns, since the trace's start */
extern const struct schema_member schema_left_out[];
extern const struct schema_member schema_not_computed[];
extern const struct schema_member schema_histogram[];
extern const struct schema_member schema_version[]; /* of a document */

/* Of a task or a span, NULL at the end: "work", "wait". */
extern const char *const schema_span_kinds[];

/* As annot explain takes them, NULL at the end. */
extern const char *const schema_finding_kinds[];

#endif /* ANNOT_COMMON_MEMBERS_H */
