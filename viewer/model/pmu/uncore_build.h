/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What is known of counters that CPUs share while a model is built.
 */
#ifndef ANNOT_MODEL_UNCORE_BUILD_H
#define ANNOT_MODEL_UNCORE_BUILD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "trace/event.h"

/* The last reading of a counter. */
struct uncore_last {
	bool is_read;
	uint64_t time_ns;
	struct uncore_count count;
};

struct uncore_build {
	int32_t teller_tid; /* who told of the first counter: nobody else is believed; 0: nobody did yet */
	struct uncore_last *last; /* beside model->uncore_counters */
};

#endif /* ANNOT_MODEL_UNCORE_BUILD_H */
