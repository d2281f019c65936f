// SPDX-License-Identifier: MIT
/* The lock of a ring. Signals are blocked before it is taken. */
#include <linux/futex.h>
#include <stdint.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "raw_lock.h"
#include "raw_ring.h"

#define LOCK_WAITS 1000
#define LOCK_WAIT_NS 1000000

enum {
	LOCK_FREE,
	LOCK_TAKEN,
	LOCK_WANTED, /* taken, and a thread waits */
};

/* Its address is another one in each thread. */
static __thread char here __attribute__((tls_model("initial-exec")));

static void set_holder(struct raw_ring *ring, const void *thread)
{
	__atomic_store_n(&ring->holder, thread, __ATOMIC_RELAXED);
}

bool annot_raw_try_lock(struct raw_ring *ring)
{
	uint32_t expected = LOCK_FREE;

	if (!__atomic_compare_exchange_n(&ring->lock, &expected, LOCK_TAKEN, false,
					 __ATOMIC_ACQUIRE, __ATOMIC_RELAXED))
		return false;
	set_holder(ring, &here);
	return true;
}

static bool wait_for_lock(struct raw_ring *ring)
{
	static const struct timespec a_moment = { 0, LOCK_WAIT_NS };
	int i;

	for (i = 0; i < LOCK_WAITS; i++) {
		if (__atomic_exchange_n(&ring->lock, LOCK_WANTED, __ATOMIC_ACQUIRE) == LOCK_FREE)
			return true;
		syscall(SYS_futex, &ring->lock, FUTEX_WAIT_PRIVATE, LOCK_WANTED, &a_moment, NULL,
			0);
	}
	return false;
}

/*
 * The lock is nearly always free. If not, its holder waits for a CPU, and this thread waits for it.
 * Returns false if that took too long, or if the caller is a signal handler that interrupted the holder.
 */
bool annot_raw_lock(struct raw_ring *ring)
{
	if (annot_raw_try_lock(ring))
		return true;
	if (__atomic_load_n(&ring->holder, __ATOMIC_RELAXED) == &here || !wait_for_lock(ring))
		return false;
	set_holder(ring, &here);
	return true;
}

void annot_raw_unlock(struct raw_ring *ring)
{
	set_holder(ring, NULL);
	if (__atomic_exchange_n(&ring->lock, LOCK_FREE, __ATOMIC_RELEASE) == LOCK_WANTED)
		syscall(SYS_futex, &ring->lock, FUTEX_WAKE_PRIVATE, 1, NULL, NULL, 0);
}
