// SPDX-License-Identifier: GPL-2.0
/*
 * ANNOT_IOC_RECORD: annotations by a system call each. It is how programs annotate while slices are
 * counted, and so it is to be short: what it takes stands between two counts.
 *
 * The record is copied once, and then checked. Whatever is in it, the call adds one annotation of
 * the calling thread; its name is one that this process has given.
 *
 * While slices are counted, annotations wait in their CPU's batch, as records do in a ring: each
 * with its time, and with what was counted until then. The batch becomes an event when it is full,
 * when the thread leaves the CPU, and before anything else is told of the thread. None waits where
 * no counter runs: at a switch, it is what reads the counters that tells them (pmu_slice.c).
 */
#include <linux/irqflags.h>
#include <linux/percpu.h>
#include <linux/sched.h>
#include <linux/uaccess.h>

#include "annot.h"
#include "ring.h"

/* As text, records and counts fit into what the kernel has for a line. */
#define MAX_WORDS 192
#define RECORD_WORDS 3

/* Used on its CPU with interrupts off. */
struct waiting {
	const struct task_struct *task; /* whose they are; compared only */
	u32 table;
	u32 nr;
	u32 nr_counts; /* of each */
	u32 invalid; /* of all */
	struct annot_batch_record records[ANNOT_BATCH_MAX_RECORDS];
	u64 counts[MAX_WORDS];
};

static struct waiting __percpu *all_waiting;

static void flush(struct waiting *waiting)
{
	const struct annot_batch_counts counts = {
		.nr = waiting->nr_counts,
		.invalid = waiting->invalid,
		.counts = waiting->counts,
	};

	/* From a recording that has ended since: nobody looked when the thread left. */
	if (waiting->nr && waiting->task == current)
		annot_emit_calls(waiting->table, waiting->nr, waiting->records, &counts);
	waiting->nr = 0;
}

void annot_calls_flush(void)
{
	struct waiting *waiting = this_cpu_ptr(all_waiting);

	if (waiting->nr)
		flush(waiting);
}

static void fill_record(struct annot_batch_record *record, struct annot_name_entry *entry,
			const struct annot_item *item)
{
	/* As where rings are drained. */
	if (entry && !data_race(entry->used))
		WRITE_ONCE(entry->used, true);
	record->ticks = item->ticks;
	record->value = item->value;
	record->what = annot_batch_what(item, entry ? entry->id : 0);
}

void annot_emit_in_batch(struct annot_client *client, struct annot_name_entry *entry,
			 const struct annot_item *item)
{
	static const struct annot_batch_counts no_counts;
	struct annot_batch_record record;

	if (entry)
		annot_name_tell(client, entry);
	fill_record(&record, entry, item);
	annot_emit_calls(client->table, 1, &record, &no_counts);
}

/* Those that wait are of this thread, and have as many counts. */
static void make_room(struct waiting *waiting, const struct annot_client *client,
		      const struct annot_counts *counts)
{
	if (waiting->nr &&
	    (waiting->task != current || waiting->table != client->table ||
	     waiting->nr_counts != counts->nr || waiting->invalid != counts->invalid))
		flush(waiting);
	waiting->task = current;
	waiting->table = client->table;
	waiting->nr_counts = counts->nr;
	waiting->invalid = counts->invalid;
}

static bool is_full(const struct waiting *waiting)
{
	return (waiting->nr + 1) * (RECORD_WORDS + waiting->nr_counts) > MAX_WORDS;
}

/* Without a clock that goes on it cannot wait. */
static u64 ticks_now(void)
{
	return annot_clock_kind() == ANNOT_CLOCK_NONE || annot_clock_is_lost() ?
		       0 :
		       annot_clock_ticks();
}

static void add(struct waiting *waiting, struct annot_name_entry *entry,
		const struct annot_item *item, const struct annot_counts *counts)
{
	u64 *words = &waiting->counts[waiting->nr * waiting->nr_counts];
	u32 i;

	fill_record(&waiting->records[waiting->nr++], entry, item);
	for (i = 0; i < counts->nr; i++)
		words[i] = counts->counts[i];
	if (!item->ticks || is_full(waiting))
		flush(waiting);
}

static bool begins_span(u8 op)
{
	return op == ANNOT_OP_BEGIN || op == ANNOT_OP_WAIT_BEGIN || op == ANNOT_OP_NEXT;
}

static bool ends_span(u8 op)
{
	return op == ANNOT_OP_END || op == ANNOT_OP_NEXT;
}

/* No switch of tasks comes between reading the counts and having them in the batch. */
static void emit_with_counts(struct annot_client *client, struct annot_name_entry *entry,
			     struct annot_item *item)
{
	struct annot_counts counts;
	struct waiting *waiting;
	unsigned long flags;

	local_irq_save(flags);
	waiting = this_cpu_ptr(all_waiting);
	annot_drain_before_call(client);
	annot_slice_take(&counts);
	item->ticks = counts.nr ? ticks_now() : 0;
	make_room(waiting, client, &counts);
	add(waiting, entry, item, &counts);
	local_irq_restore(flags);
}

/* One recording may want the one form, another the other. */
static void emit_apart(struct annot_client *client, struct annot_name_entry *entry,
		       const struct annot_item *item)
{
	annot_drain_own();
	if (ends_span(item->op))
		annot_slice_cut(ANNOT_COUNTED_TO_END);
	annot_emit(item);
	if (annot_wants_batches())
		annot_emit_in_batch(client, entry, item);
	if (begins_span(item->op))
		annot_slice_cut(ANNOT_COUNTED_TO_BEGIN);
}

static bool is_wanted_in_batches_alone(void)
{
	u32 recording = annot_is_recording();

	return (recording == ANNOT_RECORDING_CALLS || recording == ANNOT_RECORDING_RINGS) &&
	       !annot_instances_want_counts_apart();
}

static long take(const struct annot_record *record)
{
	struct annot_client *client = annot_client_get_own();
	struct annot_name_entry *entry = NULL;
	struct annot_item item = {
		.op = record->op,
		.has_value = record->flags & ANNOT_RECORD_HAS_VALUE ||
			     record->op == ANNOT_OP_COUNTER,
	};

	if (IS_ERR(client))
		return PTR_ERR(client);
	if (item.op != ANNOT_OP_END) {
		entry = annot_name_find(client, record->name);
		if (!entry)
			return -EINVAL;
		annot_name_tell(client, entry);
		item.name = entry->text;
	}
	if (item.has_value)
		item.value = record->value;
	if (is_wanted_in_batches_alone())
		emit_with_counts(client, entry, &item);
	else
		emit_apart(client, entry, &item);
	return ANNOT_RECORD_TAKEN;
}

static bool is_valid(const struct annot_record *record)
{
	return !record->ticks && record->op <= ANNOT_OP_NEXT &&
	       !(record->flags & ~ANNOT_RECORD_HAS_VALUE) && !record->reserved &&
	       !record->reserved2;
}

long annot_record_call(const void __user *argument)
{
	struct annot_record record;

	if (copy_from_user(&record, argument, sizeof(record)))
		return -EFAULT;
	if (!is_valid(&record))
		return -EINVAL;
	if (!annot_is_recording())
		return ANNOT_RECORD_TAKEN;
	return take(&record);
}

int annot_calls_init(void)
{
	all_waiting = alloc_percpu(struct waiting);
	return all_waiting ? 0 : -ENOMEM;
}

void annot_calls_exit(void)
{
	free_percpu(all_waiting);
}
