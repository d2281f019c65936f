/* SPDX-License-Identifier: MIT */
/*
 * The fall-back in batches: what its files share. Each thread has a ring of its own, in memory of
 * the process; the inline functions store into it as into one of the module's, and the library
 * writes its records, many as one event, to trace_marker_raw.
 *
 *	raw.c		the source of those rings: when they are used, emptied, given up
 *	raw_ring.c	whose they are: memory, attaching a thread
 *	raw_lock.c	who may look into one
 *	raw_write.c	from a ring into the trace
 *	raw_names.c	the numbers of names
 *	raw_hooks.c	the ends of threads and processes
 *
 * Who empties a ring has its lock, and no signal comes in between: a handler that annotates may
 * find the ring full, and must be able to empty it. The lock is held for some microseconds. It is
 * the thread's own, but for the rare cases in which another one of the process writes for it.
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

/* annot_ring.due: the thread comes to the library with each annotation. */
#define RAW_ALWAYS_DUE UINT64_MAX
#define RAW_NEVER_DUE 0

/*
 * @tail:	bytes that have been written out; they and all below are read and written with the
 *		lock held
 * @since:	a moment before all records that have not
 * @nr_lost:	annotations that could not be kept since the last event
 * @is_known:	this thread has shown, by an event of its own, whose it is
 * @event:	the one that is being made
 */
struct raw_ring {
	struct annot_ring shared;
	uint32_t lock;
	int32_t tid;
	const void *holder; /* of the lock: something that each thread has another of */
	uint64_t tail;
	struct annot_raw_moment since;
	_Atomic(uint32_t) nr_lost;
	bool is_known;
	uint64_t event[ANNOT_RAW_MAX_BYTES / sizeof(uint64_t)];
};

/* What belongs to the process and not to its children: in memory that fork() wipes. */
struct raw_process {
	uint64_t key;
	_Atomic(int32_t) tgid; /* 0: it has no rings */
	atomic_bool is_ending; /* exit() has come: nothing is to be left in a ring */
	_Atomic(uint32_t) max_event_bytes; /* 0: not known yet */
	_Atomic(uint64_t) next_names_ns; /* when all names are told again */
	_Atomic(uint64_t) next_sweep_ns; /* when others' rings are looked at */
};

/* raw_ring.c */
int annot_raw_check(void); /* whether there can be rings: 0, or -errno */
int annot_raw_map(struct ring_place *place); /* 0, or -errno; by one thread at a time */
struct raw_process *annot_raw_process(void); /* NULL: no rings yet, or those of a parent */

struct raw_ring *annot_raw_own_ring(void); /* NULL: none */
struct raw_ring *annot_raw_attach(void); /* as well; with signals blocked */
void annot_raw_detach(struct raw_ring *ring); /* with its lock held, which is gone then */

/* Those of all threads, one after the other, from *@at = 0 on; NULL: no more. */
struct raw_ring *annot_raw_next_ring(uint32_t *at);

bool annot_raw_is_in_use(const struct raw_ring *ring); /* with its lock held */

/* raw_lock.c */

bool annot_raw_lock(struct raw_ring *ring); /* false: for too long it was not to be had */
bool annot_raw_try_lock(struct raw_ring *ring);
void annot_raw_unlock(struct raw_ring *ring);

/* raw_write.c */
struct annot_raw_moment annot_raw_now(void);

/*
 * All that is in the ring, with its lock held. If it is not the calling thread's own, it must be
 * known.
 */
void annot_raw_write_out(struct raw_process *process, struct raw_ring *ring);
void annot_raw_discard(const struct raw_process *process, struct raw_ring *ring); /* likewise */

/* raw_names.c */
uint32_t annot_raw_name(const char *bytes, size_t nr_bytes); /* 0: there are too many */
void annot_raw_tell_names(struct raw_process *process, int fd, uint64_t now_ns, void *event);
size_t annot_raw_names_bytes(void);
void annot_raw_names_at(void *memory);

/* raw.c: the ends of things. From then on, each annotation is written at once. */
void annot_raw_end_process(void);
void annot_raw_end_thread(void);

/* raw_hooks.c: who tells of them */
bool annot_raw_hooks_are_set(void);
bool annot_raw_hook_thread(void); /* its end will be told; false: it cannot be */
struct annot_raw_moment annot_raw_start(void); /* when they were set */

#endif /* LIBANNOT_RAW_H */
