/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Compares the switches of two threads that wake each other: counted by the kernel, and recorded by
 * ftrace.
 */
#ifndef ANNOT_DOCTOR_SWITCH_COUNTS_H
#define ANNOT_DOCTOR_SWITCH_COUNTS_H

#include <stdbool.h>
#include <stdint.h>

struct switch_counts {
	bool tried; /* false: all are 0 */
	int error; /* errno of the failure; the counts are then invalid */
	uint64_t made; /* switches off a CPU, by /proc/self/task/.../status; as many onto one */
	uint64_t off; /* recorded by ftrace; */
	uint64_t on; /* slightly more than made, which is read just before and after */
	uint64_t with_idle; /* of off and on, switches to or from idle */
};

/* Counts one line of an ftrace instance's file trace. @comm: the prefix of the threads' names. */
void switch_counts_add_line(struct switch_counts *counts, const char *line, const char *comm);

/*
 * The number of switches, of 2 * made, that are not recorded; @on, unless NULL: those onto a CPU.
 */
uint64_t switch_counts_missing(const struct switch_counts *counts, uint64_t *on);

#endif /* ANNOT_DOCTOR_SWITCH_COUNTS_H */
