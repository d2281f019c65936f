/* SPDX-License-Identifier: MIT */
/* The memory of rings: attaching a thread to one. */
#ifndef LIBANNOT_RAW_RING_H
#define LIBANNOT_RAW_RING_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "trace/annot_raw.h"
#include "uapi/annot.h"

struct ring_place;

#define RAW_RING_RECORDS 256
#define RAW_RING_BYTES (RAW_RING_RECORDS * sizeof(struct annot_record))
#define RAW_HEADER_BYTES 4096 /* from a ring to its records; on x86-64 the inline code has it so */
#define RAW_MAX_THREADS 1024 /* with rings; those beyond write one by one */
#define RAW_MAX_AGE_NS 10000000

/* annot_ring.due: every annotation of the thread calls the library. */
#define RAW_ALWAYS_DUE UINT64_MAX
#define RAW_NEVER_DUE 0

/*
 * @tail:	bytes that were written out; they and all fields below need the lock
 * @since:	a time before all records that are not written out
 * @nr_lost: annotations lost since the last event
 * @is_known: the thread's own event has shown which process it belongs to
 * @event:	the event being built
 */
struct raw_ring {
	struct annot_ring shared;
	uint32_t lock;
	int32_t tid;
	const void *holder; /* holder of the lock: the address of a thread-local object */
	uint64_t tail;
	struct annot_raw_moment since;
	_Atomic(uint32_t) nr_lost;
	bool is_known;
	uint64_t event[ANNOT_RAW_MAX_BYTES / sizeof(uint64_t)];
};

/* The state of the process, in memory that fork() wipes: children do not inherit it. */
struct raw_process {
	uint64_t key;
	_Atomic(int32_t) tgid; /* 0: it has no rings */
	atomic_bool is_ending; /* exit() was called: rings must stay empty */
	_Atomic(uint32_t) max_event_bytes; /* 0: not known yet */
	_Atomic(uint64_t) next_names_ns; /* when all names are written again */
	_Atomic(uint64_t) next_sweep_ns; /* when the rings of other threads are checked */
};

extern const char *annot_raw_clock_source; /* a file; tests change it */

int annot_raw_check(void); /* whether there can be rings: 0, or -errno */
int annot_raw_map(struct ring_place *place); /* 0, or -errno; by one thread at a time */
struct raw_process *annot_raw_process(void); /* NULL: no rings yet, or inherited from a parent */

struct raw_ring *annot_raw_own_ring(void); /* NULL: none */
/* Attaches a ring; NULL: none; call with signals blocked. */
struct raw_ring *annot_raw_attach(void);
void annot_raw_detach(struct raw_ring *ring); /* call with its lock held; releases it */

/* Iterates over the rings of all threads; *@at is 0 at first; NULL: no more. */
struct raw_ring *annot_raw_next_ring(uint32_t *at);

bool annot_raw_is_in_use(const struct raw_ring *ring); /* call with its lock held */

#endif /* LIBANNOT_RAW_RING_H */
