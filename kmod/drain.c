// SPDX-License-Identifier: GPL-2.0
/*
 * Records become events.
 *
 * A ring is drained on its own CPU, with interrupts off, while the task that wrote the records is
 * the current one: only the task that runs on a CPU writes to the CPU's ring, and each ring is
 * drained when its writer is switched away (sched.c). So the events bear the right thread without
 * asking user space, and no lock is needed.
 *
 * Another process may share the memory. It can speak for the program that shares it, as this
 * program's own code can, but not for what the process goes on to execute: from the moment that a
 * task has other memory, none of these rings is drained for it.
 *
 * User space may scribble over the memory at any time: everything is read once, and then checked.
 */
#include <linux/irqflags.h>
#include <linux/jiffies.h>
#include <linux/percpu.h>
#include <linux/rcupdate.h>
#include <linux/sched.h>
#include <linux/sched/signal.h>
#include <linux/smp.h>

#include <uapi/annot.h>

#include "annot.h"
#include "ring.h"

#define RECORD_BYTES sizeof(struct annot_record)

/* How many records a task that drains for itself takes before it lets interrupts in. */
#define PIECE_RECORDS 32

/* A name in use is told again after this time, for readers whose buffer has been overwritten. */
#define TELL_AGAIN_JIFFIES (HZ / 4)

struct drain {
	struct annot_client *client;
	struct annot_cpu_ring *ring;
	struct annot_batch *batch; /* NULL: one by one */
	u64 now;
	u64 since;
	u32 lost[ANNOT_NR_LOST_REASONS];
};

/* Ticks when the hooks of this recording were in place; 0: none are, records are thrown away. */
static u64 recording_since;

static u32 names_round;
static struct annot_batch __percpu *batches;

void annot_drain_begin_recording(void)
{
	annot_clock_calibrate();
	WRITE_ONCE(recording_since, annot_clock_ticks());
}

void annot_drain_end_recording(void)
{
	WRITE_ONCE(recording_since, 0);
}

void annot_drain_tell_names_again(void)
{
	WRITE_ONCE(names_round, names_round + 1);
}

static void tell_name(struct annot_batch *batch, struct annot_name_entry *entry)
{
	u32 round = READ_ONCE(names_round);
	bool taken = false;

	/* Two CPUs may tell it at once, which does no harm. */
	if (READ_ONCE(entry->told_round) == round &&
	    time_before(jiffies, READ_ONCE(entry->told_at) + TELL_AGAIN_JIFFIES))
		return;
	annot_emit_name(batch, entry->id, entry->text, &taken);
	if (taken) {
		WRITE_ONCE(entry->told_at, jiffies);
		WRITE_ONCE(entry->told_round, round);
	}
}

static struct annot_batch *begin_batch(struct annot_client *client)
{
	struct annot_batch *batch = this_cpu_ptr(batches);

	batch->table = client->table;
	batch->tgid = current->tgid;
	batch->nr = 0;
	return batch;
}

static void flush_batch(struct annot_batch *batch)
{
	if (batch->nr)
		annot_emit_batch(batch);
	batch->nr = 0;
}

static void add_to_batch(struct annot_batch *batch, const struct annot_item *item,
			 struct annot_name_entry *entry)
{
	struct annot_batch_record *record = &batch->records[batch->nr++];

	if (entry)
		tell_name(batch, entry);
	record->ticks = item->ticks;
	record->value = item->value;
	record->what = (u64)(entry ? entry->id : 0) << 32 | item->op << 8 |
		       (item->has_value ? ANNOT_RECORD_HAS_VALUE : 0);
	if (batch->nr == ANNOT_BATCH_MAX_RECORDS)
		flush_batch(batch);
}

/* Each word is read once: whatever user space does meanwhile, what was checked is what is used. */
static void load_record(struct annot_record *copy, const struct annot_record *record)
{
	copy->ticks = READ_ONCE(record->ticks);
	copy->value = READ_ONCE(record->value);
	copy->name = READ_ONCE(record->name);
	copy->op = READ_ONCE(record->op);
	copy->flags = READ_ONCE(record->flags);
}

/*
 * Return: a believable time. A record of the past that the ring's first drain in this recording
 * meets was left over before it, and gets 0.
 */
static u64 judge_ticks(struct drain *drain, u64 ticks)
{
	u64 earliest = drain->ring->drained_at;

	if (earliest < drain->since) {
		if (ticks < drain->since)
			return 0;
		earliest = drain->since;
	}
	if (ticks >= earliest && ticks <= drain->now)
		return ticks;
	drain->lost[ANNOT_LOST_BAD_TIME]++;
	return clamp(ticks, earliest, drain->now);
}

static void take_record(struct drain *drain, const struct annot_record *record)
{
	struct annot_name_entry *entry = NULL;
	struct annot_item item = {
		.ticks = judge_ticks(drain, record->ticks),
		.op = record->op,
		.has_value = record->flags & ANNOT_RECORD_HAS_VALUE ||
			     record->op == ANNOT_OP_COUNTER,
	};

	if (!item.ticks)
		return;
	if (item.has_value)
		item.value = record->value;
	if (item.op > ANNOT_OP_NEXT) {
		drain->lost[ANNOT_LOST_BAD_OP]++;
		return;
	}
	if (item.op != ANNOT_OP_END) {
		entry = annot_client_name(drain->client, record->name);
		if (!entry) {
			drain->lost[ANNOT_LOST_BAD_NAME]++;
			return;
		}
		item.name = entry->text;
	}
	if (drain->batch)
		add_to_batch(drain->batch, &item, entry);
	else
		annot_emit(&item);
}

/* Return: how many records the ring holds, or -1: its head cannot be. */
static int nr_pending(const struct annot_cpu_ring *ring, u64 head)
{
	u64 bytes = head - ring->tail;

	if (bytes > annot_ring_bytes() || bytes % RECORD_BYTES)
		return -1;
	return bytes / RECORD_BYTES;
}

/* Return: how many records are to be taken; a head that cannot be is taken as an empty ring's. */
static unsigned int judge_head(struct drain *drain, u64 head)
{
	int nr = nr_pending(drain->ring, head);

	if (nr >= 0)
		return nr;
	drain->lost[ANNOT_LOST_BAD_HEAD]++;
	drain->ring->tail = round_down(head, RECORD_BYTES);
	return 0;
}

static void take_records(struct drain *drain, struct annot_ring *shared, unsigned int nr)
{
	const void *records = (void *)shared + PAGE_SIZE;
	u64 mask = annot_ring_bytes() - 1;
	struct annot_record copy;

	while (nr--) {
		load_record(&copy, records + (drain->ring->tail & mask));
		take_record(drain, &copy);
		drain->ring->tail += RECORD_BYTES;
	}
}

static void report_lost(const struct drain *drain)
{
	unsigned int reason;

	for (reason = 0; reason < ANNOT_NR_LOST_REASONS; reason++) {
		if (drain->lost[reason])
			annot_emit_lost(drain->lost[reason], reason, current->tgid);
	}
}

/*
 * Takes up to @max_nr records. With interrupts off, on the ring's CPU.
 *
 * Return: how many it took.
 */
static unsigned int drain_ring(struct annot_cpu_ring *ring, unsigned int max_nr,
			       bool between_records)
{
	struct drain drain = { .client = ring->client, .ring = ring };
	struct annot_ring *shared;
	unsigned int nr;
	u64 head;

	/* Pairs with memory_of(), which fills it in first. */
	shared = smp_load_acquire(&ring->shared);
	if (!shared)
		return 0;
	/* Acquire: the records that it publishes are read after it. */
	head = smp_load_acquire(&shared->head);
	if (head == ring->tail)
		return 0;

	drain.since = READ_ONCE(recording_since);
	if (!drain.since || !annot_is_recording()) {
		ring->tail = round_down(head, RECORD_BYTES);
		nr = 0;
	} else {
		drain.now = annot_clock_ticks();
		drain.batch = annot_wants_batches() ? begin_batch(ring->client) : NULL;
		nr = min(judge_head(&drain, head), max_nr);
		take_records(&drain, shared, nr);
		if (drain.batch)
			flush_batch(drain.batch);
		report_lost(&drain);
		if (between_records && nr < max_nr)
			ring->drained_at = drain.now;
	}
	/* Release: user space may write over what has been read, and not before. */
	smp_store_release(&shared->limit, ring->tail + annot_ring_bytes());
	return nr;
}

/*
 * Whether @task is still of the client's program, and not of one that it executed. A task that
 * exits has no memory any more; whether it had another then, for its exec() failed when it was too
 * late to go back, tells the number of those that have given it a new name.
 */
static bool is_of(const struct task_struct *task, const struct annot_client *client)
{
	if (task->mm)
		return task->mm == client->mm;
	return task->self_exec_id == client->exec_id;
}

/*
 * The ring of @task, the current one, on this CPU, with interrupts off, or NULL. Most tasks have no
 * client: for their sake @task is not kept in a register until then.
 */
static struct annot_cpu_ring *ring_here(struct task_struct *task)
{
	struct annot_client *client;

	if (task->flags & PF_KTHREAD)
		return NULL;
	client = annot_client_find(task->signal);
	if (!client || !is_of(current, client))
		return NULL;
	return READ_ONCE(client->rings[smp_processor_id()]);
}

void annot_drain_outgoing(struct task_struct *task)
{
	struct annot_cpu_ring *ring = ring_here(task);

	if (ring)
		drain_ring(ring, UINT_MAX, true);
}

/*
 * The task may have been stopped between reading the clock and publishing the record, and go on
 * there: the next records may be older than this drain.
 */
void annot_drain_interrupted(void *only)
{
	struct annot_cpu_ring *ring = ring_here(current);

	if (ring && (!only || ring == only))
		drain_ring(ring, UINT_MAX, false);
}

void annot_drain_everywhere(void)
{
	on_each_cpu(annot_drain_interrupted, NULL, true);
}

void annot_drain_own(void)
{
	unsigned int left = annot_ring_bytes() / RECORD_BYTES;
	struct annot_cpu_ring *ring;
	unsigned int max_nr, nr;
	unsigned long flags;

	/* Being switched away in between drains the ring as well. */
	do {
		max_nr = min_t(unsigned int, left, PIECE_RECORDS);
		local_irq_save(flags);
		ring = ring_here(current);
		nr = ring ? drain_ring(ring, max_nr, true) : 0;
		local_irq_restore(flags);
		left -= nr;
	} while (left && nr == max_nr);
}

/* Return: how many records are in the ring for nobody to take; if its head cannot be, 1. */
static unsigned int nr_left_behind(const struct annot_cpu_ring *ring)
{
	/* Pairs with memory_of(), which fills it in first. */
	const struct annot_ring *shared = smp_load_acquire(&ring->shared);
	int nr;

	if (!shared)
		return 0;
	nr = nr_pending(ring, READ_ONCE(shared->head));
	return nr < 0 ? 1 : nr;
}

/* No other thread is left, and for this one the rings are drained no more: nobody changes them. */
void annot_drain_give_up(void)
{
	const struct annot_client *client;
	const struct annot_cpu_ring *ring;
	unsigned int cpu, nr = 0;

	if (!READ_ONCE(recording_since) || !annot_is_recording())
		return;
	rcu_read_lock();
	client = annot_client_find(current->signal);
	for (cpu = 0; client && cpu < nr_cpu_ids; cpu++) {
		ring = READ_ONCE(client->rings[cpu]);
		if (ring)
			nr += nr_left_behind(ring);
	}
	rcu_read_unlock();
	if (nr)
		annot_emit_lost(nr, ANNOT_LOST_AT_EXEC, current->tgid);
}

void annot_drain_add_item(struct annot_client *client, u32 name, const struct annot_item *item)
{
	struct annot_batch *batch;
	unsigned long flags;

	local_irq_save(flags);
	batch = begin_batch(client);
	add_to_batch(batch, item, annot_client_name(client, name));
	flush_batch(batch);
	local_irq_restore(flags);
}

int annot_drain_init(void)
{
	batches = alloc_percpu(struct annot_batch);
	return batches ? 0 : -ENOMEM;
}

void annot_drain_exit(void)
{
	free_percpu(batches);
}
