/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What the module keeps of a process that has rings: its client, and in it a ring for each CPU
 * that the process mapped one of, and the names that its records speak of.
 */
#ifndef ANNOT_RING_H
#define ANNOT_RING_H

#include <linux/hashtable.h>
#include <linux/mutex.h>
#include <linux/refcount.h>
#include <linux/types.h>
#include <linux/workqueue.h>

#include <uapi/annot.h>

struct annot_client;
struct annot_item;
struct mm_struct;
struct signal_struct;

/*
 * The ring of one process on one CPU.
 *
 * @client:	holds a reference
 * @cpu:	whose ring it is
 * @nr_vmas:	mappings; more than one only while mremap() is being refused
 * @shared:	the memory that user space has mapped: a page that begins with struct annot_ring,
 *		and the records; NULL until it is first touched. Nothing in it is to be believed.
 * @tail:	what of the ring's bytes has been taken, as annot_ring.head counts them
 * @drained_at:	ticks before which nothing that is now in the ring was written
 *
 * @tail and @drained_at are used on @cpu with interrupts off, and nowhere else.
 */
struct annot_cpu_ring {
	struct annot_client *client;
	unsigned int cpu;
	atomic_t nr_vmas;
	struct annot_ring *shared;
	u64 tail;
	u64 drained_at;
	struct rcu_head rcu;
};

#define ANNOT_NAMES_MAX 65536
#define ANNOT_NAMES_MAX_BYTES (4 << 20) /* of one process, with what is kept beside the text */
#define ANNOT_NAMES_PER_CHUNK 256
#define ANNOT_NR_NAME_CHUNKS (ANNOT_NAMES_MAX / ANNOT_NAMES_PER_CHUNK)
#define ANNOT_NAME_HASH_BITS 8

/*
 * A name of a client; lives as long as it does.
 *
 * @told_round, @told_at: when it was last written into the trace (see drain.c)
 */
struct annot_name_entry {
	struct hlist_node node;
	u32 id;
	u32 hash;
	u32 told_round;
	unsigned long told_at;
	u8 length_bytes;
	char text[];
};

struct annot_name_chunk {
	struct annot_name_entry *entries[ANNOT_NAMES_PER_CHUNK];
};

/*
 * A process that has rings or names; not its program: exec() ends it.
 *
 * @signal:	whose it is: what the threads of a process share, and the kernel keeps until the
 *		last of them is gone. Compared, never followed.
 * @mm:		the memory of its program, in which its rings are mapped; as @signal. exec() gives
 *		the process another one, which is made while it still has this.
 * @exec_id:	task_struct.self_exec_id of its program's threads
 * @refs:	of being findable, and of each ring
 * @table:	tells this client's name ids from those of all others, in the trace
 * @names_lock:	guards @by_text, @names_bytes and adding to @chunks
 * @chunks:	names by id, published with release; never changed again
 * @rings:	by CPU; read under RCU
 */
struct annot_client {
	struct hlist_node node;
	struct signal_struct *signal;
	struct mm_struct *mm;
	u64 exec_id;
	refcount_t refs;
	u32 table;
	struct mutex names_lock; /* see above */
	u32 nr_names;
	size_t names_bytes;
	DECLARE_HASHTABLE(by_text, ANNOT_NAME_HASH_BITS);
	struct annot_name_chunk *chunks[ANNOT_NR_NAME_CHUNKS];
	struct rcu_work free_work;
	struct annot_cpu_ring *rings[];
};

/* client.c */
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

void annot_client_put(struct annot_client *client);

/*
 * Return: the id of the name, a new one if need be, or -EINVAL, -ENOSPC, -ENOMEM.
 * Context: process.
 */
long annot_client_add_name(struct annot_client *client, const char *text, size_t length_bytes);

/* The name with this id, or NULL; @id may be anything. Valid as long as the client. */
static inline struct annot_name_entry *annot_client_name(struct annot_client *client, u32 id)
{
	u32 at = id - 1;
	struct annot_name_chunk *chunk;

	if (at >= ANNOT_NAMES_MAX)
		return NULL;
	/* Both pair with the release by annot_client_add_name(). */
	chunk = smp_load_acquire(&client->chunks[at / ANNOT_NAMES_PER_CHUNK]);
	if (!chunk)
		return NULL;
	/* As above. */
	return smp_load_acquire(&chunk->entries[at % ANNOT_NAMES_PER_CHUNK]);
}

/*
 * drain.c: emits a batch of this one, whose name has this id in the client's table.
 */
void annot_drain_add_item(struct annot_client *client, u32 name, const struct annot_item *item);

/* ring.c */
int annot_ring_check_parameter(void);
unsigned int annot_ring_bytes(void);

#endif /* ANNOT_RING_H */
