// SPDX-License-Identifier: MIT
/*
 * Annotations in batches without the module: when they are gathered, and when they are written.
 *
 * A thread writes out its ring when the ring is full, and with the first annotation after
 * RAW_MAX_AGE_NS. A thread that sleeps cannot do that. So a thread that writes out its own ring then
 * also writes out the rings of other threads that are overdue.
 */
#include <errno.h>
#include <stdatomic.h>
#include <sys/mman.h>
#include <unistd.h>

#include "raw.h"
#include "annot/annot.h"
#include "marker.h"
#include "raw_hooks.h"
#include "raw_lock.h"
#include "raw_names.h"
#include "raw_ring.h"
#include "raw_write.h"
#include "rings.h"
#include "signals.h"
#include "status.h"
#include "trace/annot_raw.h"

/* annot_rings.progress, which is 0 again in the child of a fork */
enum {
	UNTRIED,
	BEING_MAPPED,
	REFUSED,
	READY
};

/* This thread's destructors are running: there may be no later occasion to write. */
static __thread bool thread_is_ending __attribute__((tls_model("initial-exec")));

static void set_due(struct raw_ring *ring, uint64_t due)
{
	__atomic_store_n(&ring->shared.due, due, __ATOMIC_RELAXED);
}

static bool is_due(const struct raw_ring *ring, uint64_t ticks)
{
	uint64_t due = __atomic_load_n(&ring->shared.due, __ATOMIC_RELAXED);

	return __builtin_add_overflow(due, ticks, &due);
}

/* At the rate that the two clocks have shown since the program started. */
static uint64_t due_after(const struct annot_raw_moment *now)
{
	struct annot_raw_moment start = annot_raw_start();
	double rate = (double)(now->ticks - start.ticks) / (double)(now->ns - start.ns + 1);

	/* Neither clock is so fast or slow; one of them was set back in a machine that slept. */
	if (rate < 0.001 || rate > 10)
		rate = 1;
	return -(now->ticks + (uint64_t)(rate * RAW_MAX_AGE_NS));
}

static bool is_written_at_once(const struct raw_process *process)
{
	return thread_is_ending || atomic_load_explicit(&process->is_ending, memory_order_relaxed);
}

/* Does not take the lock, so the result may be out of date. */
static bool is_left_behind(const struct raw_ring *ring, uint64_t ticks)
{
	return is_due(ring, ticks) && __atomic_load_n(&ring->shared.head, __ATOMIC_RELAXED) !=
					      __atomic_load_n(&ring->tail, __ATOMIC_RELAXED);
}

/* Writes out the overdue rings of other threads. */
static void write_overdue(struct raw_process *process, const struct raw_ring *own)
{
	struct annot_raw_moment now = own->since;
	uint64_t due_ns = atomic_load_explicit(&process->next_sweep_ns, memory_order_relaxed);
	struct raw_ring *ring;
	uint32_t at = 0;

	if (now.ns < due_ns || !atomic_compare_exchange_strong(&process->next_sweep_ns, &due_ns,
							       now.ns + RAW_MAX_AGE_NS))
		return;
	while ((ring = annot_raw_next_ring(&at))) {
		if (ring == own || !is_left_behind(ring, now.ticks) || !annot_raw_try_lock(ring))
			continue;
		if (annot_raw_is_in_use(ring) && ring->is_known)
			annot_raw_write_out(process, ring);
		annot_raw_unlock(ring);
	}
}

static int empty_own_ring(void)
{
	struct raw_process *process = annot_raw_process();
	struct raw_ring *ring = annot_raw_own_ring();

	if (process && !ring)
		ring = annot_raw_attach();
	if (!ring)
		return -EAGAIN;
	if (!annot_raw_lock(ring))
		return -EBUSY;
	annot_raw_write_out(process, ring);
	set_due(ring, is_written_at_once(process) ? RAW_NEVER_DUE : due_after(&ring->since));
	annot_raw_unlock(ring);
	write_overdue(process, ring);
	return 0;
}

static int drain_ring(void)
{
	uint64_t signals = annot_signals_block();
	int error = empty_own_ring();

	annot_signals_restore(signals);
	return error;
}

/* Nothing records: empties the ring. From now on each annotation checks for a recording. */
static void pause_ring(struct raw_process *process, struct raw_ring *ring)
{
	if (!ring || !annot_raw_lock(ring))
		return;
	annot_raw_discard(process, ring);
	set_due(ring, RAW_ALWAYS_DUE);
	/* The next recording knows neither the thread nor the names. */
	ring->is_known = false;
	atomic_store(&process->next_names_ns, 0);
	annot_raw_unlock(ring);
}

static void pause_recording(void)
{
	const struct raw_ring *ring = annot_raw_own_ring();
	uint64_t signals;

	if (!ring || (ring->shared.due == RAW_ALWAYS_DUE && !ring->is_known))
		return;
	signals = annot_signals_block();
	pause_ring(annot_raw_process(), annot_raw_own_ring());
	annot_signals_restore(signals);
}

static bool is_wanted(void)
{
	if (annot_marker_recording())
		return true;
	pause_recording();
	return false;
}

static void empty_ring(struct raw_process *process, struct raw_ring *ring)
{
	if (annot_marker_recording())
		annot_raw_write_out(process, ring);
	else
		annot_raw_discard(process, ring);
}

/* Writes out what the thread has; false: it could not. */
static bool flush_own(bool detach)
{
	struct raw_ring *ring = annot_raw_own_ring();

	if (!ring)
		return true;
	if (!annot_raw_lock(ring))
		return false;
	empty_ring(annot_raw_process(), ring);
	set_due(ring, RAW_ALWAYS_DUE);
	if (detach)
		annot_raw_detach(ring);
	else
		annot_raw_unlock(ring);
	return true;
}

static bool flush_thread(bool detach)
{
	uint64_t signals;
	bool flushed;

	if (!annot_raw_process())
		return true;
	signals = annot_signals_block();
	flushed = flush_own(detach);
	annot_signals_restore(signals);
	return flushed;
}

static void after_store(void)
{
	struct raw_process *process = annot_raw_process();

	if (process && is_written_at_once(process))
		flush_thread(thread_is_ending);
}

static const struct ring_source source = {
	.is_wanted = is_wanted,
	.name = annot_raw_name,
	.drain = drain_ring,
	.after_store = after_store,
};

static int map_rings(void)
{
	struct ring_place place;
	int error = annot_raw_map(&place);

	return error ? error : annot_rings_install(&source, &place);
}

/* 0: there are rings now; or -errno. */
static int make_rings(void)
{
	uint32_t progress = UNTRIED;
	int error;

	/* first of all: what a child inherits of this page would be wrong */
	if (madvise(&annot_rings, sizeof(annot_rings), MADV_WIPEONFORK))
		return -errno;
	if (!__atomic_compare_exchange_n(&annot_rings.progress, &progress, BEING_MAPPED, false,
					 __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE))
		return -EBUSY;
	error = map_rings();
	__atomic_store_n(&annot_rings.progress, error ? REFUSED : READY, __ATOMIC_RELEASE);
	if (error)
		annot_status_report_no_batches(error);
	return error;
}

/*
 * Makes the rings. Returns true if there were none before. Only one thread makes them. It blocks
 * signals, because a handler may leave by longjmp() and would leave them half made.
 */
static bool made_rings(void)
{
	uint64_t signals;
	int error;

	if (__atomic_load_n(&annot_rings.progress, __ATOMIC_ACQUIRE) != UNTRIED)
		return false;
	signals = annot_signals_block();
	error = make_rings();
	annot_signals_restore(signals);
	return !error;
}

/* An annotation is lost rather than written out of order. */
static void count_lost(void)
{
	struct raw_ring *ring = annot_raw_own_ring();

	if (ring)
		atomic_fetch_add(&ring->nr_lost, 1);
}

/* After annot_rings_emit() has not taken it. False: it is to be written as text. */
bool annot_raw_emit(struct annot_site *site, unsigned int op, const char *name, int64_t value)
{
	if (!annot_marker_recording())
		return true;
	if (made_rings() && annot_rings_emit(site, op, name, value))
		return true;
	/* The text must come after the records in the ring. */
	if (flush_thread(false))
		return false;
	count_lost();
	return true;
}

int annot_raw_open(const char *directory)
{
	int error = annot_raw_check();

	return error ? error : annot_marker_open_raw(directory);
}

void annot_raw_end_thread(void)
{
	int saved_errno = errno;

	thread_is_ending = true;
	flush_thread(true);
	errno = saved_errno;
}

/* Those of all threads, for they will not get to it. */
static void flush_process(bool is_ending)
{
	struct raw_process *process = annot_raw_process();
	const struct raw_ring *own = annot_raw_own_ring();
	struct raw_ring *ring;
	uint32_t at = 0;

	/* A child of vfork() is in its parent's memory: the records are not its own. */
	if (!process || process->tgid != getpid())
		return;
	if (is_ending)
		atomic_store(&process->is_ending, true);
	while ((ring = annot_raw_next_ring(&at))) {
		if (!annot_raw_lock(ring))
			continue;
		if (annot_raw_is_in_use(ring) && (ring == own || ring->is_known))
			empty_ring(process, ring);
		if (is_ending)
			set_due(ring, RAW_ALWAYS_DUE);
		annot_raw_unlock(ring);
	}
}

static void flush_rings(bool is_ending)
{
	uint64_t signals;

	if (!annot_raw_process())
		return;
	signals = annot_signals_block();
	flush_process(is_ending);
	annot_signals_restore(signals);
}

void annot_raw_end_process(void)
{
	int saved_errno = errno;

	flush_rings(true);
	errno = saved_errno;
}

void annot_flush(void)
{
	int saved_errno = errno;

	flush_rings(false);
	errno = saved_errno;
}
