/* SPDX-License-Identifier: MIT */
/*
 * The records that libannot writes to ftrace's trace_marker_raw: annotations of a program that runs
 * without the module, a batch per event. In the trace, each is an event "raw_data" of the system
 * "ftrace". Its field id is the first word of the head below. Its common_pid is the thread that wrote
 * it: the kernel sets it. The program wrote everything else, and it may be wrong.
 *
 * Numbers have the byte order of the machine, which is that of the trace.
 *
 * How this may grow: a reader skips ids that it does not know. It counts a record with ANNOT_RAW_ID
 * and an unknown version or kind as damaged. ANNOT_RAW_VERSION changes if an old reader would
 * misunderstand a change. New kinds get new numbers. New fields only take the place of reserved ones,
 * which are 0.
 */
#ifndef ANNOT_TRACE_RAW_H
#define ANNOT_TRACE_RAW_H

#include <stdint.h>

#define ANNOT_RAW_ID 0x746f6e61u /* "anot" on a little-endian machine */
#define ANNOT_RAW_VERSION 1

#define ANNOT_RAW_BATCH 0
#define ANNOT_RAW_NAMES 1
#define ANNOT_RAW_PADDING 2 /* any bytes: tells the writer how large an event may be */

/*
 * The most bytes of one event. Kernels from 6.8 on take longer events whole. Older kernels keep the
 * first 1024 bytes, according to their source.
 */
#define ANNOT_RAW_MAX_BYTES 3072
#define ANNOT_RAW_SAFE_BYTES 1024

/*
 * @id:		ANNOT_RAW_ID
 * @nr:		of records or names
 * @process:	a random number of the writing process, which no other process knows. Names belong to
 *		it.
 */
struct annot_raw_head {
	uint32_t id;
	uint8_t version;
	uint8_t kind;
	uint16_t nr;
	uint64_t process;
};

/*
 * One annotation: the first words of struct annot_record, as they were in the thread's ring.
 *
 * @ticks:	its time, on a clock that the pairs of the batch relate to CLOCK_MONOTONIC
 * @name:	number of a name that the process has written; 0 for ANNOT_OP_END
 */
struct annot_raw_record {
	uint64_t ticks;
	int64_t value;
	uint32_t name;
	uint8_t op;
	uint8_t flags;
	uint16_t reserved;
};

/* One time on both clocks; ns: CLOCK_MONOTONIC. */
struct annot_raw_moment {
	uint64_t ticks;
	uint64_t ns;
};

/*
 * Annotations of one thread, in order. A batch without annotations only announces the thread.
 *
 * @tgid:	the process, @tid: the thread that annotated, @writer: the thread that wrote the event.
 *		All have the numbers that the process sees: in a PID namespace, these are not those of
 *		the trace. @writer is the thread of common_pid; with @writer 0, its number is also the
 *		same. If @tid differs, @writer wrote for it. Readers believe this only if thread @tid
 *		has itself written as this process: that batch relates its number to the trace's.
 * @nr_lost:	annotations of the thread that were dropped since its last batch
 * @since:	a time before all of the records
 * @until:	the time when the batch was written. The age of a record is interpolated between the
 *		two: the rates of the clocks need not be known, and the error is only the time between
 *		the two readings of a pair.
 */
struct annot_raw_batch {
	struct annot_raw_head head;
	int32_t tgid;
	int32_t tid;
	uint32_t nr_lost;
	int32_t writer;
	struct annot_raw_moment since;
	struct annot_raw_moment until;
	struct annot_raw_record records[];
};

/*
 * Returns the time from @ticks to @until_ticks in nanoseconds, rounded to the nearest. @until_ticks is
 * @length_ns after @since_ticks. Writer and readers use this function. So if a batch continues from the
 * last record of another, that record has the same time in both.
 */
static inline uint64_t annot_raw_age_ns(uint64_t since_ticks, uint64_t until_ticks,
					uint64_t length_ns, uint64_t ticks)
{
	double part;

	if (ticks == until_ticks)
		return 0;
	part = (double)(until_ticks - ticks) / (double)(until_ticks - since_ticks);
	return (uint64_t)(part * (double)length_ns + 0.5);
}

/*
 * ANNOT_RAW_NAMES has head.nr of these, packed, each followed by its text without a NUL. They are
 * written before they are used, and again from time to time.
 */
struct annot_raw_name {
	uint32_t number;
	uint8_t nr_bytes;
	char text[];
} __attribute__((packed));

#endif /* ANNOT_TRACE_RAW_H */
