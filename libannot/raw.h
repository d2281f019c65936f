/* SPDX-License-Identifier: MIT */
/*
 * Internal interfaces of the fall-back in batches. Each thread has a ring of its own, in memory of the
 * process. The inline functions store into it as into a ring of the module. The library writes many
 * records as one event to trace_marker_raw.
 *
 *	raw.c		the ring source: when rings are used, drained and given up
 *	raw_ring.c	memory of rings, attaching a thread to one
 *	raw_lock.c	the lock of a ring
 *	raw_write.c	writes records of a ring into the trace
 *	raw_names.c	the numbers of names
 *	raw_hooks.c	the ends of threads and processes
 *
 * A thread that drains a ring holds its lock and blocks signals: a signal handler that annotates may
 * find the ring full, and must be able to drain it. The lock is held for some microseconds. Nearly
 * always it is the thread's own; another thread of the process rarely writes for it.
 */
#ifndef LIBANNOT_RAW_H
#define LIBANNOT_RAW_H

#include "internal.h"
#include "trace/annot_raw.h"
#include "uapi/annot.h"

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

/* raw_ring.c */
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

/* raw_lock.c */

bool annot_raw_lock(struct raw_ring *ring); /* false: timed out */
bool annot_raw_try_lock(struct raw_ring *ring);
void annot_raw_unlock(struct raw_ring *ring);

/* raw_write.c */
struct annot_raw_moment annot_raw_now(void);

/*
 * Writes out all records of the ring. Call with its lock held. If it is the ring of another thread,
 * it must be known.
 */
void annot_raw_write_out(struct raw_process *process, struct raw_ring *ring);
void annot_raw_discard(const struct raw_process *process,
		       struct raw_ring *ring); /* drops the records; same conditions */

/* raw_names.c */
uint32_t annot_raw_name(const char *bytes, size_t nr_bytes); /* 0: there are too many */
void annot_raw_write_names(struct raw_process *process, int fd, uint64_t now_ns, void *event);
size_t annot_raw_names_bytes(void);
void annot_raw_names_at(void *memory);

/* raw.c: the end of a process or thread. From then on, each annotation is written at once. */
void annot_raw_end_process(void);
void annot_raw_end_thread(void);

/* raw_hooks.c: hooks that call these */
bool annot_raw_hooks_are_set(void);
/* Hooks the end of the calling thread; false: it cannot be hooked. */
bool annot_raw_hook_thread(void);
struct annot_raw_moment annot_raw_start(void); /* when the hooks were set */

#endif /* LIBANNOT_RAW_H */
