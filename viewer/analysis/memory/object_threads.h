/* SPDX-License-Identifier: GPL-2.0 */
/*
 * How many threads touched each object, as far as samples tell: of any event.
 */
#ifndef ANNOT_OBJECT_THREADS_H
#define ANNOT_OBJECT_THREADS_H

#include <stddef.h>
#include <stdint.h>

#define OBJECT_LABELS 3 /* the first labels of a row by object: which object it is */

struct object_touch {
	uint32_t labels[OBJECT_LABELS];
	uint32_t thread;
};

struct object_threads {
	size_t nr;
	size_t capacity;
	struct object_touch *touches;
};

void object_threads_add(struct object_threads *threads, const uint32_t *labels, uint32_t thread);

/* Call it once, after all were added. */
void object_threads_settle(struct object_threads *threads);

/* The number of threads of the object with these labels. */
size_t object_threads_count(const struct object_threads *threads, const uint32_t *labels);
void object_threads_free(struct object_threads *threads);

#endif /* ANNOT_OBJECT_THREADS_H */
