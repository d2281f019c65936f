// SPDX-License-Identifier: MIT
/*
 * From a ring into the trace: include/trace/annot_raw.h is the format.
 */
#include <errno.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "raw_write.h"
#include "descriptor.h"
#include "marker.h"
#include "raw_names.h"
#include "raw_ring.h"
#include "uapi/annot.h"

/* To read both clocks takes about the same time each time, unless the thread is interrupted. */
#define MAX_READINGS 3
#define MUCH_LONGER 4

static uint64_t read_ticks(void)
{
#if defined(__x86_64__)
	return __builtin_ia32_rdtsc();
#elif defined(__aarch64__)
	uint64_t ticks;

	__asm__ __volatile__("mrs %0, cntvct_el0" : "=r"(ticks));
	return ticks;
#elif defined(__riscv) && __riscv_xlen == 64
	uint64_t ticks;

	__asm__ __volatile__("rdtime %0" : "=r"(ticks));
	return ticks;
#else
	return 0;
#endif
}

/* @took: ticks; the less, the closer together were the two. */
static struct annot_raw_moment read_both(uint64_t *took)
{
	uint64_t before = read_ticks();
	struct timespec time;

	clock_gettime(CLOCK_MONOTONIC, &time);
	*took = read_ticks() - before;
	return (struct annot_raw_moment){
		.ticks = before + *took / 2,
		.ns = (uint64_t)time.tv_sec * 1000000000 + (uint64_t)time.tv_nsec,
	};
}

struct annot_raw_moment annot_raw_now(void)
{
	static _Atomic(uint64_t) shortest;
	uint64_t usual = atomic_load_explicit(&shortest, memory_order_relaxed);
	struct annot_raw_moment now = { 0 };
	uint64_t took, least = UINT64_MAX;
	int i;

	for (i = 0; i < MAX_READINGS; i++) {
		struct annot_raw_moment reading = read_both(&took);

		if (took < least) {
			least = took;
			now = reading;
		}
		if (usual && least <= usual * MUCH_LONGER)
			break;
	}
	if (!usual || least < usual)
		atomic_store_explicit(&shortest, least, memory_order_relaxed);
	return now;
}

/* When @ticks were, on the line from one moment to the other. */
static struct annot_raw_moment in_between(const struct annot_raw_batch *batch, uint64_t ticks)
{
	uint64_t age_ns = annot_raw_age_ns(batch->since.ticks, batch->until.ticks,
					   batch->until.ns - batch->since.ns, ticks);

	return (struct annot_raw_moment){ .ticks = ticks, .ns = batch->until.ns - age_ns };
}

/* In one event. */
static size_t max_records(const struct raw_process *process)
{
	size_t known = atomic_load_explicit(&process->max_event_bytes, memory_order_relaxed);
	size_t max_bytes = known ? known : ANNOT_RAW_SAFE_BYTES;

	return (max_bytes - sizeof(struct annot_raw_batch)) / sizeof(struct annot_raw_record);
}

static void put_head(const struct raw_process *process, struct annot_raw_head *at, uint8_t kind,
		     size_t nr)
{
	*at = (struct annot_raw_head){ .id = ANNOT_RAW_ID,
				       .version = ANNOT_RAW_VERSION,
				       .kind = kind,
				       .nr = (uint16_t)nr,
				       .process = process->key };
}

/* Writes a padding event to find out how much of it the kernel takes. */
static void learn_max_event_bytes(struct raw_process *process, int fd, void *event)
{
	int written;

	if (atomic_load(&process->max_event_bytes))
		return;
	put_head(process, event, ANNOT_RAW_PADDING, 0);
	written = annot_descriptor_write(fd, event, ANNOT_RAW_MAX_BYTES);
	if (written == -EINVAL || (written > 0 && written < ANNOT_RAW_SAFE_BYTES))
		written = ANNOT_RAW_SAFE_BYTES;
	if (written > 0)
		atomic_store(&process->max_event_bytes, (uint32_t)written);
}

static void put_records(struct annot_raw_record *to, const struct raw_ring *ring, size_t nr)
{
	const char *records = (const char *)ring + RAW_HEADER_BYTES;
	size_t i;

	for (i = 0; i < nr; i++) {
		uint64_t at = ring->tail + i * sizeof(struct annot_record);
		const struct annot_record *from =
			(const void *)(records + (at & (RAW_RING_BYTES - 1)));

		to[i] = (struct annot_raw_record){ .ticks = from->ticks,
						   .value = from->value,
						   .name = from->name,
						   .op = from->op,
						   .flags = from->flags };
	}
}

static int32_t own_tid(void)
{
	const struct raw_ring *own = annot_raw_own_ring();

	return own ? own->tid : (int32_t)syscall(SYS_gettid);
}

/* Records from the ring's tail on. 0, or -errno. */
static int write_batch(const struct raw_process *process, struct raw_ring *ring, int fd, size_t nr)
{
	struct annot_raw_batch *batch = (void *)ring->event;
	size_t nr_bytes = sizeof(*batch) + nr * sizeof(batch->records[0]);
	uint32_t nr_lost = atomic_load_explicit(&ring->nr_lost, memory_order_relaxed);
	int written;

	put_head(process, &batch->head, ANNOT_RAW_BATCH, nr);
	put_records(batch->records, ring, nr);
	batch->tgid = process->tgid;
	batch->tid = ring->tid;
	batch->nr_lost = nr_lost;
	batch->writer = own_tid();
	batch->since = ring->since;
	batch->until = annot_raw_now();
	written = annot_descriptor_write(fd, (const char *)batch, nr_bytes);
	if (written != (int)nr_bytes)
		return written < 0 ? written : -EIO;
	atomic_fetch_sub_explicit(&ring->nr_lost, nr_lost, memory_order_relaxed);
	/*
	 * The next batch begins where this one ends. Each batch has a line of its own from ticks to
	 * time. The lines differ a little, and two records may be closer than that.
	 */
	if (nr)
		ring->since = in_between(batch, batch->records[nr - 1].ticks);
	return 0;
}

/*
 * Called when @nr records have been read: the thread may write over them. The ring is full when its
 * records fill whole events. The limit never goes down, because the thread may have used all of it.
 */
static void take_off(const struct raw_process *process, struct raw_ring *ring, size_t nr)
{
	size_t whole_events = RAW_RING_RECORDS / max_records(process) * max_records(process);
	uint64_t limit;

	ring->tail += nr * sizeof(struct annot_record);
	limit = ring->tail + whole_events * sizeof(struct annot_record);
	if (limit > ring->shared.limit)
		__atomic_store_n(&ring->shared.limit, limit, __ATOMIC_RELEASE);
}

/* How many of @nr are left that could not be written. */
static size_t write_batches(struct raw_process *process, struct raw_ring *ring, int fd, size_t nr)
{
	size_t max_nr = max_records(process);

	while (nr) {
		size_t nr_now = nr < max_nr ? nr : max_nr;
		int error = write_batch(process, ring, fd, nr_now);

		/* Records made while tracing is off are not counted as lost. */
		if (error && error != -EBADF)
			atomic_fetch_add_explicit(&ring->nr_lost, (uint32_t)nr,
						  memory_order_relaxed);
		if (error)
			break;
		take_off(process, ring, nr_now);
		nr -= nr_now;
	}
	return nr;
}

static size_t nr_pending(const struct raw_ring *ring)
{
	uint64_t head = __atomic_load_n(&ring->shared.head, __ATOMIC_ACQUIRE);

	return (head - ring->tail) / sizeof(struct annot_record);
}

void annot_raw_discard(const struct raw_process *process, struct raw_ring *ring)
{
	take_off(process, ring, nr_pending(ring));
}

void annot_raw_write_out(struct raw_process *process, struct raw_ring *ring)
{
	struct annot_raw_moment now = annot_raw_now(); /* the records from here on are later */
	size_t nr = nr_pending(ring);
	int fd = nr || !ring->is_known ? annot_marker_raw() : -1;

	if (fd >= 0) {
		learn_max_event_bytes(process, fd, ring->event);
		annot_raw_write_names(process, fd, now.ns, ring->event);
		if (!ring->is_known)
			ring->is_known = !write_batch(process, ring, fd, 0);
		nr = write_batches(process, ring, fd, nr);
	}
	take_off(process, ring, nr); /* and no more: its thread may be storing the next ones */
	ring->since = now;
}
