/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Timers of threads that have not expired yet, while a model is built.
 */
#ifndef ANNOT_MODEL_TIMERS_BUILD_H
#define ANNOT_MODEL_TIMERS_BUILD_H

#include <stdbool.h>
#include <stdint.h>

/* The timer that a thread started last. */
struct started_timer {
	bool is_open;
	uint64_t id;
	uint64_t nr_losses; /* before it */
	uint64_t start_ns;
	int64_t earliest_ns;
	int64_t latest_ns;
};

/* The one whose function a CPU calls. */
struct expired_timer {
	bool is_open;
	uint64_t id;
	int64_t now_ns; /* on the timer's clock */
	uint64_t end_ns;
};

#endif /* ANNOT_MODEL_TIMERS_BUILD_H */
