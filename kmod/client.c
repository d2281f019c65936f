// SPDX-License-Identifier: GPL-2.0
/*
 * Clients: what the module knows of a process. One is made when a process first maps a ring or
 * registers a name. It is looked up at each context switch. It is forgotten with the last thread
 * of the process, or when the process executes another program. A zombie holds nothing.
 */
#include <linux/hash.h>
#include <linux/mm.h>
#include <linux/rculist.h>
#include <linux/sched/signal.h>
#include <linux/slab.h>
#include <linux/spinlock.h>

#include "account.h"
#include "client.h"
#include "compat.h"

/*
 * A user has at most some thousand clients (account.c), so chains stay short. Clients are looked up
 * at each switch: a table that grows would cost three times as many instructions there.
 */
#define CLIENT_HASH_BITS 12

/* Written under clients_lock, read under RCU. */
static struct hlist_head clients[1 << CLIENT_HASH_BITS];
static DEFINE_RAW_SPINLOCK(clients_lock);
static u32 last_table;

struct workqueue_struct *annot_client_free_queue;

static struct hlist_head *client_bucket(struct signal_struct *signal)
{
	return &clients[hash_ptr(signal, CLIENT_HASH_BITS)];
}

/* Callers with interrupts off hold no RCU read lock; RCU waits for them nevertheless. */
struct annot_client *annot_client_find(struct signal_struct *signal)
{
	struct annot_client *client;

	hlist_for_each_entry_rcu(client, client_bucket(signal), node, true) {
		if (client->signal == signal)
			return client;
	}
	return NULL;
}

static void client_free(struct annot_client *client)
{
	annot_names_close(&client->names);
	annot_account_close(&client->account);
	kvfree(client);
}

static void client_free_work(struct work_struct *work)
{
	client_free(container_of(to_rcu_work(work), struct annot_client, free_work));
}

void annot_client_put(struct annot_client *client)
{
	if (refcount_dec_and_test(&client->refs))
		queue_rcu_work(annot_client_free_queue, &client->free_work);
}

static struct annot_client *client_make(struct signal_struct *signal)
{
	size_t bytes = struct_size_t(struct annot_client, rings, nr_cpu_ids);
	struct annot_client *client;

	client = kvzalloc(bytes, ANNOT_GFP_USER);
	if (!client)
		return NULL;
	annot_account_open(&client->account);
	if (annot_account_charge(&client->account, bytes)) {
		annot_account_close(&client->account);
		kvfree(client);
		return NULL;
	}
	client->signal = signal;
	client->mm = current->mm;
	client->exec_id = current->self_exec_id;
	refcount_set(&client->refs, 1);
	annot_names_open(&client->names, &client->account);
	INIT_RCU_WORK(&client->free_work, client_free_work);
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
	made = client_make(signal);
	if (!made)
		return ERR_PTR(-ENOMEM);

	/* Another thread of the process may have been first; then its client stays. */
	raw_spin_lock_irqsave(&clients_lock, flags);
	client = annot_client_find(signal);
	if (!client) {
		made->names.table = ++last_table;
		hlist_add_head_rcu(&made->node, client_bucket(signal));
	}
	raw_spin_unlock_irqrestore(&clients_lock, flags);
	if (!client)
		return made;
	client_free(made);
	return client;
}

void annot_client_forget(struct signal_struct *signal)
{
	struct annot_client *client;
	unsigned long flags;

	/* Only the process itself adds its client: if there is one, it is seen here. */
	if (hlist_empty(client_bucket(signal)))
		return;
	raw_spin_lock_irqsave(&clients_lock, flags);
	client = annot_client_find(signal);
	if (client)
		hlist_del_rcu(&client->node);
	raw_spin_unlock_irqrestore(&clients_lock, flags);
	if (client)
		annot_client_put(client);
}

bool annot_client_is_over(void)
{
	struct annot_client *client;
	bool is_over = false;

	if (atomic_read(&current->signal->live))
		return false;
	rcu_read_lock();
	client = annot_client_find(current->signal);
	if (client)
		is_over = !atomic_read(&client->nr_rings);
	rcu_read_unlock();
	return is_over;
}

/* How far the clients have been visited. */
struct client_walk {
	unsigned int bucket;
	unsigned int nr_done; /* in it */
};

/* Return: false when no more fit. */
static bool client_walk_bucket(struct client_walk *walk, struct annot_client **chunk,
			       unsigned int *nr, unsigned int max)
{
	struct annot_client *client;
	unsigned int at = 0;

	hlist_for_each_entry_rcu(client, &clients[walk->bucket], node) {
		if (at++ < walk->nr_done)
			continue;
		if (*nr == max)
			return false;
		walk->nr_done++;
		if (refcount_inc_not_zero(&client->refs))
			chunk[(*nr)++] = client;
	}
	return true;
}

static unsigned int client_walk_next(struct client_walk *walk, struct annot_client **chunk,
				     unsigned int max)
{
	unsigned int nr = 0;

	rcu_read_lock();
	while (walk->bucket < ARRAY_SIZE(clients) && client_walk_bucket(walk, chunk, &nr, max)) {
		walk->bucket++;
		walk->nr_done = 0;
	}
	rcu_read_unlock();
	return nr;
}

void annot_clients_visit(unsigned int max,
			 void (*use)(struct annot_client **clients, unsigned int nr))
{
	struct annot_client **chunk = kmalloc_array(max, sizeof(*chunk), GFP_KERNEL | __GFP_NOFAIL);
	struct client_walk walk = { 0 };
	unsigned int nr, i;

	while ((nr = client_walk_next(&walk, chunk, max))) {
		use(chunk, nr);
		for (i = 0; i < nr; i++)
			annot_client_put(chunk[i]);
	}
	kfree(chunk);
}

int annot_clients_init(void)
{
	annot_client_free_queue = alloc_workqueue("annot_free", ANNOT_WQ_PERCPU, 0);
	return annot_client_free_queue ? 0 : -ENOMEM;
}

/*
 * No file is open and no ring is mapped any more; processes that registered names may still run.
 * Rings put their client when they are freed, in the same queue.
 */
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
	rcu_barrier();
	flush_workqueue(annot_client_free_queue);
	rcu_barrier();
	destroy_workqueue(annot_client_free_queue);
}
