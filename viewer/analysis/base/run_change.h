/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A change of the recorded run, of which a replay can tell what it would gain (what_if.h).
 */
#ifndef ANNOT_RUN_CHANGE_H
#define ANNOT_RUN_CHANGE_H

#include <stdint.h>

/* Each with its option of annot what-if. */
#define RUN_CHANGE_EACH(X)       \
	X(BALANCE, "balance")    \
	X(WITHOUT, "without")    \
	X(NO_LOCK, "no-lock")    \
	X(MERGE, "merge-chunks") \
	X(CPUS, "cpus")          \
	X(PIN, "pin")            \
	X(UNPIN, "unpin")

enum run_change_kind {
	CHANGE_NONE,
#define RUN_CHANGE_KIND(kind, name) CHANGE_##kind,
	RUN_CHANGE_EACH(RUN_CHANGE_KIND)
#undef RUN_CHANGE_KIND
	NR_RUN_CHANGES,
};

struct run_change {
	enum run_change_kind kind;
	uint32_t name; /* string id: of the region, program, lock or task; TRACE_NO_STRING: none */
	int nr_cpus; /* of CHANGE_CPUS */
};

/* "balance", ... */
const char *run_change_name(enum run_change_kind kind);

#endif /* ANNOT_RUN_CHANGE_H */
