// SPDX-License-Identifier: GPL-2.0
/*
 * Processes: made when one first maps a ring or gives a name, found at each context switch,
 * forgotten when the process is gone or executes another program.
 */
#include <linux/hash.h>
#include <linux/jhash.h>
#include <linux/mm.h>
#include <linux/rculist.h>
#include <linux/sched/signal.h>
#include <linux/slab.h>
#include <linux/spinlock.h>

#include "annot.h"
#include "ring.h"

#define CLIENT_HASH_BITS 8

/* Written under clients_lock, read under RCU. */
static struct hlist_head clients[1 << CLIENT_HASH_BITS];
static DEFINE_RAW_SPINLOCK(clients_lock);
static u32 last_table;

static struct workqueue_struct *free_queue;

static struct hlist_head *bucket_of(struct signal_struct *signal)
{
	return &clients[hash_ptr(signal, CLIENT_HASH_BITS)];
}

struct annot_client *annot_client_find(struct signal_struct *signal)
{
	struct annot_client *client;

	hlist_for_each_entry_rcu(client, bucket_of(signal), node, lockdep_is_held(&clients_lock)) {
		if (client->signal == signal)
			return client;
	}
	return NULL;
}

static void free_client(struct annot_client *client)
{
	struct annot_name_entry *entry;
	struct hlist_node *next;
	unsigned int i;

	hash_for_each_safe(client->by_text, i, next, entry, node)
		kfree(entry);
	for (i = 0; i < ANNOT_NR_NAME_CHUNKS; i++)
		kfree(client->chunks[i]);
	mutex_destroy(&client->names_lock);
	kfree(client);
}

static void free_client_work(struct work_struct *work)
{
	free_client(container_of(to_rcu_work(work), struct annot_client, free_work));
}

void annot_client_put(struct annot_client *client)
{
	if (refcount_dec_and_test(&client->refs))
		queue_rcu_work(free_queue, &client->free_work);
}

static struct annot_client *make_client(struct signal_struct *signal)
{
	struct annot_client *client;

	client = kzalloc(struct_size(client, rings, nr_cpu_ids), GFP_KERNEL_ACCOUNT);
	if (!client)
		return NULL;
	client->signal = signal;
	client->mm = current->mm;
	client->exec_id = current->self_exec_id;
	refcount_set(&client->refs, 1);
	mutex_init(&client->names_lock);
	hash_init(client->by_text);
	INIT_RCU_WORK(&client->free_work, free_client_work);
	return client;
}

struct annot_client *annot_client_get_own(void)
{
	struct signal_struct *signal = current->signal;
	struct annot_client *client, *made;
	unsigned long flags;

	rcu_read_lock();
	client = annot_client_find(signal);
	rcu_read_unlock();
	if (client)
		return client;
	made = make_client(signal);
	if (!made)
		return ERR_PTR(-ENOMEM);

	raw_spin_lock_irqsave(&clients_lock, flags);
	client = annot_client_find(signal);
	if (!client) {
		made->table = ++last_table;
		hlist_add_head_rcu(&made->node, bucket_of(signal));
	}
	raw_spin_unlock_irqrestore(&clients_lock, flags);
	if (!client)
		return made;
	free_client(made);
	return client;
}

void annot_client_forget(struct signal_struct *signal)
{
	struct annot_client *client;
	unsigned long flags;

	/* Nobody but the process itself adds it: it is not missed here when there is one. */
	if (hlist_empty(bucket_of(signal)))
		return;
	raw_spin_lock_irqsave(&clients_lock, flags);
	client = annot_client_find(signal);
	if (client)
		hlist_del_rcu(&client->node);
	raw_spin_unlock_irqrestore(&clients_lock, flags);
	if (client)
		annot_client_put(client);
}

static bool is_name(const char *text, size_t length_bytes)
{
	size_t i;

	if (!length_bytes || length_bytes > ANNOT_NAME_MAX_BYTES)
		return false;
	for (i = 0; i < length_bytes; i++) {
		unsigned char byte = text[i];

		if (byte < 0x20 || byte == 0x7f)
			return false;
	}
	return true;
}

static struct annot_name_entry *find_name(struct annot_client *client, const char *text,
					  size_t length_bytes, u32 hash)
{
	struct annot_name_entry *entry;

	hash_for_each_possible(client->by_text, entry, node, hash) {
		if (entry->hash == hash && entry->length_bytes == length_bytes &&
		    !memcmp(entry->text, text, length_bytes))
			return entry;
	}
	return NULL;
}

static struct annot_name_chunk *chunk_for(struct annot_client *client, u32 at)
{
	struct annot_name_chunk **place = &client->chunks[at / ANNOT_NAMES_PER_CHUNK];

	if (!*place) {
		struct annot_name_chunk *chunk = kzalloc(sizeof(*chunk), GFP_KERNEL_ACCOUNT);

		if (!chunk)
			return NULL;
		/* Pairs with annot_client_name(): what is found there is zeroed. */
		smp_store_release(place, chunk);
	}
	return *place;
}

static long new_name(struct annot_client *client, const char *text, size_t length_bytes, u32 hash)
{
	size_t bytes = sizeof(struct annot_name_entry) + length_bytes + 1;
	struct annot_name_entry *entry;
	struct annot_name_chunk *chunk;
	u32 at = client->nr_names;

	if (at == ANNOT_NAMES_MAX || client->names_bytes + bytes > ANNOT_NAMES_MAX_BYTES)
		return -ENOSPC;
	chunk = chunk_for(client, at);
	entry = chunk ? kzalloc(bytes, GFP_KERNEL_ACCOUNT) : NULL;
	if (!entry)
		return -ENOMEM;
	entry->id = at + 1;
	entry->hash = hash;
	entry->length_bytes = length_bytes;
	memcpy(entry->text, text, length_bytes);

	hash_add(client->by_text, &entry->node, hash);
	client->names_bytes += bytes;
	client->nr_names++;
	/* Pairs with annot_client_name(): a record may use the id at once. */
	smp_store_release(&chunk->entries[at % ANNOT_NAMES_PER_CHUNK], entry);
	return entry->id;
}

long annot_client_add_name(struct annot_client *client, const char *text, size_t length_bytes)
{
	struct annot_name_entry *entry;
	u32 hash;
	long id;

	if (!is_name(text, length_bytes))
		return -EINVAL;
	hash = jhash(text, length_bytes, 0);
	mutex_lock(&client->names_lock);
	entry = find_name(client, text, length_bytes, hash);
	id = entry ? entry->id : new_name(client, text, length_bytes, hash);
	mutex_unlock(&client->names_lock);
	return id;
}

int annot_clients_init(void)
{
	free_queue = alloc_workqueue("annot", 0, 0);
	return free_queue ? 0 : -ENOMEM;
}

/* No file is open and no ring mapped any more; some processes that gave names may still run. */
void annot_clients_exit(void)
{
	struct annot_client *client;
	struct hlist_node *next;
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(clients); i++) {
		hlist_for_each_entry_safe(client, next, &clients[i], node) {
			hlist_del_rcu(&client->node);
			annot_client_put(client);
		}
	}
	/* Rings put their client from RCU callbacks, and clients are queued from RCU callbacks. */
	rcu_barrier();
	rcu_barrier();
	destroy_workqueue(free_queue);
}
