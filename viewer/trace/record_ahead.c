// SPDX-License-Identifier: GPL-2.0
#include "trace/record_ahead.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "trace/decode/decoder.h"
#include "util/diag.h"
#include "util/rare.h"
#include "util/worker.h"
#include "util/xalloc.h"

/* For 65536 records, as a rule: the thread may lose its core for some milliseconds before anybody waits for it. */
#define NR_BATCHES 64u
#define BATCH_ENTRIES 1024u
#define BATCH_BYTES ((size_t)64 << 10) /* of records as they are; one more record may be beyond */

/* Before the bytes of a record before which events were lost. */
struct loss {
	uint64_t since_ns;
	uint64_t nr_missed;
};

struct record_batch {
	size_t nr;
	size_t nr_bytes;
	size_t bytes_capacity;
	uint8_t *bytes;
	bool is_last;
	bool failed; /* after its records */
	struct ahead_entry entries[BATCH_ENTRIES];
};

/*
 * The batches are a ring: one side fills them, the other one takes them. The counts are guarded by the lock. What else is not said
 * to belong to one side does not change.
 */
struct record_ahead {
	struct merge *merge; /* of the thread */
	const struct decoder *decoder;
	struct comm_cache comms; /* of the thread: an id is the slot + 1 */
	uint32_t ids[AHEAD_NR_SLOTS]; /* of who takes, as the next two */
	struct record_batch *current; /* NULL: none yet */
	size_t at;
	pthread_t thread;
	pthread_mutex_t lock;
	pthread_cond_t filled;
	pthread_cond_t taken;
	size_t nr_filled;
	size_t nr_taken;
	bool stop;
	FILE *errors; /* of the thread, until it has filled the last batch */
	char *said;
	size_t said_bytes;
	struct record_batch batches[NR_BATCHES];
};

static void add_bytes(struct record_batch *batch, const void *bytes, size_t nr)
{
	if (batch->bytes_capacity - batch->nr_bytes < nr) {
		batch->bytes_capacity = grown_capacity(batch->bytes_capacity, batch->nr_bytes + nr);
		batch->bytes = xrealloc_array(batch->bytes, batch->bytes_capacity, 1);
	}
	if (nr)
		memcpy(batch->bytes + batch->nr_bytes, bytes, nr);
	batch->nr_bytes += nr;
}

/* As it is. */
static RARE void add_raw(struct record_batch *batch, struct ahead_entry *entry,
			 const struct merge_source *source)
{
	const struct raw_record *record = &source->record;

	entry->plain.kind = PLAIN_NONE;
	entry->missed = record->missed;
	if (record->missed) {
		struct loss loss = { source->last_time_ns, record->nr_missed };

		add_bytes(batch, &loss, sizeof(loss));
	}
	entry->first_byte = batch->nr_bytes;
	entry->size = record->size;
	add_bytes(batch, record->data, record->size);
}

/* Returns false if the comm was not in its slot, and is there now. */
static inline bool find_slot(struct record_ahead *ahead, const char *comm, uint16_t *number)
{
	struct comm_cache_slot *slot = comm_cache_slot_of(&ahead->comms, comm);

	*number = (uint16_t)(slot - ahead->comms.slots);
	if (comm_cache_has(slot, comm))
		return true;
	comm_cache_put(slot, comm, *number + 1u);
	return false;
}

/* Returns false if a comm is new. */
static inline bool find_slots(struct record_ahead *ahead, const struct plain_comms *comms,
			      struct ahead_entry *entry)
{
	bool is_known = true;

	entry->slots[0] = AHEAD_NO_SLOT;
	entry->slots[1] = AHEAD_NO_SLOT;
	for (int i = 0; i < comms->nr; i++)
		is_known &= find_slot(ahead, comms->comm[i], &entry->slots[i]);
	return is_known;
}

static inline void add_entry(struct record_ahead *ahead, struct record_batch *batch,
			     const struct merge_source *source)
{
	struct ahead_entry *entry = &batch->entries[batch->nr++];
	struct plain_comms comms = { .nr = 0 };
	bool is_plain;

	entry->time_ns = source->record.time_ns;
	entry->cpu = source->cpu;
	entry->buffer = (uint8_t)source->record.buffer;
	entry->missed = false;
	is_plain = decoder_read_plain(ahead->decoder, &source->record, &entry->plain, &comms);
	if (!find_slots(ahead, &comms, entry) || !is_plain || source->record.missed)
		add_raw(batch, entry, source);
}

static void fill(struct record_ahead *ahead, struct record_batch *batch)
{
	struct merge_source *source;

	batch->nr = 0;
	batch->nr_bytes = 0;
	while (batch->nr < BATCH_ENTRIES && batch->nr_bytes < BATCH_BYTES) {
		source = merge_head(ahead->merge);
		batch->is_last = !source;
		if (!source)
			return;
		add_entry(ahead, batch, source);
		batch->failed = merge_advance(ahead->merge);
		batch->is_last = batch->failed;
		if (batch->failed)
			return;
	}
}

/* With the lock. NULL: it is to stop. */
static struct record_batch *wait_for_room(struct record_ahead *ahead)
{
	while (ahead->nr_filled - ahead->nr_taken == NR_BATCHES && !ahead->stop)
		pthread_cond_wait(&ahead->taken, &ahead->lock);
	return ahead->stop ? NULL : &ahead->batches[ahead->nr_filled % NR_BATCHES];
}

static void *read_ahead(void *context)
{
	struct record_ahead *ahead = context;
	struct record_batch *batch;
	bool is_last = false;

	diag_divert_errors(ahead->errors);
	pthread_mutex_lock(&ahead->lock);
	while (!is_last && (batch = wait_for_room(ahead))) {
		pthread_mutex_unlock(&ahead->lock);
		fill(ahead, batch);
		is_last = batch->is_last;
		fflush(ahead->errors);
		pthread_mutex_lock(&ahead->lock);
		ahead->nr_filled++;
		pthread_cond_signal(&ahead->filled);
	}
	pthread_mutex_unlock(&ahead->lock);
	return NULL;
}

struct record_ahead *record_ahead_new(struct merge *merge, const struct decoder *decoder)
{
	struct record_ahead *ahead = xcalloc(1, sizeof(*ahead));

	ahead->merge = merge;
	ahead->decoder = decoder;
	ahead->errors = xmemstream(&ahead->said, &ahead->said_bytes);
	pthread_mutex_init(&ahead->lock, NULL);
	pthread_cond_init(&ahead->filled, NULL);
	pthread_cond_init(&ahead->taken, NULL);
	if (!worker_start(&ahead->thread, read_ahead, ahead))
		return ahead;
	fclose(ahead->errors);
	free(ahead->said);
	free(ahead);
	return NULL;
}

void record_ahead_free(struct record_ahead *ahead)
{
	if (!ahead)
		return;
	pthread_mutex_lock(&ahead->lock);
	ahead->stop = true;
	pthread_cond_signal(&ahead->taken);
	pthread_mutex_unlock(&ahead->lock);
	pthread_join(ahead->thread, NULL);
	pthread_cond_destroy(&ahead->taken);
	pthread_cond_destroy(&ahead->filled);
	pthread_mutex_destroy(&ahead->lock);
	fclose(ahead->errors);
	free(ahead->said);
	for (unsigned int i = 0; i < NR_BATCHES; i++)
		free(ahead->batches[i].bytes);
	free(ahead);
}

/* With the lock: the current one was taken. The thread is woken up only when it can fill half of all: seldom. */
static void give_back(struct record_ahead *ahead)
{
	ahead->nr_taken++;
	if (ahead->nr_filled - ahead->nr_taken == NR_BATCHES / 2)
		pthread_cond_signal(&ahead->taken);
}

static void take_next(struct record_ahead *ahead)
{
	pthread_mutex_lock(&ahead->lock);
	if (ahead->current)
		give_back(ahead);
	while (ahead->nr_filled == ahead->nr_taken)
		pthread_cond_wait(&ahead->filled, &ahead->lock);
	ahead->current = &ahead->batches[ahead->nr_taken % NR_BATCHES];
	ahead->at = 0;
	pthread_mutex_unlock(&ahead->lock);
}

/* The thread's lines have no prefix: see diag_divert_errors(). */
static int tell_failure(struct record_ahead *ahead)
{
	size_t nr = ahead->said_bytes;

	if (nr && ahead->said[nr - 1] == '\n')
		nr--;
	return diag_error("%.*s", (int)nr, ahead->said);
}

static RARE const struct ahead_entry *next_head(struct record_ahead *ahead, int *status)
{
	*status = 0;
	while (!ahead->current || ahead->at == ahead->current->nr) {
		if (ahead->current && ahead->current->is_last) {
			*status = ahead->current->failed ? tell_failure(ahead) : 0;
			return NULL;
		}
		take_next(ahead);
	}
	return &ahead->current->entries[ahead->at];
}

const struct ahead_entry *record_ahead_head(struct record_ahead *ahead, int *status)
{
	if (!ahead->current || ahead->at == ahead->current->nr)
		return next_head(ahead, status);
	*status = 0;
	return &ahead->current->entries[ahead->at];
}

void record_ahead_advance(struct record_ahead *ahead)
{
	ahead->at++;
}

static struct loss loss_of(const struct record_ahead *ahead, const struct ahead_entry *entry)
{
	struct loss loss = { 0 };

	if (entry->missed)
		memcpy(&loss, ahead->current->bytes + entry->first_byte - sizeof(loss),
		       sizeof(loss));
	return loss;
}

struct raw_record record_ahead_raw(const struct record_ahead *ahead)
{
	const struct ahead_entry *entry = &ahead->current->entries[ahead->at];

	return (struct raw_record){
		.time_ns = entry->time_ns,
		.data = ahead->current->bytes + entry->first_byte,
		.size = entry->size,
		.buffer = entry->buffer,
		.missed = entry->missed,
		.nr_missed = loss_of(ahead, entry).nr_missed,
	};
}

uint64_t record_ahead_lost_since_ns(const struct record_ahead *ahead)
{
	return loss_of(ahead, &ahead->current->entries[ahead->at]).since_ns;
}

uint32_t record_ahead_comm(const struct record_ahead *ahead, uint16_t slot)
{
	return ahead->ids[slot];
}

void record_ahead_set_comm(struct record_ahead *ahead, uint16_t slot, uint32_t comm)
{
	ahead->ids[slot] = comm;
}
