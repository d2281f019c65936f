// SPDX-License-Identifier: GPL-2.0
#include "analysis/memory/object_threads.h"

#include <stdlib.h>
#include <string.h>

#include "util/lower_bound.h"
#include "util/xalloc.h"

static int compare_labels(const uint32_t *first, const uint32_t *second)
{
	for (int i = 0; i < OBJECT_LABELS; i++) {
		if (first[i] != second[i])
			return first[i] < second[i] ? -1 : 1;
	}
	return 0;
}

static int compare_touches(const void *a, const void *b)
{
	const struct object_touch *first = a, *second = b;
	int order = compare_labels(first->labels, second->labels);

	if (order)
		return order;
	return first->thread < second->thread ? -1 : first->thread > second->thread;
}

void object_threads_add(struct object_threads *threads, const uint32_t *labels, uint32_t thread)
{
	struct object_touch touch = { .thread = thread };

	memcpy(touch.labels, labels, sizeof(touch.labels));
	if (threads->nr && !compare_touches(&threads->touches[threads->nr - 1], &touch))
		return;
	ARRAY_MAKE_ROOM(threads->touches, threads->nr, threads->capacity);
	threads->touches[threads->nr++] = touch;
}

void object_threads_settle(struct object_threads *threads)
{
	size_t nr = 0;

	if (threads->nr)
		qsort(threads->touches, threads->nr, sizeof(*threads->touches), compare_touches);
	for (size_t i = 0; i < threads->nr; i++) {
		if (!nr || compare_touches(&threads->touches[nr - 1], &threads->touches[i]))
			threads->touches[nr++] = threads->touches[i];
	}
	threads->nr = nr;
}

size_t object_threads_count(const struct object_threads *threads, const uint32_t *labels)
{
	size_t first = LOWER_BOUND(at, 0, threads->nr,
				   compare_labels(threads->touches[at].labels, labels) < 0);
	size_t end = LOWER_BOUND(at, first, threads->nr,
				 compare_labels(threads->touches[at].labels, labels) <= 0);

	return end - first;
}

void object_threads_free(struct object_threads *threads)
{
	free(threads->touches);
	*threads = (struct object_threads){ 0 };
}
