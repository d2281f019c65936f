/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The name of a mark that tells where a thread has the thread-local variables of a file:
 *
 *	@thread_local BYTES BUILDID PATH
 *
 * The mark's value is their address. BYTES is in hexadecimal. BUILDID is the first 16 hexadecimal digits of it, or "-":
 * it has none.
 */
#ifndef ANNOT_MODEL_THREAD_LOCAL_NAME_H
#define ANNOT_MODEL_THREAD_LOCAL_NAME_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Its texts are parts of the name. */
struct thread_local_name {
	uint64_t bytes; /* that the file's variables take in each thread */
	const char *build_id;
	size_t build_id_bytes; /* 0: it has none */
	const char *path;
};

/* Whether it begins as such a name. */
bool thread_local_name_is(const char *name);

/* False: it is none, or damaged, or it may have been cut. */
bool thread_local_name_parse(const char *name, struct thread_local_name *parsed);

#endif /* ANNOT_MODEL_THREAD_LOCAL_NAME_H */
