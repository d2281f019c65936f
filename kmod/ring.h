/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What the module keeps of a process that has rings or names: its client, and in it a ring for each
 * CPU that the process mapped one of, and the names that its records speak of.
 */
#ifndef ANNOT_RING_H
#define ANNOT_RING_H

#include <linux/atomic.h>
#include <linux/hashtable.h>
#include <linux/mutex.h>
#include <linux/refcount.h>
#include <linux/sizes.h>
#include <linux/types.h>
#include <linux/workqueue.h>

#include <uapi/annot.h>

#include "annot.h"

struct annot_client;
struct mm_struct;
struct signal_struct;
struct user_struct;

/*
 * The ring of one process on one CPU.
 *
 * @client:	holds a reference
 * @cpu:	whose ring it is
 * @nr_vmas:	mappings; more than one only while mremap() is being refused
 * @shared:	the memory that user space has mapped: a page that begins with struct annot_ring,
 *		and the records. Nothing in it is to be believed. Nobody but the page tables of the
 *		mapping refers to it: when this is gone, user space cannot reach it by any way.
 * @tail:	what of the ring's bytes has been taken, as annot_ring.head counts them
 * @granted:	how far user space may write: what annot_ring.limit was set to
 * @drained_at:	ticks before which nothing that is now in the ring was written
 * @dropped:	what of annot_ring.dropped has been told
 * @is_closing:	it was closed while its writer may have been amid a record: that one may come,
 *		and is for all who record since
 *
 * From @tail on they are used on @cpu with interrupts off, and nowhere else; but while @cpu is
 * offline, under the lock of CPU hotplug.
 */
struct annot_cpu_ring {
	struct annot_client *client;
	unsigned int cpu;
	atomic_t nr_vmas;
	struct annot_ring *shared;
	u64 tail;
	u64 granted;
	u64 drained_at;
	u64 dropped;
	bool is_closing;
	struct rcu_work free_work;
};

#define ANNOT_NAMES_MAX 16384
#define ANNOT_NAMES_MAX_BYTES SZ_1M /* of one process, as allocated */
#define ANNOT_NAMES_PER_CHUNK 256
#define ANNOT_NR_NAME_CHUNKS (ANNOT_NAMES_MAX / ANNOT_NAMES_PER_CHUNK)
#define ANNOT_NAME_HASH_BITS 8

/*
 * A name of a client; lives as long as it does.
 *
 * @told_round, @told_at: when it was last written into the trace
 * @used:	since then; set wherever records are taken
 */
struct annot_name_entry {
	struct hlist_node node;
	u32 id;
	u32 hash;
	u32 told_round;
	unsigned long told_at;
	bool used;
	u8 length_bytes;
	char text[];
};

struct annot_name_chunk {
	struct annot_name_entry *entries[ANNOT_NAMES_PER_CHUNK];
};

/* What is charged to a user for a client: whole pages. */
struct annot_account {
	struct user_struct *user;
	size_t bytes;
	unsigned long pages;
};

/*
 * A process that has rings or names; not its program: exec() ends it.
 *
 * @signal:	whose it is: what the threads of a process share, and the kernel keeps until the
 *		last of them is gone. Compared, and followed for the caller's own process only.
 * @mm:		the memory of its program, in which its rings are mapped; as @signal. exec() gives
 *		the process another one, which is made while it still has this.
 * @exec_id:	task_struct.self_exec_id of its program's threads
 * @refs:	of being findable, and of each ring
 * @nr_rings:	that are mapped
 * @table:	tells this client's name ids from those of all others, in the trace
 * @told_round, @tell_at: all names were told in this round, and need not be again before then
 * @lost:	by ANNOT_LOST_*: how many records were, which the process itself will tell
 * @names_lock:	guards @by_text, @account, adding to @chunks, and telling all names
 * @chunks:	names by id, published with release; never changed again
 * @rings:	by CPU; read under RCU
 */
struct annot_client {
	struct hlist_node node;
	struct signal_struct *signal;
	struct mm_struct *mm;
	u64 exec_id;
	refcount_t refs;
	atomic_t nr_rings;
	u32 table;
	u32 told_round;
	unsigned long tell_at;
	atomic_t lost[ANNOT_NR_LOST_REASONS];
	struct mutex names_lock; /* see above */
	u32 nr_names;
	size_t names_bytes;
	struct annot_account account;
	DECLARE_HASHTABLE(by_text, ANNOT_NAME_HASH_BITS);
	struct annot_name_chunk *chunks[ANNOT_NR_NAME_CHUNKS];
	struct rcu_work free_work;
	struct annot_cpu_ring *rings[];
};

/* limits.c: 0 or -ENOMEM. Context: of the process that pays. */
int annot_pages_charge(struct user_struct *user, unsigned long nr);
void annot_pages_uncharge(struct user_struct *user, unsigned long nr);
void annot_account_open(struct annot_account *account);
int annot_account_charge(struct annot_account *account, size_t bytes);
void annot_account_close(struct annot_account *account);

/* client.c */
extern struct workqueue_struct *annot_free_queue;

int annot_clients_init(void);
void annot_clients_exit(void);

/*
 * The client of the calling process, made if there is none, or an error pointer. It stays for as
 * long as the caller neither exits nor executes another program. Context: process.
 */
struct annot_client *annot_client_get_own(void);

/* Or NULL. Valid under RCU; for the caller's own process, as annot_client_get_own(). */
struct annot_client *annot_client_find(struct signal_struct *signal);

/* The process has ended, or runs another program from now on. Context: any but NMI. */
void annot_client_forget(struct signal_struct *signal);

/* As above, if the calling thread is the last of its process, and no ring is mapped any more. */
void annot_client_forget_ended(void);

void annot_client_put(struct annot_client *client);

/* Calls @use with up to @max clients at a time, until it had all that there are. May sleep. */
void annot_clients_visit(unsigned int max,
			 void (*use)(struct annot_client **clients, unsigned int nr));

/* names.c: may_sleep. Return: the name, a new one if need be, or -EINVAL, -ENOSPC, -ENOMEM. */
struct annot_name_entry *annot_name_add(struct annot_client *client, const char *text,
					size_t length_bytes);
void annot_names_free(struct annot_client *client);

/* Somebody's batches begin, who has not been told any names. */
void annot_names_tell_again(void);

/* Unless it was told lately. Context: of the process. */
void annot_name_tell(struct annot_client *client, struct annot_name_entry *entry);

/* All that are due. Context: of the process; sleeps. */
void annot_names_tell(struct annot_client *client);

/* Whether records may be taken whose names are any of those so far. */
bool annot_names_are_told(const struct annot_client *client);

/* The name with this id, or NULL; @id may be anything. Valid as long as the client. */
static inline struct annot_name_entry *annot_name_find(struct annot_client *client, u32 id)
{
	u32 at = id - 1;
	struct annot_name_chunk *chunk;

	if (at >= ANNOT_NAMES_MAX)
		return NULL;
	/* Both pair with the release by annot_name_add(). */
	chunk = smp_load_acquire(&client->chunks[at / ANNOT_NAMES_PER_CHUNK]);
	if (!chunk)
		return NULL;
	/* As above. */
	return smp_load_acquire(&chunk->entries[at % ANNOT_NAMES_PER_CHUNK]);
}

/* calls.c: emits a batch of this one. Context: of the process. */
void annot_emit_in_batch(struct annot_client *client, struct annot_name_entry *entry,
			 const struct annot_item *item);

/*
 * drain.c: what the current thread has in its ring on this CPU goes into the trace. @client: its
 * own. Context: of the task, with interrupts off.
 */
void annot_drain_before_call(struct annot_client *client);

/* The ring's last mapping is gone. Context: process. */
void annot_drain_unmapped(struct annot_cpu_ring *ring);

/* ring.c */
#define ANNOT_RING_BYTES PAGE_SIZE
#define ANNOT_RING_RECORDS_MAX 128 /* that a ring holds at most, however large a page is */

#endif /* ANNOT_RING_H */
