// SPDX-License-Identifier: GPL-2.0
#include "trace/decode/dedup.h"

#include <stdlib.h>
#include <string.h>

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

struct repeats {
	struct window *windows; /* by CPU */
	size_t nr_windows;
};

struct repeats *repeats_new(void)
{
	return xcalloc(1, sizeof(struct repeats));
}

void repeats_free(struct repeats *repeats)
{
	if (!repeats)
		return;
	free(repeats->windows);
	free(repeats);
}

static struct window *window_of(struct repeats *repeats, int cpu)
{
	size_t wanted = (size_t)cpu + 1;

	if (wanted > repeats->nr_windows) {
		repeats->windows = xrealloc_array(repeats->windows, wanted,
						  sizeof(*repeats->windows));
		memset(&repeats->windows[repeats->nr_windows], 0,
		       (wanted - repeats->nr_windows) * sizeof(*repeats->windows));
		repeats->nr_windows = wanted;
	}
	return &repeats->windows[cpu];
}

/* FNV-1a, 64 bits. */
static uint64_t hash_record(const struct raw_record *record)
{
	uint64_t hash = 14695981039346656037ull;

	for (uint32_t i = 0; i < record->size; i++)
		hash = (hash ^ record->data[i]) * 1099511628211ull;
	return hash;
}

bool repeats_has(struct repeats *repeats, int cpu, const struct raw_record *record)
{
	struct window *window = window_of(repeats, cpu);
	uint64_t hash = hash_record(record), buffer = 1ull << record->buffer;

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
