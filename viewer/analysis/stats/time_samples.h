/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A list of times that grows.
 */
#ifndef ANNOT_TIME_SAMPLES_H
#define ANNOT_TIME_SAMPLES_H

#include <stddef.h>
#include <stdint.h>

#include "util/spill/spill.h"

/* Zero-initialise; spill_free() the times. */
struct time_samples {
	size_t nr;
	size_t capacity;
	uint64_t *ns;
};

static inline void time_samples_add(struct time_samples *samples, uint64_t ns)
{
	SPILL_MAKE_ROOM(samples->ns, samples->nr, samples->capacity);
	samples->ns[samples->nr++] = ns;
}

#endif /* ANNOT_TIME_SAMPLES_H */
