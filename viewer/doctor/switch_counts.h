/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Switches of two threads that wake each other: as the kernel counted them, and as it told them.
 */
#ifndef ANNOT_DOCTOR_SWITCH_COUNTS_H
#define ANNOT_DOCTOR_SWITCH_COUNTS_H

#include <stdbool.h>
#include <stdint.h>

struct switch_counts {
	bool tried; /* else all are 0 */
	int error; /* errno of what failed; then the counts are of no use */
	uint64_t made; /* times off a CPU, by /proc/self/task/.../status, and so onto one */
	uint64_t off; /* those that ftrace has; */
	uint64_t on; /* a few more, from just before or after what made counts */
	uint64_t with_idle; /* of off and on, those to or from the idle task */
};

/*
 * Takes one line of an ftrace instance's file trace into account. @comm: what names of the threads
 * begin with.
 */
void switch_counts_add_line(struct switch_counts *counts, const char *line, const char *comm);

/* How many of 2 * made are not recorded; @on, unless NULL: those onto a CPU. */
uint64_t switch_counts_missing(const struct switch_counts *counts, uint64_t *on);

#endif /* ANNOT_DOCTOR_SWITCH_COUNTS_H */
