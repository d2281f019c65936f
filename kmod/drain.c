// SPDX-License-Identifier: GPL-2.0
/*
 * Records become events. A ring holds two batches at most, so the work is bounded.
 *
 * A ring is drained on its own CPU, with interrupts off, while the task that wrote the records is
 * the current one. Only the task that runs on a CPU writes to the ring of that CPU, and the ring is
 * drained when the task is switched away (hooks.c). So the events carry the right thread without
 * asking user space, and no lock is needed.
 *
 * Another process may share the memory. It can write records for the program that shares it, as it
 * can change that program's code. It cannot for a program that the process executes next: as soon
 * as a task has other memory, none of these rings is drained for it.
 *
 * A ring takes records while it is open, up to a granted position. It is closed when a recording
 * begins, and when names are due. The process's next annotation then calls the kernel to drain and
 * open it. That call also does the work that may take long (names.c).
 *
 * User space may overwrite the memory at any time: each word is read once, and then checked.
 */
#include <linux/cpu.h>
#include <linux/irqflags.h>
#include <linux/percpu.h>
#include <linux/rcupdate.h>
#include <linux/sched.h>
#include <linux/sched/signal.h>
#include <linux/smp.h>

#include "call_batch.h"
#include "client.h"
#include "ftrace/clock.h"
#include "device/control.h"
#include "drain.h"
#include "ftrace/events.h"
#include "names.h"
#include "ftrace/recording.h"

#define RECORD_BYTES sizeof(struct annot_record)
#define MAX_BYTES (ANNOT_RING_RECORDS_MAX * RECORD_BYTES)
#define WINDOW_BYTES min_t(u64, ANNOT_RING_BYTES, MAX_BYTES)

/* Number of clients whose rings one interrupt closes. */
#define CLOSED_AT_ONCE 64

struct drain {
	struct annot_client *client;
	struct annot_batch *batch;
	u64 earliest;
	u64 now;
	bool is_single; /* also emits each record by itself */
	u32 lost[ANNOT_NR_LOST_REASONS];
};

static struct annot_batch __percpu *drain_batches;

static void drain_count_lost(struct annot_client *client, unsigned int reason, u64 nr)
{
	if (nr)
		atomic_add(min_t(u64, nr, S32_MAX), &client->lost[reason]);
}

static struct annot_batch *drain_begin_batch(const struct annot_client *client)
{
	struct annot_batch *batch = this_cpu_ptr(drain_batches);

	batch->table = client->names.table;
	batch->tgid = current->tgid;
	batch->nr = 0;
	return batch;
}

static void drain_flush_batch(struct annot_batch *batch)
{
	if (batch->nr)
		annot_events_emit_batch(batch);
	batch->nr = 0;
}

/*
 * Inline, as all that is done for each record: a switch pays its cost once for each record.
 */
static __always_inline void drain_add_to_batch(struct annot_batch *batch,
					       const struct annot_item *item,
					       struct annot_name_entry *entry)
{
	struct annot_batch_record *record = &batch->records[batch->nr++];

	/* Mostly it is set, and stays unwritten. Another CPU may be setting it at this moment. */
	if (entry && !data_race(entry->used))
		WRITE_ONCE(entry->used, true);
	record->ticks = item->ticks;
	record->value = item->value;
	record->what = annot_batch_what(item, entry ? entry->id : 0);
	if (batch->nr == ANNOT_BATCH_MAX_RECORDS)
		drain_flush_batch(batch);
}

/* Each word is read once: whatever user space does meanwhile, the checked value is used. */
static __always_inline void record_load(struct annot_record *copy,
					const struct annot_record *record)
{
	copy->ticks = READ_ONCE(record->ticks);
	copy->value = READ_ONCE(record->value);
	copy->name = READ_ONCE(record->name);
	copy->op = READ_ONCE(record->op);
	copy->flags = READ_ONCE(record->flags);
}

static __always_inline u64 drain_clamp_ticks(struct drain *drain, u64 ticks)
{
	if (ticks >= drain->earliest && ticks <= drain->now)
		return ticks;
	drain->lost[ANNOT_LOST_BAD_TIME]++;
	return clamp(ticks, drain->earliest, drain->now);
}

static noinline void drain_emit_single(struct annot_item item, const struct annot_name_entry *entry)
{
	item.name = entry ? entry->text : NULL;
	annot_events_emit_item(&item);
}

static __always_inline void drain_take_record(struct drain *drain,
					      const struct annot_record *record)
{
	struct annot_name_entry *entry = NULL;
	struct annot_item item = {
		.op = record->op,
		.has_value = record->flags & ANNOT_RECORD_HAS_VALUE ||
			     record->op == ANNOT_OP_COUNTER,
	};

	if (item.op > ANNOT_OP_NEXT) {
		drain->lost[ANNOT_LOST_BAD_OP]++;
		return;
	}
	if (item.op != ANNOT_OP_END) {
		entry = annot_names_find(&drain->client->names, record->name);
		if (!entry) {
			drain->lost[ANNOT_LOST_BAD_NAME]++;
			return;
		}
	}
	item.ticks = drain_clamp_ticks(drain, record->ticks);
	if (item.has_value)
		item.value = record->value;
	if (unlikely(drain->is_single))
		drain_emit_single(item, entry);
	drain_add_to_batch(drain->batch, &item, entry);
}

/*
 * Return: how many records the ring holds. A ring with an impossible head, for example beyond what
 * was granted, is taken as empty, and counts as one loss.
 */
static unsigned int ring_nr_pending(struct annot_cpu_ring *ring, u64 head)
{
	u64 bytes = head - ring->tail;

	if (bytes <= ring->granted - ring->tail && !(bytes % RECORD_BYTES))
		return bytes / RECORD_BYTES;
	drain_count_lost(ring->client, ANNOT_LOST_BAD_HEAD, 1);
	return 0;
}

/*
 * If the clock has gone back, as after a sleep of the machine, it started again at 0: no record in
 * the ring is older than that.
 */
static u64 ring_earliest_ticks(const struct annot_cpu_ring *ring, u64 now)
{
	return ring->drained_at <= now ? ring->drained_at : 0;
}

static void ring_take_records(struct annot_cpu_ring *ring, unsigned int nr)
{
	const void *records = (void *)ring->shared + PAGE_SIZE;
	struct drain drain = {
		.client = ring->client,
		.batch = drain_begin_batch(ring->client),
		.now = annot_clock_ticks(),
		.is_single = ring->is_closing,
	};
	struct annot_record copy;
	unsigned int reason;
	u64 at = ring->tail;

	drain.earliest = ring_earliest_ticks(ring, drain.now);
	for (; nr--; at += RECORD_BYTES) {
		record_load(&copy, records + (at & (ANNOT_RING_BYTES - 1)));
		drain_take_record(&drain, &copy);
	}
	drain_flush_batch(drain.batch);
	for (reason = 0; reason < ANNOT_NR_LOST_REASONS; reason++)
		drain_count_lost(ring->client, reason, drain.lost[reason]);
	ring->drained_at = drain.now;
}

/* User space may overwrite what has been read, and nothing else, up to @granted. */
static void ring_grant(struct annot_cpu_ring *ring, u64 granted)
{
	ring->granted = granted;
	/* Release: the records before @granted less the window have been read. */
	smp_store_release(&ring->shared->limit, granted);
}

/* Takes all records of the ring. With interrupts off, on the ring's CPU. */
static void ring_take_all(struct annot_cpu_ring *ring, u64 head)
{
	unsigned int nr;

	/* Records that were written outside a recording are dropped. */
	if (annot_events_want_batches() || (ring->is_closing && annot_recording_state())) {
		nr = ring_nr_pending(ring, head);
		if (annot_clock_is_lost())
			drain_count_lost(ring->client, ANNOT_LOST_NO_CLOCK, nr);
		else if (nr)
			ring_take_records(ring, nr);
	}
	ring->tail = round_down(head, RECORD_BYTES);
	ring->is_closing = false;
}

static bool ring_may_be_open(const struct annot_client *client)
{
	return annot_recording_is_by_rings() && annot_names_are_emitted(&client->names) &&
	       !annot_clock_is_lost();
}

/*
 * The writer is in the kernel by its own call, or is being switched away. So it is not between
 * reading the limit and writing a record, or its restartable sequence will begin again.
 */
static void ring_drain_between_records(struct annot_cpu_ring *ring)
{
	/* Acquire: the records that the head publishes are read after it. */
	u64 head = smp_load_acquire(&ring->shared->head);

	if (head == ring->tail)
		return;
	ring_take_all(ring, head);
	ring_grant(ring, ring->tail + (ring_may_be_open(ring->client) ? WINDOW_BYTES : 0));
}

/*
 * The task may have been interrupted between reading the limit and publishing the record, and may
 * go on there. So what it was granted stays granted, and the next record may be older than this
 * drain.
 */
static void ring_drain_amid_record(struct annot_cpu_ring *ring)
{
	u64 drained_at = ring->drained_at;
	u64 granted = ring->granted;
	u64 head;

	/* Acquire: the records that the head publishes are read after it. */
	head = smp_load_acquire(&ring->shared->head);
	if (head == ring->tail)
		return;
	ring_take_all(ring, head);
	ring->drained_at = drained_at;
	/* An impossible head has gone past what was granted. */
	if (granted - ring->tail > WINDOW_BYTES)
		ring_grant(ring, ring->tail);
}

/*
 * Whether @task still runs the client's program, and not one that it executed since. A task that
 * exits has no memory any more. Its exec() may have failed after it got other memory;
 * self_exec_id, which each exec() changes, tells that.
 */
static bool task_is_of_client(const struct task_struct *task, const struct annot_client *client)
{
	if (task->mm)
		return task->mm == client->mm;
	return task->self_exec_id == client->exec_id;
}

/*
 * The ring of @task, the current task, on this CPU, or NULL. With interrupts off. Most tasks have
 * no
 * client: `current` is read again below so that @task need not be kept in a register for them.
 */
static struct annot_cpu_ring *ring_of_current_cpu(struct task_struct *task)
{
	struct annot_client *client;

	if (task->flags & PF_KTHREAD)
		return NULL;
	client = annot_client_find(task->signal);
	if (!client || !task_is_of_client(current, client))
		return NULL;
	return READ_ONCE(client->rings[smp_processor_id()]);
}

void annot_drain_outgoing(struct task_struct *task)
{
	struct annot_cpu_ring *ring = ring_of_current_cpu(task);

	if (ring)
		ring_drain_between_records(ring);
}

/* @only: this ring (struct annot_cpu_ring), or NULL. With interrupts off. */
static void drain_interrupted(void *only)
{
	struct annot_cpu_ring *ring;

	annot_call_batch_flush();
	ring = ring_of_current_cpu(current);
	if (ring && (!only || ring == only))
		ring_drain_amid_record(ring);
}

void annot_drain_everywhere(void)
{
	on_each_cpu(drain_interrupted, NULL, true);
}

/*
 * What the ring still holds was written by the task that runs on its CPU. Mostly it holds nothing,
 * and that CPU is not interrupted. If the CPU is offline, its last task has been switched away, and
 * the ring was drained then.
 */
void annot_drain_unmapped(struct annot_cpu_ring *ring)
{
	if (READ_ONCE(ring->shared->head) != READ_ONCE(ring->tail))
		smp_call_function_single(ring->cpu, drain_interrupted, ring, true);
	drain_count_lost(ring->client, ANNOT_LOST_DROPPED, ring->shared->dropped - ring->dropped);
}

void annot_drain_own(void)
{
	struct annot_cpu_ring *ring;
	unsigned long flags;

	local_irq_save(flags);
	annot_call_batch_flush();
	ring = ring_of_current_cpu(current);
	if (ring)
		ring_drain_between_records(ring);
	local_irq_restore(flags);
}

void annot_drain_before_call(struct annot_client *client)
{
	struct annot_cpu_ring *ring = READ_ONCE(client->rings[smp_processor_id()]);

	if (!ring || READ_ONCE(ring->shared->head) == ring->tail ||
	    !task_is_of_client(current, client))
		return;
	annot_call_batch_flush();
	ring_drain_between_records(ring);
}

/* Return: whether it is open now. */
static bool drain_open_own(struct annot_client *client)
{
	struct annot_cpu_ring *ring;
	unsigned long flags;
	bool is_open;

	local_irq_save(flags);
	ring = ring_of_current_cpu(current);
	is_open = ring && ring_may_be_open(client);
	if (is_open) {
		ring->is_closing = false;
		ring_grant(ring, ring->tail + WINDOW_BYTES);
	}
	local_irq_restore(flags);
	return is_open;
}

static void drain_take_dropped(struct annot_client *client)
{
	struct annot_cpu_ring *ring;
	unsigned long flags;
	u64 dropped;

	local_irq_save(flags);
	ring = ring_of_current_cpu(current);
	if (ring) {
		dropped = READ_ONCE(ring->shared->dropped);
		drain_count_lost(client, ANNOT_LOST_DROPPED, dropped - ring->dropped);
		ring->dropped = dropped;
	}
	local_irq_restore(flags);
}

static void client_emit_lost(struct annot_client *client)
{
	unsigned int reason;

	drain_take_dropped(client);
	for (reason = 0; reason < ANNOT_NR_LOST_REASONS; reason++) {
		if (atomic_read(&client->lost[reason]))
			annot_events_emit_lost(atomic_xchg(&client->lost[reason], 0), reason,
					       current->tgid);
	}
}

void annot_drain_emit_lost(void)
{
	struct annot_client *client;

	/* RCU: when a process ends, another thread may forget its client. */
	rcu_read_lock();
	client = annot_client_find(current->signal);
	if (client)
		client_emit_lost(client);
	rcu_read_unlock();
}

long annot_drain_and_open(void)
{
	struct annot_client *client = annot_client_find(current->signal);

	if (!client)
		return ANNOT_DRAIN_CLOSED;
	annot_drain_own();
	client_emit_lost(client);
	if (!annot_recording_is_by_rings())
		return ANNOT_DRAIN_CLOSED;
	annot_names_emit_all(&client->names);
	return drain_open_own(client) ? ANNOT_DRAIN_OPEN : ANNOT_DRAIN_CLOSED;
}

/* A chunk of clients whose rings are to be closed. */
struct drain_closing {
	struct annot_client **clients;
	unsigned int nr;
};

/*
 * Records from before are dropped. A task that was interrupted here may be in the middle of a
 * record: it may write this one more, unless there is no clock for it.
 */
static void ring_close(struct annot_cpu_ring *ring, bool is_current)
{
	ring->tail = round_down(READ_ONCE(ring->shared->head), RECORD_BYTES);
	if (!is_current)
		ring->drained_at = annot_clock_ticks();
	ring->is_closing = is_current && !annot_clock_is_lost();
	ring_grant(ring, ring->tail + (ring->is_closing ? RECORD_BYTES : 0));
}

/* @current_ring: the ring of the task that runs on this CPU, or NULL. */
static void drain_close_rings_of(unsigned int cpu, const struct drain_closing *closing,
				 const struct annot_cpu_ring *current_ring)
{
	struct annot_cpu_ring *ring;
	unsigned int i;

	for (i = 0; i < closing->nr; i++) {
		ring = READ_ONCE(closing->clients[i]->rings[cpu]);
		if (ring)
			ring_close(ring, ring == current_ring);
	}
}

static void drain_close_rings_here(void *closing)
{
	drain_interrupted(NULL);
	drain_close_rings_of(smp_processor_id(), closing, ring_of_current_cpu(current));
}

static void drain_close_chunk(struct annot_client **clients, unsigned int nr)
{
	struct drain_closing closing = { .clients = clients, .nr = nr };
	unsigned int cpu;

	cpus_read_lock();
	on_each_cpu(drain_close_rings_here, &closing, true);
	local_irq_disable();
	for_each_possible_cpu(cpu) {
		if (!cpu_online(cpu))
			drain_close_rings_of(cpu, &closing, NULL);
	}
	local_irq_enable();
	cpus_read_unlock();
}

void annot_drain_close_everywhere(void)
{
	annot_clients_visit(CLOSED_AT_ONCE, drain_close_chunk);
}

/*
 * No other thread is left, and the rings are no longer drained for this one, so they do not change.
 */
void annot_drain_give_up(void)
{
	struct annot_client *client;
	struct annot_cpu_ring *ring;
	unsigned int cpu;
	u64 nr = 0;

	if (!annot_events_want_batches())
		return;
	rcu_read_lock();
	client = annot_client_find(current->signal);
	for (cpu = 0; client && cpu < nr_cpu_ids; cpu++) {
		ring = READ_ONCE(client->rings[cpu]);
		if (ring)
			nr += ring_nr_pending(ring, READ_ONCE(ring->shared->head));
	}
	if (client) {
		drain_count_lost(client, ANNOT_LOST_AT_EXEC, nr);
		client_emit_lost(client);
	}
	rcu_read_unlock();
}

/*
 * No thread of an ended process writes a record any more. But a thread that has not come as far as
 * this may still have one in a ring: the ring is drained when it is unmapped, with the memory.
 */
void annot_drain_end_client(void)
{
	if (!annot_client_is_over())
		return;
	annot_drain_emit_lost();
	annot_client_forget(current->signal);
}

int annot_drain_init(void)
{
	drain_batches = alloc_percpu(struct annot_batch);
	return drain_batches ? 0 : -ENOMEM;
}

void annot_drain_exit(void)
{
	free_percpu(drain_batches);
}
