/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A group of counters on one CPU, by perf_event_open(2): the kernel has all of them count, or none. Whenever the CPU switches to
 * another thread, and every COUNTER_GROUP_TICK_NS while it is busy, the kernel writes what they have counted into a ring.
 */
#ifndef ANNOT_RECORD_GROUPS_COUNTER_GROUP_H
#define ANNOT_RECORD_GROUPS_COUNTER_GROUP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "pmu/encode.h"
#include "record/perf_ring.h"
#include "trace/event.h"

#define COUNTER_GROUP_TICK_NS 1000000

struct counter_group {
	int cpu;
	size_t nr; /* counters */
	int fds[TRACE_GROUP_MOST_COUNTS +
		2]; /* of the counters, the leader first; of the switches; of the ticks */
	size_t nr_fds;
	uint64_t tick_id; /* what the kernel calls the event of the ticks */
	struct perf_ring ring;
	bool was_full; /* the ring, and the kernel has not told yet what was lost */
};

/* At a switch, the thread that leaves; at a tick, the one that runs. */
struct counter_reading {
	uint64_t time_ns; /* CLOCK_MONOTONIC */
	int32_t tid; /* 0: idle; -1: it has lost its number, as it ends */
	bool is_tick;
	uint64_t nr_lost; /* readings before this one for which there was no room */
	bool is_whole; /* the counters have counted whenever the group was enabled */
	const uint64_t *counts; /* since the group was made; valid during the call */
};

typedef void (*counter_group_handler)(void *context, const struct counter_reading *reading);

/* One without counters. */
struct counter_group counter_group_new(int cpu);

/*
 * Adds a counter; it does not count yet. Returns 0 or an errno: EINVAL, if the group has others, may mean that there are too few
 * counters for it, too.
 */
int counter_group_add(struct counter_group *group, const struct pmu_code *code);

/* Takes the counters that were added last away again, but for the first @nr. */
void counter_group_drop(struct counter_group *group, size_t nr);

/* Makes the ring, of @nr_pages, a power of two. No counters may be added then. Returns 0 or an errno. */
int counter_group_watch(struct counter_group *group, size_t nr_pages);

/* Poll this: it is readable when the ring is half full. */
int counter_group_fd(const struct counter_group *group);

/* Returns 0, or EBUSY: something else has the counters of this CPU. */
int counter_group_enable(const struct counter_group *group);
void counter_group_disable(const struct counter_group *group);

/* Calls @take for each reading in the ring. @whole: as of perf_ring_read(). */
void counter_group_read(struct counter_group *group, void *whole, counter_group_handler take,
			void *context);

void counter_group_close(struct counter_group *group);

#endif /* ANNOT_RECORD_GROUPS_COUNTER_GROUP_H */
