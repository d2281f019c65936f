// SPDX-License-Identifier: GPL-2.0
/*
 * The names of a process, and their way into the trace.
 *
 * Batches speak of names by number, so each recording must be told what the numbers mean, before
 * the first batch that uses them. A name is told when it is given. When a recording begins, and
 * from time to time while they are used, for readers whose buffer has been overwritten, the rings
 * of a process are closed: its next annotation comes to the kernel, which tells them then. That
 * is in the process's own time and context, and never in a switch of tasks: how many names there
 * are is up to user space.
 */
#include <linux/jhash.h>
#include <linux/jiffies.h>
#include <linux/sched.h>
#include <linux/slab.h>
#include <linux/string.h>

#include "annot.h"
#include "ring.h"

/* A name in use is told again after this time. */
#define TELL_AGAIN_JIFFIES (HZ / 4)

/* Never 0: that is the round in which a name that was not told was told. */
static u32 names_round = 1;

void annot_names_tell_again(void)
{
	WRITE_ONCE(names_round, names_round + 1 ?: 1);
}

static bool is_due(const struct annot_name_entry *entry)
{
	if (READ_ONCE(entry->told_round) != READ_ONCE(names_round))
		return true;
	return READ_ONCE(entry->used) &&
	       time_after_eq(jiffies, READ_ONCE(entry->told_at) + TELL_AGAIN_JIFFIES);
}

void annot_name_tell(struct annot_client *client, struct annot_name_entry *entry)
{
	u32 round = READ_ONCE(names_round);
	bool taken = false;

	/* Two threads may tell it at once, which does no harm. */
	if (!is_due(entry))
		return;
	annot_emit_name(client->table, entry->id, entry->text, &taken);
	if (!taken) {
		/* Not all are told: rings close. */
		WRITE_ONCE(client->tell_at, jiffies);
		return;
	}
	WRITE_ONCE(entry->used, false);
	WRITE_ONCE(entry->told_at, jiffies);
	WRITE_ONCE(entry->told_round, round);
}

/* Return: whether the trace has them all; if not, nobody listens to this thread now. */
static bool tell_all(struct annot_client *client)
{
	bool all = true;
	u32 id;

	for (id = 1; id <= client->nr_names; id++) {
		struct annot_name_entry *entry = annot_name_find(client, id);

		annot_name_tell(client, entry);
		all &= !is_due(entry);
		cond_resched();
	}
	return all;
}

void annot_names_tell(struct annot_client *client)
{
	u32 round = READ_ONCE(names_round);

	mutex_lock(&client->names_lock);
	if (!annot_names_are_told(client) && tell_all(client)) {
		WRITE_ONCE(client->tell_at, jiffies + TELL_AGAIN_JIFFIES);
		WRITE_ONCE(client->told_round, round);
	}
	mutex_unlock(&client->names_lock);
}

bool annot_names_are_told(const struct annot_client *client)
{
	return READ_ONCE(client->told_round) == READ_ONCE(names_round) &&
	       time_before(jiffies, READ_ONCE(client->tell_at));
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

static struct annot_name_entry *find_text(struct annot_client *client, const char *text,
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

/* What was allocated is what counts, not what was asked for. NULL: no memory, or no more. */
static void *allocate(struct annot_client *client, size_t bytes)
{
	void *memory = kzalloc(bytes, ANNOT_GFP_USER);

	if (!memory)
		return NULL;
	bytes = ksize(memory);
	if (annot_account_charge(&client->account, bytes)) {
		kfree(memory);
		return NULL;
	}
	client->names_bytes += bytes;
	return memory;
}

static struct annot_name_chunk *chunk_for(struct annot_client *client, u32 at)
{
	struct annot_name_chunk **place = &client->chunks[at / ANNOT_NAMES_PER_CHUNK];

	if (!*place) {
		struct annot_name_chunk *chunk = allocate(client, sizeof(*chunk));

		if (!chunk)
			return NULL;
		/* Pairs with annot_name_find(): what is found there is zeroed. */
		smp_store_release(place, chunk);
	}
	return *place;
}

static struct annot_name_entry *make_name(struct annot_client *client, const char *text,
					  size_t length_bytes, u32 hash)
{
	struct annot_name_entry *entry;
	struct annot_name_chunk *chunk;
	u32 at = client->nr_names;

	if (at == ANNOT_NAMES_MAX || client->names_bytes >= ANNOT_NAMES_MAX_BYTES)
		return ERR_PTR(-ENOSPC);
	chunk = chunk_for(client, at);
	entry = chunk ? allocate(client, sizeof(*entry) + length_bytes + 1) : NULL;
	if (!entry)
		return ERR_PTR(-ENOMEM);
	entry->id = at + 1;
	entry->hash = hash;
	entry->length_bytes = length_bytes;
	memcpy(entry->text, text, length_bytes);

	hash_add(client->by_text, &entry->node, hash);
	client->nr_names++;
	/* Pairs with annot_name_find(): a record may use the id at once. */
	smp_store_release(&chunk->entries[at % ANNOT_NAMES_PER_CHUNK], entry);
	return entry;
}

struct annot_name_entry *annot_name_add(struct annot_client *client, const char *text,
					size_t length_bytes)
{
	struct annot_name_entry *entry;
	u32 hash;

	if (!is_name(text, length_bytes))
		return ERR_PTR(-EINVAL);
	hash = jhash(text, length_bytes, 0);
	mutex_lock(&client->names_lock);
	entry = find_text(client, text, length_bytes, hash);
	if (!entry)
		entry = make_name(client, text, length_bytes, hash);
	mutex_unlock(&client->names_lock);
	return entry;
}

void annot_names_free(struct annot_client *client)
{
	struct annot_name_entry *entry;
	struct hlist_node *next;
	unsigned int i;

	hash_for_each_safe(client->by_text, i, next, entry, node)
		kfree(entry);
	for (i = 0; i < ANNOT_NR_NAME_CHUNKS; i++)
		kfree(client->chunks[i]);
}
