// SPDX-License-Identifier: GPL-2.0
#include "trace/decode/dedup.h"

#include <stdlib.h>
#include <string.h>

#include "util/hash.h"
#include "util/xalloc.h"

/* Interrupts may come in between, and put events of their own there; a hypervisor may, for long. */
#define WINDOW_EVENTS 16
#define WINDOW_NS 100000000u

struct seen_event {
	uint64_t hash;
	uint64_t time_ns;
	uint64_t buffers; /* bit i: it came from that one; 0: a free slot */
};

/* The last events of a CPU, from whatever buffer, each of them once. */
struct window {
	struct seen_event events[WINDOW_EVENTS];
	unsigned int oldest;
};

struct dedup {
	struct window *windows; /* by CPU */
	size_t nr_windows;
};

struct dedup *dedup_new(void)
{
	return xcalloc(1, sizeof(struct dedup));
}

void dedup_free(struct dedup *dedup)
{
	if (!dedup)
		return;
	free(dedup->windows);
	free(dedup);
}

static struct window *window_of(struct dedup *dedup, int cpu)
{
	size_t wanted = (size_t)cpu + 1;

	if (wanted > dedup->nr_windows) {
		dedup->windows = xrealloc_array(dedup->windows, wanted, sizeof(*dedup->windows));
		memset(&dedup->windows[dedup->nr_windows], 0,
		       (wanted - dedup->nr_windows) * sizeof(*dedup->windows));
		dedup->nr_windows = wanted;
	}
	return &dedup->windows[cpu];
}

bool dedup_is_repeat(struct dedup *dedup, int cpu, const struct raw_record *record)
{
	struct window *window = window_of(dedup, cpu);
	uint64_t hash = hash_bytes(record->data, record->size), buffer = 1ull << record->buffer;

	for (unsigned int i = 0; i < WINDOW_EVENTS; i++) {
		struct seen_event *seen = &window->events[(window->oldest + i) % WINDOW_EVENTS];

		if (!seen->buffers || seen->hash != hash || seen->buffers & buffer ||
		    record->time_ns - seen->time_ns > WINDOW_NS)
			continue;
		seen->buffers |= buffer;
		return true;
	}
	window->events[window->oldest] = (struct seen_event){ hash, record->time_ns, buffer };
	window->oldest = (window->oldest + 1) % WINDOW_EVENTS;
	return false;
}
