// SPDX-License-Identifier: MIT
/*
 * The rings of the threads are parts of one range of addresses. A thread takes a part with its first
 * annotation, and gives it back when it ends. After fork() the child has the range, full of zeros.
 *
 * The number of a thread's ring is in its thread-local storage, which a child inherits. Numbers count
 * down from each process to its children. So an inherited number is too large, and the child sees
 * that it is not its own. A thread without a ring has the largest number of all.
 */
#include <errno.h>
#include <fcntl.h>
#include <stddef.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "raw_ring.h"
#include "annot/annot.h"
#include "descriptor.h"
#include "mapping.h"
#include "raw_hooks.h"
#include "raw_lock.h"
#include "raw_names.h"
#include "raw_write.h"
#include "rings.h"
#include "rseq.h"

#define NO_INDEX UINT32_MAX
#define NR_GENERATIONS (NO_INDEX / RAW_MAX_THREADS)

enum {
	RING_FREE,
	RING_PREPARED,
	RING_IN_USE,
};

_Static_assert(sizeof(struct raw_ring) <= RAW_HEADER_BYTES, "the records begin behind it");

const char *annot_raw_clock_source =
	"/sys/devices/system/clocksource/clocksource0/current_clocksource";

/* At the start of the range. */
struct head {
	struct raw_process process;
	char *rings[RAW_MAX_THREADS]; /* those that had an owner */
	atomic_uint nr_ever_used;
	atomic_uint states[RAW_MAX_THREADS];
};

/* @base: of the rings; all of it goes with fork(), and holds in the child as well. */
static _Atomic(struct head *) head;
static char *range_start;
static size_t stride_bytes;
static atomic_uint generation; /* of the rings that are installed */

/*
 * It has the same offset from the thread pointer in each thread. The C library keeps a few bytes of
 * such storage for libraries that are loaded by dlopen(): this must be small.
 */
static __thread struct {
	uint32_t index;
	bool is_refused; /* could not have a ring, and will not ask again */
} own __attribute__((tls_model("initial-exec"))) = { .index = NO_INDEX };

#ifdef ANNOT_RSEQ_CLOCK

/*
 * x86: whether the kernel, or its hypervisor, uses the TSC as its clock. Then the TSC is one clock
 * for all CPUs. arm64 and riscv64 guarantee that.
 */
static bool ticks_are_a_clock(void)
{
#if defined(__x86_64__)
	static const char *const good[] = { "tsc", "kvm-clock", "hyperv_clocksource" };
	char name[64] = "";
	size_t i;
	int fd = annot_descriptor_open_briefly(annot_raw_clock_source, O_RDONLY);

	if (fd < 0)
		return false;
	annot_descriptor_read(fd, name, sizeof(name) - 1);
	annot_descriptor_close(fd);
	for (i = 0; i < sizeof(good) / sizeof(good[0]); i++)
		if (!strncmp(name, good[i], strlen(good[i])))
			return true;
	return false;
#else
	return true;
#endif
}

int annot_raw_check(void)
{
	int error = annot_rseq_have();

	if (error)
		return error;
	if (!annot_rings_may_read_clock())
		return -ENXIO;
	if (!ticks_are_a_clock())
		return -EOPNOTSUPP;
	return annot_raw_hooks_are_set() ? 0 : -EAGAIN;
}

static int64_t index_offset(void)
{
	return (char *)&own.index - annot_thread_pointer();
}

#else

int annot_raw_check(void)
{
	return -ENOSYS;
}

static int64_t index_offset(void)
{
	return 0;
}

#endif

static size_t round_up(size_t nr_bytes, size_t to_bytes)
{
	return (nr_bytes + to_bytes - 1) / to_bytes * to_bytes;
}

/* Only what is used is memory, and counts as such; a ring becomes writable with its first owner. */
static int map_range(void)
{
	size_t page_bytes = (size_t)sysconf(_SC_PAGESIZE);
	size_t head_bytes = round_up(sizeof(struct head), page_bytes);
	size_t names_bytes = round_up(annot_raw_names_bytes(), page_bytes);
	size_t front_bytes = head_bytes + names_bytes, nr_bytes;
	char *range;

	stride_bytes = round_up(RAW_HEADER_BYTES + RAW_RING_BYTES, page_bytes);
	nr_bytes = front_bytes + RAW_MAX_THREADS * stride_bytes;
	range = mapping_make(NULL, nr_bytes, PROT_NONE,
			     MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE);
	if (range == MAP_FAILED)
		return -errno;
	if (madvise(range, nr_bytes, MADV_WIPEONFORK) ||
	    mprotect(range, front_bytes, PROT_READ | PROT_WRITE)) {
		int error = -errno;

		mapping_end(range, nr_bytes);
		return error;
	}
	range_start = range + front_bytes;
	annot_raw_names_at(range + head_bytes);
	atomic_store_explicit(&head, (struct head *)(void *)range, memory_order_release);
	return 0;
}

static uint64_t draw_key(void)
{
	uint64_t key = 0;

	if (syscall(SYS_getrandom, &key, sizeof(key), 1 /* GRND_NONBLOCK */) != sizeof(key))
		key = annot_raw_now().ticks * UINT64_C(0x9e3779b97f4a7c15) ^ (uint64_t)getpid();
	return key;
}

static uint32_t lowest_index(void)
{
	return (NR_GENERATIONS - atomic_load_explicit(&generation, memory_order_relaxed)) *
	       RAW_MAX_THREADS;
}

static struct ring_place where_they_are(void)
{
	/* by integers: it is the address of nothing */
	uintptr_t zeroth = (uintptr_t)atomic_load(&head)->rings - lowest_index() * sizeof(char *);

	return (struct ring_place){
		.rings = (char **)zeroth,
		.page_bytes = RAW_HEADER_BYTES,
		.index_offset = index_offset(),
		.nr_rings = lowest_index() + RAW_MAX_THREADS,
	};
}

int annot_raw_map(struct ring_place *place)
{
	struct raw_process *process;
	int error;

	if (!atomic_load(&head)) {
		error = map_range();
		if (error)
			return error;
	}
	if (atomic_load(&generation) == NR_GENERATIONS)
		return -ERANGE;
	atomic_fetch_add(&generation, 1);
	*place = where_they_are();
	process = &atomic_load(&head)->process;
	process->key = draw_key();
	atomic_store(&process->tgid, getpid());
	return 0;
}

struct raw_process *annot_raw_process(void)
{
	struct head *of = atomic_load_explicit(&head, memory_order_acquire);

	return of && atomic_load(&of->process.tgid) ? &of->process : NULL;
}

static struct raw_ring *ring_at(uint32_t slot)
{
	return (struct raw_ring *)(void *)(range_start + slot * stride_bytes);
}

static uint32_t slot_of(const struct raw_ring *ring)
{
	return (uint32_t)((size_t)((const char *)ring - range_start) / stride_bytes);
}

struct raw_ring *annot_raw_own_ring(void)
{
	uint32_t slot = own.index - lowest_index();

	return annot_raw_process() && slot < RAW_MAX_THREADS ? ring_at(slot) : NULL;
}

static void count_used(struct head *of, uint32_t nr)
{
	unsigned int seen = atomic_load(&of->nr_ever_used);

	while (seen < nr && !atomic_compare_exchange_weak(&of->nr_ever_used, &seen, nr))
		;
}

static struct raw_ring *take_free_ring(struct head *of)
{
	uint32_t slot;

	for (slot = 0; slot < RAW_MAX_THREADS; slot++) {
		unsigned int state = RING_FREE;

		if (atomic_load_explicit(&of->states[slot], memory_order_relaxed) == state &&
		    atomic_compare_exchange_strong(&of->states[slot], &state, RING_PREPARED)) {
			count_used(of, slot + 1);
			return ring_at(slot);
		}
	}
	return NULL;
}

static void prepare_ring(struct raw_ring *ring)
{
	ring->tid = (int32_t)syscall(SYS_gettid);
	ring->tail = 0;
	ring->since = annot_raw_now();
	ring->nr_lost = 0;
	ring->is_known = false;
	ring->shared = (struct annot_ring){
		.mask = RAW_RING_BYTES - 1,
		.due = RAW_ALWAYS_DUE,
	};
}

static struct raw_ring *attach_ring(struct head *of)
{
	struct raw_ring *ring;

	if (annot_rseq_have() || !annot_raw_hook_thread())
		return NULL;
	ring = take_free_ring(of);
	if (!ring)
		return NULL;
	if (mprotect(ring, stride_bytes, PROT_READ | PROT_WRITE) || !annot_raw_lock(ring)) {
		atomic_store(&of->states[slot_of(ring)], RING_FREE);
		return NULL;
	}
	prepare_ring(ring);
	of->rings[slot_of(ring)] = (char *)ring;
	atomic_store(&of->states[slot_of(ring)], RING_IN_USE);
	annot_raw_unlock(ring);
	return ring;
}

struct raw_ring *annot_raw_attach(void)
{
	struct raw_ring *ring;

	if (own.is_refused)
		return NULL;
	ring = attach_ring(atomic_load(&head));
	own.is_refused = !ring;
	if (ring)
		own.index = lowest_index() + slot_of(ring);
	return ring;
}

void annot_raw_detach(struct raw_ring *ring)
{
	own.index = NO_INDEX;
	atomic_store(&atomic_load(&head)->states[slot_of(ring)], RING_FREE);
	annot_raw_unlock(ring);
}

bool annot_raw_is_in_use(const struct raw_ring *ring)
{
	return atomic_load(&atomic_load(&head)->states[slot_of(ring)]) == RING_IN_USE;
}

struct raw_ring *annot_raw_next_ring(uint32_t *at)
{
	struct head *of = atomic_load(&head);

	while (*at < atomic_load_explicit(&of->nr_ever_used, memory_order_relaxed)) {
		uint32_t slot = (*at)++;

		if (atomic_load_explicit(&of->states[slot], memory_order_acquire) == RING_IN_USE)
			return ring_at(slot);
	}
	return NULL;
}
