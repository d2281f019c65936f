/* SPDX-License-Identifier: MIT */
/*
 * What a thread does in a team, in this front's own words: its share of a loop, of sections or of a single; and
 * what it must remember of that. It may be in one at a time: another begins only in a region inside.
 */
#ifndef LIBANNOT_ATTACH_GOMP_SHARE_H
#define LIBANNOT_ATTACH_GOMP_SHARE_H

#include <stdbool.h>
#include <stdint.h>

#include "../sink.h"

enum gomp_share {
	GOMP_SHARE_NONE,
	GOMP_SHARE_CHUNKS, /* a loop, got in chunks that are counted */
	GOMP_SHARE_WHOLE, /* sections, or a loop that the thread shares out itself */
	GOMP_SHARE_SINGLE, /* until what comes next: its end is no call */
};

/*
 * @share:	the innermost span is of this, if it is of any
 * @nr_chunks:	that the thread got
 * @nr_calls:	for a further chunk
 * @timed_ns:	what those of them took that were timed
 * @criticals:	a bit for each critical section that the thread is in, the innermost lowest: 1: it is told
 * @started:	the innermost region of GOMP_parallel_start()
 */
struct gomp_thread {
	enum gomp_share share;
	uint32_t nr_chunks;
	uint32_t nr_calls;
	uint64_t timed_ns;
	uint64_t criticals;
	struct gomp_region *started;
};

extern __thread struct gomp_thread gomp_thread __attribute__((tls_model("initial-exec")));

/* One that is open still ends. */
void gomp_share_begin(enum gomp_share share, struct place *place, int64_t value);

/* The end of a share, and of those that have no other. */
void gomp_share_close(void);

static inline void gomp_share_end(void)
{
	if (gomp_thread.share != GOMP_SHARE_NONE)
		gomp_share_close();
}

/* Of the calls for a further chunk, one in 16 is timed. 0: this one is not. */
uint64_t gomp_chunk_begin(void);
void gomp_chunk_end(uint64_t begin_ns, bool has_chunk);

#endif /* LIBANNOT_ATTACH_GOMP_SHARE_H */
