// SPDX-License-Identifier: GPL-2.0
/*
 * Records become events: a ring holds two batches at most, so the work is bounded.
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
 * A ring takes records while it is open, up to what it was granted. It is closed when a recording
 * begins, and when names are due to be told: then the process's next annotation asks for it to be
 * drained, and opened again, which is where all else is told that may take its time (names.c).
 *
 * User space may scribble over the memory at any time: everything is read once, and then checked.
 */
#include <linux/cpu.h>
#include <linux/irqflags.h>
#include <linux/percpu.h>
#include <linux/rcupdate.h>
#include <linux/sched.h>
#include <linux/sched/signal.h>
#include <linux/smp.h>

#include "annot.h"
#include "ring.h"

#define RECORD_BYTES sizeof(struct annot_record)
#define MAX_BYTES (ANNOT_RING_RECORDS_MAX * RECORD_BYTES)
#define WINDOW_BYTES min_t(u64, ANNOT_RING_BYTES, MAX_BYTES)

/* Rings that one interrupt closes. */
#define CLOSED_AT_ONCE 64

struct drain {
	struct annot_client *client;
	struct annot_batch *batch;
	u64 earliest;
	u64 now;
	bool is_single; /* each also by itself, to those who want that */
	u32 lost[ANNOT_NR_LOST_REASONS];
};

static struct annot_batch __percpu *batches;

static void count_lost(struct annot_client *client, unsigned int reason, u64 nr)
{
	if (nr)
		atomic_add(min_t(u64, nr, S32_MAX), &client->lost[reason]);
}

static struct annot_batch *begin_batch(const struct annot_client *client)
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

/*
 * Inline, as all that is done for each record: what it takes, a switch takes as often as there are
 * records.
 */
static __always_inline void add_to_batch(struct annot_batch *batch, const struct annot_item *item,
					 struct annot_name_entry *entry)
{
	struct annot_batch_record *record = &batch->records[batch->nr++];

	/* Mostly it is set, and stays unwritten. Another CPU may be setting it just now. */
	if (entry && !data_race(entry->used))
		WRITE_ONCE(entry->used, true);
	record->ticks = item->ticks;
	record->value = item->value;
	record->what = annot_batch_what(item, entry ? entry->id : 0);
	if (batch->nr == ANNOT_BATCH_MAX_RECORDS)
		flush_batch(batch);
}

/* Each word is read once: whatever user space does meanwhile, what was checked is what is used. */
static __always_inline void load_record(struct annot_record *copy,
					const struct annot_record *record)
{
	copy->ticks = READ_ONCE(record->ticks);
	copy->value = READ_ONCE(record->value);
	copy->name = READ_ONCE(record->name);
	copy->op = READ_ONCE(record->op);
	copy->flags = READ_ONCE(record->flags);
}

static __always_inline u64 judge_ticks(struct drain *drain, u64 ticks)
{
	if (ticks >= drain->earliest && ticks <= drain->now)
		return ticks;
	drain->lost[ANNOT_LOST_BAD_TIME]++;
	return clamp(ticks, drain->earliest, drain->now);
}

static noinline void emit_single(struct annot_item item, const struct annot_name_entry *entry)
{
	item.name = entry ? entry->text : NULL;
	annot_emit(&item);
}

static __always_inline void take_record(struct drain *drain, const struct annot_record *record)
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
		entry = annot_name_find(drain->client, record->name);
		if (!entry) {
			drain->lost[ANNOT_LOST_BAD_NAME]++;
			return;
		}
	}
	item.ticks = judge_ticks(drain, record->ticks);
	if (item.has_value)
		item.value = record->value;
	if (unlikely(drain->is_single))
		emit_single(item, entry);
	add_to_batch(drain->batch, &item, entry);
}

/*
 * Return: how many records the ring holds; one whose head cannot be, beyond what was granted among
 * others, is taken as empty, and as one that is lost.
 */
static unsigned int nr_pending(struct annot_cpu_ring *ring, u64 head)
{
	u64 bytes = head - ring->tail;

	if (bytes <= ring->granted - ring->tail && !(bytes % RECORD_BYTES))
		return bytes / RECORD_BYTES;
	count_lost(ring->client, ANNOT_LOST_BAD_HEAD, 1);
	return 0;
}

/*
 * A clock that has gone back, as after a sleep of the machine, began anew; nothing older than that
 * can be in the ring.
 */
static u64 earliest_ticks(const struct annot_cpu_ring *ring, u64 now)
{
	return ring->drained_at <= now ? ring->drained_at : 0;
}

static void take_records(struct annot_cpu_ring *ring, unsigned int nr)
{
	const void *records = (void *)ring->shared + PAGE_SIZE;
	struct drain drain = {
		.client = ring->client,
		.batch = begin_batch(ring->client),
		.now = annot_clock_ticks(),
		.is_single = ring->is_closing,
	};
	struct annot_record copy;
	unsigned int reason;
	u64 at = ring->tail;

	drain.earliest = earliest_ticks(ring, drain.now);
	for (; nr--; at += RECORD_BYTES) {
		load_record(&copy, records + (at & (ANNOT_RING_BYTES - 1)));
		take_record(&drain, &copy);
	}
	flush_batch(drain.batch);
	for (reason = 0; reason < ANNOT_NR_LOST_REASONS; reason++)
		count_lost(ring->client, reason, drain.lost[reason]);
	ring->drained_at = drain.now;
}

/* User space may write over what has been read, and not before; at most up to @granted. */
static void grant(struct annot_cpu_ring *ring, u64 granted)
{
	ring->granted = granted;
	/* Release: what is behind has been read. */
	smp_store_release(&ring->shared->limit, granted);
}

/* Takes all that the ring holds. With interrupts off, on the ring's CPU. */
static void take_all(struct annot_cpu_ring *ring, u64 head)
{
	unsigned int nr;

	/* What was written while nobody recorded is for nobody. */
	if (annot_wants_batches() || (ring->is_closing && annot_is_recording())) {
		nr = nr_pending(ring, head);
		if (annot_clock_is_lost())
			count_lost(ring->client, ANNOT_LOST_NO_CLOCK, nr);
		else if (nr)
			take_records(ring, nr);
	}
	ring->tail = round_down(head, RECORD_BYTES);
	ring->is_closing = false;
}

static bool may_be_open(const struct annot_client *client)
{
	return annot_wants_rings() && annot_names_are_told(client) && !annot_clock_is_lost();
}

/*
 * The task that writes is in the kernel to stay, or is being switched away: it is not between
 * reading the limit and writing a record, or will begin anew there.
 */
static void drain_between_records(struct annot_cpu_ring *ring)
{
	/* Acquire: the records that it publishes are read after it. */
	u64 head = smp_load_acquire(&ring->shared->head);

	if (head == ring->tail)
		return;
	take_all(ring, head);
	grant(ring, ring->tail + (may_be_open(ring->client) ? WINDOW_BYTES : 0));
}

/*
 * The task may have been stopped between reading the limit and publishing the record, and go on
 * there: what it was granted stays so, and the next records may be older than this drain.
 */
static void drain_amid_record(struct annot_cpu_ring *ring)
{
	u64 drained_at = ring->drained_at;
	u64 granted = ring->granted;
	u64 head;

	/* Acquire: the records that it publishes are read after it. */
	head = smp_load_acquire(&ring->shared->head);
	if (head == ring->tail)
		return;
	take_all(ring, head);
	ring->drained_at = drained_at;
	/* A head that could not be has gone past what was granted. */
	if (granted - ring->tail > WINDOW_BYTES)
		grant(ring, ring->tail);
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
		drain_between_records(ring);
}

/* @only: this ring (struct annot_cpu_ring), or NULL. With interrupts off. */
static void drain_interrupted(void *only)
{
	struct annot_cpu_ring *ring;

	annot_calls_flush();
	ring = ring_here(current);
	if (ring && (!only || ring == only))
		drain_amid_record(ring);
}

void annot_drain_everywhere(void)
{
	on_each_cpu(drain_interrupted, NULL, true);
}

/*
 * What it still holds was written by the task that runs on its CPU. Mostly it holds nothing, and
 * that CPU is left in peace. It may be offline: then its last task has been switched away, and the
 * ring drained.
 */
void annot_drain_unmapped(struct annot_cpu_ring *ring)
{
	if (READ_ONCE(ring->shared->head) != READ_ONCE(ring->tail))
		smp_call_function_single(ring->cpu, drain_interrupted, ring, true);
	count_lost(ring->client, ANNOT_LOST_DROPPED, ring->shared->dropped - ring->dropped);
}

void annot_drain_own(void)
{
	struct annot_cpu_ring *ring;
	unsigned long flags;

	local_irq_save(flags);
	annot_calls_flush();
	ring = ring_here(current);
	if (ring)
		drain_between_records(ring);
	local_irq_restore(flags);
}

void annot_drain_before_call(struct annot_client *client)
{
	struct annot_cpu_ring *ring = READ_ONCE(client->rings[smp_processor_id()]);

	if (!ring || READ_ONCE(ring->shared->head) == ring->tail || !is_of(current, client))
		return;
	annot_calls_flush();
	drain_between_records(ring);
}

/* Return: whether it is open now. */
static bool open_own(struct annot_client *client)
{
	struct annot_cpu_ring *ring;
	unsigned long flags;
	bool is_open;

	local_irq_save(flags);
	ring = ring_here(current);
	is_open = ring && may_be_open(client);
	if (is_open) {
		ring->is_closing = false;
		grant(ring, ring->tail + WINDOW_BYTES);
	}
	local_irq_restore(flags);
	return is_open;
}

static void take_dropped(struct annot_client *client)
{
	struct annot_cpu_ring *ring;
	unsigned long flags;
	u64 dropped;

	local_irq_save(flags);
	ring = ring_here(current);
	if (ring) {
		dropped = READ_ONCE(ring->shared->dropped);
		count_lost(client, ANNOT_LOST_DROPPED, dropped - ring->dropped);
		ring->dropped = dropped;
	}
	local_irq_restore(flags);
}

static void tell_lost(struct annot_client *client)
{
	unsigned int reason;

	take_dropped(client);
	for (reason = 0; reason < ANNOT_NR_LOST_REASONS; reason++) {
		if (atomic_read(&client->lost[reason]))
			annot_emit_lost(atomic_xchg(&client->lost[reason], 0), reason,
					current->tgid);
	}
}

void annot_drain_tell_lost(void)
{
	struct annot_client *client;

	/* Of a process that ends, another thread may be forgetting it. */
	rcu_read_lock();
	client = annot_client_find(current->signal);
	if (client)
		tell_lost(client);
	rcu_read_unlock();
}

long annot_drain_and_open(void)
{
	struct annot_client *client = annot_client_find(current->signal);

	if (!client)
		return ANNOT_DRAIN_CLOSED;
	annot_drain_own();
	tell_lost(client);
	if (!annot_wants_rings())
		return ANNOT_DRAIN_CLOSED;
	annot_names_tell(client);
	return open_own(client) ? ANNOT_DRAIN_OPEN : ANNOT_DRAIN_CLOSED;
}

/* A chunk of clients whose rings are closed, and how many. */
struct closing {
	struct annot_client **clients;
	unsigned int nr;
};

/*
 * What is in it from before is for nobody. A task that was interrupted here may be amid a record:
 * this one more it may write, unless there is no clock by which to tell when.
 */
static void close_ring(struct annot_cpu_ring *ring, bool is_current)
{
	ring->tail = round_down(READ_ONCE(ring->shared->head), RECORD_BYTES);
	if (!is_current)
		ring->drained_at = annot_clock_ticks();
	ring->is_closing = is_current && !annot_clock_is_lost();
	grant(ring, ring->tail + (ring->is_closing ? RECORD_BYTES : 0));
}

/* @current_ring: that of the task which runs on this CPU, or NULL. */
static void close_rings_of(unsigned int cpu, const struct closing *closing,
			   const struct annot_cpu_ring *current_ring)
{
	struct annot_cpu_ring *ring;
	unsigned int i;

	for (i = 0; i < closing->nr; i++) {
		ring = READ_ONCE(closing->clients[i]->rings[cpu]);
		if (ring)
			close_ring(ring, ring == current_ring);
	}
}

static void close_rings_here(void *closing)
{
	drain_interrupted(NULL);
	close_rings_of(smp_processor_id(), closing, ring_here(current));
}

static void close_chunk(struct annot_client **clients, unsigned int nr)
{
	struct closing closing = { .clients = clients, .nr = nr };
	unsigned int cpu;

	cpus_read_lock();
	on_each_cpu(close_rings_here, &closing, true);
	local_irq_disable();
	for_each_possible_cpu(cpu) {
		if (!cpu_online(cpu))
			close_rings_of(cpu, &closing, NULL);
	}
	local_irq_enable();
	cpus_read_unlock();
}

void annot_drain_close_everywhere(void)
{
	annot_clients_visit(CLOSED_AT_ONCE, close_chunk);
}

/* No other thread is left, and for this one the rings are drained no more: nobody changes them. */
void annot_drain_give_up(void)
{
	struct annot_client *client;
	struct annot_cpu_ring *ring;
	unsigned int cpu;
	u64 nr = 0;

	if (!annot_wants_batches())
		return;
	rcu_read_lock();
	client = annot_client_find(current->signal);
	for (cpu = 0; client && cpu < nr_cpu_ids; cpu++) {
		ring = READ_ONCE(client->rings[cpu]);
		if (ring)
			nr += nr_pending(ring, READ_ONCE(ring->shared->head));
	}
	if (client) {
		count_lost(client, ANNOT_LOST_AT_EXEC, nr);
		tell_lost(client);
	}
	rcu_read_unlock();
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
