// SPDX-License-Identifier: MIT
#include "gomp_share.h"

#include <time.h>

/* Of the calls for chunks, the one in the middle of so many is timed: the first ones find cold caches. */
#define CALLS_PER_TIMED 16u

__thread struct gomp_thread gomp_thread;

/* What it takes to read the clock twice. */
static uint64_t clock_ns;

static uint64_t now_ns(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (uint64_t)now.tv_sec * 1000000000 + (uint64_t)now.tv_nsec;
}

__attribute__((constructor)) static void measure_clock(void)
{
	uint64_t ns;

	clock_ns = UINT64_MAX;
	for (int i = 0; i < 16; i++) {
		ns = now_ns();
		ns = now_ns() - ns;
		if (ns < clock_ns)
			clock_ns = ns;
	}
}

void gomp_share_begin(enum gomp_share share, struct place *place, int64_t value)
{
	gomp_share_end();
	gomp_thread.share = share;
	gomp_thread.nr_chunks = 0;
	gomp_thread.nr_calls = 0;
	gomp_thread.timed_ns = 0;
	attach_work_begin_value(place, value);
}

static void mark_chunks(const struct gomp_thread *thread)
{
	static struct place *chunks, *dispatch;
	uint32_t nr_timed = (thread->nr_calls + CALLS_PER_TIMED / 2) / CALLS_PER_TIMED;

	attach_mark_value(place_of_literal(&chunks, "@chunks"), thread->nr_chunks);
	if (nr_timed)
		attach_mark_value(place_of_literal(&dispatch, "@dispatch_ns"),
				  (int64_t)(thread->timed_ns * thread->nr_calls / nr_timed));
}

void gomp_share_close(void)
{
	if (gomp_thread.share == GOMP_SHARE_CHUNKS)
		mark_chunks(&gomp_thread);
	gomp_thread.share = GOMP_SHARE_NONE;
	attach_work_end();
}

uint64_t gomp_chunk_begin(void)
{
	return ++gomp_thread.nr_calls % CALLS_PER_TIMED == CALLS_PER_TIMED / 2 ? now_ns() : 0;
}

void gomp_chunk_end(uint64_t begin_ns, bool has_chunk)
{
	uint64_t ns;

	gomp_thread.nr_chunks += has_chunk;
	if (!begin_ns)
		return;
	ns = now_ns() - begin_ns;
	gomp_thread.timed_ns += ns > clock_ns ? ns - clock_ns : 0;
}
