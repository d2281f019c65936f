/* SPDX-License-Identifier: MIT */
/*
 * What libannot writes to ftrace's trace_marker_raw: annotations of a program that runs without the
 * module, a batch in one event. In the trace each is an event "raw_data" of the system "ftrace",
 * whose field id is the first word of the head below, and whose common_pid is, on the kernel's
 * word, the thread that wrote it. All else is the program's word.
 *
 * Numbers stand in the byte order of the machine, which is the trace's.
 *
 * How this may grow: a reader passes over ids that it does not know, and counts as damaged what
 * bears ANNOT_RAW_ID and a version or kind that it does not know. ANNOT_RAW_VERSION changes with
 * whatever an old reader would misunderstand; new kinds get new numbers; fields only come to stand
 * in what is reserved, which is 0.
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
 * The most that one event may take here. Kernels from 6.8 on take whole ones; older ones keep, or
 * so their source says, the first 1024 bytes of what is longer.
 */
#define ANNOT_RAW_MAX_BYTES 3072
#define ANNOT_RAW_SAFE_BYTES 1024

/*
 * @id:		ANNOT_RAW_ID
 * @nr:		of records or names
 * @process:	a number that only the writing process knows, drawn by chance. Names belong to it.
 */
struct annot_raw_head {
	uint32_t id;
	uint8_t version;
	uint8_t kind;
	uint16_t nr;
	uint64_t process;
};

/*
 * One annotation: the first words of struct annot_record, as they stood in the thread's ring.
 *
 * @ticks:	when, on a clock that the pairs of the batch tie to CLOCK_MONOTONIC
 * @name:	of those that the process has told; 0 for ANNOT_OP_END
 */
struct annot_raw_record {
	uint64_t ticks;
	int64_t value;
	uint32_t name;
	uint8_t op;
	uint8_t flags;
	uint16_t reserved;
};

/* One moment on both clocks; ns: CLOCK_MONOTONIC. */
struct annot_raw_moment {
	uint64_t ticks;
	uint64_t ns;
};

/*
 * Annotations of one thread, in order. None at all: the thread only says that it is there.
 *
 * @tgid:	the process, @tid: the thread whose they are, @writer: the thread that wrote the event,
 *		all as the process calls them: in a PID namespace of its own, not as the trace does.
 *		@writer is common_pid, on the kernel's word, and with @writer 0 by its number, too.
 *		Where @tid is another, @writer wrote for it; to be believed if that thread has
 *		itself written as this process, and so told which thread of the trace it is.
 * @nr_lost:	annotations of the thread since its last batch that could not be kept
 * @since:	before all of the records
 * @until:	when the batch was written. In between, the age of a record is interpolated: neither
 *		clock's rate need be known, and what is wrong is only what the two were read apart.
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
 * How long before @until_ticks, which were @length_ns after @since_ticks, @ticks were: to the nearest
 * nanosecond. Writer and readers take this one, so that where a batch goes on from the last record
 * of another, that record has one time in both.
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
 * Of ANNOT_RAW_NAMES: head.nr of these, packed, each followed by its text without a NUL. Told
 * before they are used, and again from time to time.
 */
struct annot_raw_name {
	uint32_t number;
	uint8_t nr_bytes;
	char text[];
} __attribute__((packed));

#endif /* ANNOT_TRACE_RAW_H */
