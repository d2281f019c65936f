/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The fronts: shared objects that are loaded into a program which nobody annotated, and that make annotations of
 * what its OpenMP runtime, MPI, ... tells. Each convention has one or more; this is the table of all.
 */
#ifndef ANNOT_ATTACH_FRONTS_H
#define ANNOT_ATTACH_FRONTS_H

#include <stdbool.h>

enum attach_convention {
	ATTACH_OPENMP,
	ATTACH_ITT,
	ATTACH_NVTX,
	ATTACH_KOKKOS,
	ATTACH_MPI,
	ATTACH_PTHREAD,
	ATTACH_LIKWID,
	ATTACH_SCOREP,
	ATTACH_HEAP,
	ATTACH_CONVENTIONS,
};

/* How a front gets into a program: the variables of attach_ways. */
enum attach_way_id {
	ATTACH_BY_PRELOAD,
	ATTACH_BY_OMPT,
	ATTACH_BY_ITT,
	ATTACH_BY_NVTX,
	ATTACH_BY_KOKKOS,
	ATTACH_BY_KOKKOS_OLD,
	ATTACH_WAYS,
};

struct attach_way {
	const char *variable;
	char separator; /* of its list; 0: it holds one name */
	/* The variable that tells the front who else is to be loaded, where nobody else does; or NULL. */
	const char *next;
};

struct attach_front {
	const char *name;
	const char *file;
	enum attach_convention convention;
	enum attach_way_id way;
	/* What betrays a user; beginnings of names, NULL at the end: */
	const char *const *libraries; /* libraries that are loaded; or NULL */
	const char *const *symbols; /* symbols that are imported; or NULL */
	const char *text; /* a string in a file; or NULL */
	/* A library of this kind that is loaded earlier, or a file with this text, has another front. */
	const char *const *other_libraries;
	const char *other_text;
	bool own_files; /* symbols count only in the program and in libraries that come with it */
	bool only_if_used; /* not even on demand without a sign of use */
	const char *only_on_demand; /* why, though a program uses it; or NULL */
};

extern const char *const attach_convention_names[ATTACH_CONVENTIONS + 1]; /* NULL at the end */
extern const struct attach_way attach_ways[ATTACH_WAYS];
extern const struct attach_front attach_fronts[];
#define ATTACH_FRONTS 12

/* Whether a front of that way does no harm to a program that has no use for it. */
bool attach_way_is_harmless(enum attach_way_id way);

/* Whether @name begins with one of @beginnings; which may be NULL. */
bool attach_begins_with(const char *name, const char *const *beginnings);

#endif /* ANNOT_ATTACH_FRONTS_H */
