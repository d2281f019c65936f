// SPDX-License-Identifier: GPL-2.0
/*
 * The names of a process, and how they get into the trace.
 *
 * Batches refer to names by number. So the event annot_name says what a number means, in each
 * recording, before the first batch that uses it. A name is written when it is registered, again
 * when a recording begins, and again from time to time while it is used: the ring buffer may have
 * overwritten the former event.
 *
 * When names are due, the rings of the process are closed. Its next annotation then comes to the
 * kernel, which writes the names in the process's own time and context. They are never written in
 * a switch of tasks, because user space decides how many names there are.
 */
#include <linux/jhash.h>
#include <linux/jiffies.h>
#include <linux/sched.h>
#include <linux/slab.h>
#include <linux/string.h>

#include "account.h"
#include "ftrace/events.h"
#include "names.h"

/* A name in use is written again after this time. */
#define EMIT_AGAIN_JIFFIES (HZ / 4)

/* Never 0: emitted_round is 0 in a name that was never emitted. */
static u32 names_round = 1;

void annot_names_renew(void)
{
	WRITE_ONCE(names_round, names_round + 1 ?: 1);
}

static bool name_is_due(const struct annot_name_entry *entry)
{
	if (READ_ONCE(entry->emitted_round) != READ_ONCE(names_round))
		return true;
	return READ_ONCE(entry->used) &&
	       time_after_eq(jiffies, READ_ONCE(entry->emitted_at) + EMIT_AGAIN_JIFFIES);
}

void annot_names_emit(struct annot_names *names, struct annot_name_entry *entry)
{
	u32 round = READ_ONCE(names_round);
	bool taken = false;

	/* Two threads may write it at once, which does no harm. */
	if (!name_is_due(entry))
		return;
	annot_events_emit_name(names->table, entry->id, entry->text, &taken);
	if (!taken) {
		/* Not all names are in the trace: rings close. */
		WRITE_ONCE(names->due_at, jiffies);
		return;
	}
	WRITE_ONCE(entry->used, false);
	WRITE_ONCE(entry->emitted_at, jiffies);
	WRITE_ONCE(entry->emitted_round, round);
}

/* Return: whether the trace has all names. If not, no buffer takes events of this thread now. */
static bool names_write_all(struct annot_names *names)
{
	bool all = true;
	u32 id;

	for (id = 1; id <= names->nr; id++) {
		struct annot_name_entry *entry = annot_names_find(names, id);

		annot_names_emit(names, entry);
		all &= !name_is_due(entry);
		cond_resched();
	}
	return all;
}

void annot_names_emit_all(struct annot_names *names)
{
	u32 round = READ_ONCE(names_round);

	mutex_lock(&names->lock);
	if (!annot_names_are_emitted(names) && names_write_all(names)) {
		WRITE_ONCE(names->due_at, jiffies + EMIT_AGAIN_JIFFIES);
		WRITE_ONCE(names->emitted_round, round);
	}
	mutex_unlock(&names->lock);
}

bool annot_names_are_emitted(const struct annot_names *names)
{
	return READ_ONCE(names->emitted_round) == READ_ONCE(names_round) &&
	       time_before(jiffies, READ_ONCE(names->due_at));
}

static bool name_is_valid(const char *text, size_t length_bytes)
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

static struct annot_name_entry *names_find_text(struct annot_names *names, const char *text,
						size_t length_bytes, u32 hash)
{
	struct annot_name_entry *entry;

	hash_for_each_possible(names->by_text, entry, node, hash) {
		if (entry->hash == hash && entry->length_bytes == length_bytes &&
		    !memcmp(entry->text, text, length_bytes))
			return entry;
	}
	return NULL;
}

/* The size that was allocated is charged. Return: NULL if there is no memory or no more allowed. */
static void *names_allocate(struct annot_names *names, size_t bytes)
{
	void *memory = kzalloc(bytes, ANNOT_GFP_USER);

	if (!memory)
		return NULL;
	bytes = ksize(memory);
	if (annot_account_charge(names->account, bytes)) {
		kfree(memory);
		return NULL;
	}
	names->bytes += bytes;
	return memory;
}

static struct annot_name_chunk *names_chunk(struct annot_names *names, u32 at)
{
	struct annot_name_chunk **place = &names->chunks[at / ANNOT_NAMES_PER_CHUNK];

	if (!*place) {
		struct annot_name_chunk *chunk = names_allocate(names, sizeof(*chunk));

		if (!chunk)
			return NULL;
		/* Pairs with annot_names_find(): what is found there is zeroed. */
		smp_store_release(place, chunk);
	}
	return *place;
}

static struct annot_name_entry *names_make(struct annot_names *names, const char *text,
					   size_t length_bytes, u32 hash)
{
	struct annot_name_entry *entry;
	struct annot_name_chunk *chunk;
	u32 at = names->nr;

	if (at == ANNOT_NAMES_MAX || names->bytes >= ANNOT_NAMES_MAX_BYTES)
		return ERR_PTR(-ENOSPC);
	chunk = names_chunk(names, at);
	entry = chunk ? names_allocate(names, sizeof(*entry) + length_bytes + 1) : NULL;
	if (!entry)
		return ERR_PTR(-ENOMEM);
	entry->id = at + 1;
	entry->hash = hash;
	entry->length_bytes = length_bytes;
	memcpy(entry->text, text, length_bytes);

	hash_add(names->by_text, &entry->node, hash);
	names->nr++;
	/* Pairs with annot_names_find(): a record may use the id at once. */
	smp_store_release(&chunk->entries[at % ANNOT_NAMES_PER_CHUNK], entry);
	return entry;
}

struct annot_name_entry *annot_names_add(struct annot_names *names, const char *text,
					 size_t length_bytes)
{
	struct annot_name_entry *entry;
	u32 hash;

	if (!name_is_valid(text, length_bytes))
		return ERR_PTR(-EINVAL);
	hash = jhash(text, length_bytes, 0);
	mutex_lock(&names->lock);
	entry = names_find_text(names, text, length_bytes, hash);
	if (!entry)
		entry = names_make(names, text, length_bytes, hash);
	mutex_unlock(&names->lock);
	return entry;
}

void annot_names_open(struct annot_names *names, struct annot_account *account)
{
	names->account = account;
	names->due_at = jiffies;
	mutex_init(&names->lock);
	hash_init(names->by_text);
}

void annot_names_close(struct annot_names *names)
{
	struct annot_name_entry *entry;
	struct hlist_node *next;
	unsigned int i;

	hash_for_each_safe(names->by_text, i, next, entry, node)
		kfree(entry);
	for (i = 0; i < ANNOT_NR_NAME_CHUNKS; i++)
		kfree(names->chunks[i]);
	mutex_destroy(&names->lock);
}
