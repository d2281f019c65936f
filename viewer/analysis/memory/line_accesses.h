/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Which data of cache lines threads access: samples, by line, thread and address.
 */
#ifndef ANNOT_LINE_ACCESSES_H
#define ANNOT_LINE_ACCESSES_H

#include <stddef.h>
#include <stdint.h>

struct line_access {
	uint64_t line_address;
	uint64_t address;
	uint32_t thread;
	size_t sample; /* the first */
	uint64_t nr_samples;
	uint64_t nr_stores;
};

struct line_accesses {
	size_t nr;
	size_t capacity;
	struct line_access *rows;
};

/*
 * Adds @access to that of the same thread and address among the rows from @first on, which are those of its line.
 * Cost: their number.
 */
void line_accesses_add(struct line_accesses *accesses, size_t first,
		       const struct line_access *access);

/* Sorts the rows from @first on: those with most samples first. */
void line_accesses_sort(struct line_accesses *accesses, size_t first);

void line_accesses_free(struct line_accesses *accesses);

#endif /* ANNOT_LINE_ACCESSES_H */
