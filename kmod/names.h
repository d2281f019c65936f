/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The names of one process, which its records refer to by number.
 */
#ifndef ANNOT_KMOD_NAMES_H
#define ANNOT_KMOD_NAMES_H

#include <linux/hashtable.h>
#include <linux/mutex.h>
#include <linux/sizes.h>
#include <linux/types.h>

struct annot_account;

#define ANNOT_NAMES_MAX 16384
#define ANNOT_NAMES_MAX_BYTES SZ_1M /* of one process, as allocated */
#define ANNOT_NAMES_PER_CHUNK 256
#define ANNOT_NR_NAME_CHUNKS (ANNOT_NAMES_MAX / ANNOT_NAMES_PER_CHUNK)
#define ANNOT_NAME_HASH_BITS 8

/*
 * One name. It lives as long as its table.
 *
 * @emitted_round, @emitted_at: when it was last emitted
 * @used:	it was used since then; set wherever records are taken
 */
struct annot_name_entry {
	struct hlist_node node;
	u32 id;
	u32 hash;
	u32 emitted_round;
	unsigned long emitted_at;
	bool used;
	u8 length_bytes;
	char text[];
};

struct annot_name_chunk {
	struct annot_name_entry *entries[ANNOT_NAMES_PER_CHUNK];
};

/*
 * @table:	distinguishes this table's numbers from those of all others, in the trace
 * @emitted_round, @due_at: all names were emitted in this round; they are due again at @due_at
 * @lock:	guards @nr, @bytes, @account, @by_text, adding to @chunks, and emitting all names
 * @account:	charged for the memory of names
 * @chunks:	names by number, published with release; never changed again
 */
struct annot_names {
	u32 table;
	u32 emitted_round;
	unsigned long due_at;
	struct mutex lock; /* see above */
	u32 nr;
	size_t bytes;
	struct annot_account *account;
	DECLARE_HASHTABLE(by_text, ANNOT_NAME_HASH_BITS);
	struct annot_name_chunk *chunks[ANNOT_NR_NAME_CHUNKS];
};

void annot_names_open(struct annot_names *names, struct annot_account *account);
void annot_names_close(struct annot_names *names);

/* Return: the name, a new one if need be, or -EINVAL, -ENOSPC, -ENOMEM. May sleep. */
struct annot_name_entry *annot_names_add(struct annot_names *names, const char *text,
					 size_t length_bytes);

/* A recording of batches begins, without any names: all names must be written again. */
void annot_names_renew(void);

/* Writes the name into the trace unless it was written lately. Context: of the process. */
void annot_names_emit(struct annot_names *names, struct annot_name_entry *entry);

/* Writes all names that are due into the trace. Context: of the process; sleeps. */
void annot_names_emit_all(struct annot_names *names);

/* Whether the trace knows all names so far, so that records may use any of them. */
bool annot_names_are_emitted(const struct annot_names *names);

/* The name with this number, or NULL; @id may be anything. Valid as long as the table. */
static inline struct annot_name_entry *annot_names_find(struct annot_names *names, u32 id)
{
	u32 at = id - 1;
	struct annot_name_chunk *chunk;

	if (at >= ANNOT_NAMES_MAX)
		return NULL;
	/* Both pair with the release by annot_names_add(). */
	chunk = smp_load_acquire(&names->chunks[at / ANNOT_NAMES_PER_CHUNK]);
	if (!chunk)
		return NULL;
	/* As above. */
	return smp_load_acquire(&chunk->entries[at % ANNOT_NAMES_PER_CHUNK]);
}

#endif /* ANNOT_KMOD_NAMES_H */
