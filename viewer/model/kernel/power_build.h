/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What is known of a CPU's idle state and frequency while a model is built.
 */
#ifndef ANNOT_MODEL_POWER_BUILD_H
#define ANNOT_MODEL_POWER_BUILD_H

#include <stdbool.h>
#include <stdint.h>

struct power_build {
	bool is_idle; /* since idle_ns, in the state idle_state */
	uint8_t idle_state;
	uint64_t idle_ns;
	bool is_taken_down; /* by the step down_key, which goes on */
	uint64_t down_key;
	uint64_t awake_ns; /* it was in no idle state up to then, or nothing is known of that */
	uint32_t khz; /* since khz_ns; 0: not known */
	int khz_from; /* the CPU whose buffer told it */
	uint64_t khz_ns;
};

#endif /* ANNOT_MODEL_POWER_BUILD_H */
