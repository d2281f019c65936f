// SPDX-License-Identifier: MIT
/*
 * The rings of the inline functions: where they are, and what to do when one cannot take a record.
 * Their memory may be the module's, the library's, or a test's.
 */
#include <errno.h>
#include <stdatomic.h>
#include <sys/mman.h>
#include <sys/prctl.h>

#include "rings.h"
#include "annot/annot.h"
#include "names.h"
#include "rseq.h"

/* A thread may be moved to another CPU with a full ring each time it has emptied one. */
#define MAX_TRIES 8

/* A child of fork() inherits this, but not the page: so it takes a number that no ancestor had. */
static _Atomic(uint64_t) last_generation;

/* PR_SET_TSC is of one thread and of those that it starts: this thread cannot see another's. */
bool annot_rings_may_read_clock(void)
{
#if defined(__x86_64__)
	int mode = PR_TSC_ENABLE;

	prctl(PR_GET_TSC, &mode, 0, 0, 0);
	return mode != PR_TSC_SIGSEGV;
#else
	return true;
#endif
}

int annot_rings_install(const struct ring_source *source, const struct ring_place *place)
{
	int64_t rseq_offset = annot_rseq_offset();
	int error = annot_rseq_have();

	if (error)
		return error;
	if (madvise(&annot_rings, sizeof(annot_rings), MADV_WIPEONFORK))
		return -errno;
	annot_rings.source = source;
	annot_rings.generation = (atomic_fetch_add(&last_generation, 1) + 1) << 32;
	annot_rings.index_offset = place->index_offset ? place->index_offset :
							 rseq_offset + RSEQ_CPU_ID_OFFSET;
	annot_rings.rings = place->rings;
	annot_rings.page_bytes = place->page_bytes;
	annot_rings.nr_rings = place->nr_rings;
	/* Release: a reader that sees this field sees the others. */
	__atomic_store_n(&annot_rings.rseq_offset, rseq_offset, __ATOMIC_RELEASE);
	return 0;
}

bool annot_rings_emit(struct annot_site *site, unsigned int op, const char *name, int64_t value)
{
	const struct ring_source *source;
	struct annot_site found = { 0 };
	int i;

	if (!__atomic_load_n(&annot_rings.rseq_offset, __ATOMIC_ACQUIRE))
		return false;
	source = annot_rings.source;
	if (source->is_wanted && !source->is_wanted())
		return false;
	if (annot_rseq_have())
		return false;
	if ((op & ~ANNOT_OP_HAS_VALUE) != ANNOT_OP_END) {
		found.name = annot_name_number(source, site, name);
		if (!found.name)
			return false;
	}
	for (i = 0; i < MAX_TRIES; i++) {
		if (annot_store(&found, op, value)) {
			if (source->after_store)
				source->after_store();
			return true;
		}
		if (source->drain())
			return false;
	}
	return false;
}
