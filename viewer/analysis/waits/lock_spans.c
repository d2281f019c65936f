// SPDX-License-Identifier: GPL-2.0
#include "analysis/waits/lock_spans.h"

#include <stdlib.h>
#include <string.h>

#include "util/xalloc.h"

#define COMPARE(a, b)                              \
	do {                                       \
		if ((a) != (b))                    \
			return (a) < (b) ? -1 : 1; \
	} while (0)

void lock_spans_add(struct lock_spans *spans, const struct lock_span *span)
{
	ARRAY_MAKE_ROOM(spans->rows, spans->nr, spans->capacity);
	spans->rows[spans->nr++] = *span;
}

int lock_span_compare(const void *a, const void *b)
{
	const struct lock_span *first = a, *second = b;

	COMPARE(first->tgid, second->tgid);
	COMPARE(first->lock, second->lock);
	COMPARE(first->start_ns, second->start_ns);
	COMPARE(first->thread, second->thread);
	return 0;
}

void lock_spans_sort(struct lock_spans *spans)
{
	if (spans->nr)
		qsort(spans->rows, spans->nr, sizeof(*spans->rows), lock_span_compare);
}

bool lock_name_is(const char *name)
{
	static const char *const words[] = { "critical", "lock", "mutex", "rwlock" };
	size_t length = strcspn(name, " ");

	for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++) {
		if (length == strlen(words[i]) && !strncmp(name, words[i], length))
			return true;
	}
	return false;
}
