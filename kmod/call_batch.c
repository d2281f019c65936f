// SPDX-License-Identifier: GPL-2.0
/*
 * Batches of annotations that came by system calls.
 *
 * While slices are counted, annotations wait in a batch of their CPU, as records wait in a ring:
 * each with its time, and with what was counted up to it. The batch becomes an event when it is
 * full, when the thread leaves the CPU, and before anything else is said of the thread. None waits
 * where no counter runs: at a switch, the code that reads the counters flushes the batch
 * (pmu/slice.c).
 */
#include <linux/percpu.h>
#include <linux/sched.h>

#include <uapi/annot.h>

#include "call_batch.h"
#include "ftrace/clock.h"

/* As text, records and counts fit into the buffer that the kernel has for one line. */
#define MAX_WORDS 192
#define RECORD_WORDS 3

/* Used on its CPU with interrupts off. */
struct call_batch {
	const struct task_struct *task; /* the client of the records; only compared */
	u32 table;
	u32 nr;
	u32 nr_counts; /* of each */
	u32 invalid; /* of all */
	struct annot_batch_record records[ANNOT_BATCH_MAX_RECORDS];
	u64 counts[MAX_WORDS];
};

static struct call_batch __percpu *call_batches;

static void call_batch_emit(struct call_batch *batch)
{
	const struct annot_batch_counts counts = {
		.nr = batch->nr_counts,
		.invalid = batch->invalid,
		.counts = batch->counts,
	};

	/*
	 * Records that another task left here are from an earlier recording: no switch flushed
	 * them.
	 */
	if (batch->nr && batch->task == current)
		annot_events_emit_counted(batch->table, batch->nr, batch->records, &counts);
	batch->nr = 0;
}

void annot_call_batch_flush(void)
{
	struct call_batch *batch = this_cpu_ptr(call_batches);

	if (batch->nr)
		call_batch_emit(batch);
}

static void call_batch_fill_record(struct annot_batch_record *record,
				   struct annot_name_entry *entry, const struct annot_item *item)
{
	/* Mostly it is set, and stays unwritten, as where rings are drained. */
	if (entry && !data_race(entry->used))
		WRITE_ONCE(entry->used, true);
	record->ticks = item->ticks;
	record->value = item->value;
	record->what = annot_batch_what(item, entry ? entry->id : 0);
}

void annot_call_batch_emit_one(struct annot_client *client, struct annot_name_entry *entry,
			       const struct annot_item *item)
{
	static const struct annot_batch_counts no_counts;
	struct annot_batch_record record;

	if (entry)
		annot_names_emit(&client->names, entry);
	call_batch_fill_record(&record, entry, item);
	annot_events_emit_counted(client->names.table, 1, &record, &no_counts);
}

/* All annotations of one batch are of one thread, and have as many counts. */
static void call_batch_make_room(struct call_batch *batch, const struct annot_client *client,
				 const struct annot_counts *counts)
{
	if (batch->nr && (batch->task != current || batch->table != client->names.table ||
			  batch->nr_counts != counts->nr || batch->invalid != counts->invalid))
		call_batch_emit(batch);
	batch->task = current;
	batch->table = client->names.table;
	batch->nr_counts = counts->nr;
	batch->invalid = counts->invalid;
}

static bool call_batch_is_full(const struct call_batch *batch)
{
	return (batch->nr + 1) * (RECORD_WORDS + batch->nr_counts) > MAX_WORDS;
}

/* 0 without a clock: then the annotation cannot wait. */
static u64 call_batch_ticks(void)
{
	return annot_clock_kind() == ANNOT_CLOCK_NONE || annot_clock_is_lost() ?
		       0 :
		       annot_clock_ticks();
}

static void call_batch_append(struct call_batch *batch, struct annot_name_entry *entry,
			      const struct annot_item *item, const struct annot_counts *counts)
{
	u64 *words = &batch->counts[batch->nr * batch->nr_counts];
	u32 i;

	call_batch_fill_record(&batch->records[batch->nr++], entry, item);
	for (i = 0; i < counts->nr; i++)
		words[i] = counts->counts[i];
}

void annot_call_batch_add(const struct annot_client *client, struct annot_name_entry *entry,
			  struct annot_item *item, const struct annot_counts *counts)
{
	struct call_batch *batch = this_cpu_ptr(call_batches);

	item->ticks = counts->nr ? call_batch_ticks() : 0;
	call_batch_make_room(batch, client, counts);
	call_batch_append(batch, entry, item, counts);
	if (!item->ticks || call_batch_is_full(batch))
		call_batch_emit(batch);
}

int annot_call_batch_init(void)
{
	call_batches = alloc_percpu(struct call_batch);
	return call_batches ? 0 : -ENOMEM;
}

void annot_call_batch_exit(void)
{
	free_percpu(call_batches);
}
