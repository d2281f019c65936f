/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The time that interrupts took from a thread while it ran.
 */
#ifndef ANNOT_MODEL_STOLEN_H
#define ANNOT_MODEL_STOLEN_H

#include <stddef.h>
#include <stdint.h>

struct model;

/* Parts of a thread's time on CPUs, by time; they do not overlap. */
struct stolen_time {
	size_t nr;
	size_t capacity;
	struct stolen_part {
		uint64_t start_ns;
		uint64_t end_ns;
		uint64_t before_ns; /* the length of all parts before */
	} * parts;
};

void stolen_time_free(struct stolen_time *stolen);

/* Finds those of all threads. Call once, when no row is added any more. */
void stolen_prepare(struct model *model);

/* How much was taken in [from_ns, to_ns). */
uint64_t stolen_between(const struct stolen_time *stolen, uint64_t from_ns, uint64_t to_ns);

#endif /* ANNOT_MODEL_STOLEN_H */
