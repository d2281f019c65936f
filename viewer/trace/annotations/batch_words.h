/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The words of an annot_batch event: three for each annotation. The module's ABI describes their
 * contents (ANNOT_OP_*, ANNOT_RECORD_*) and the reasons for losses (ANNOT_LOST_*). A record of
 * trace_marker_raw has the same length and converts to the same struct.
 */
#ifndef ANNOT_TRACE_ANNOTATIONS_BATCH_WORDS_H
#define ANNOT_TRACE_ANNOTATIONS_BATCH_WORDS_H

#include <stdint.h>

#include <uapi/annot.h>

#define BATCH_RECORD_BYTES 24u

struct batch_record {
	uint64_t ago_ns;
	int64_t value;
	uint32_t name;
	uint8_t flags;
	uint32_t op; /* ANNOT_OP_*, and the reserved bits above it, which are 0 */
};

/* @ago, @value, @what: in the host's byte order. */
static inline struct batch_record batch_record_of(uint64_t ago, uint64_t value, uint64_t what)
{
	return (struct batch_record){
		.ago_ns = ago,
		.value = (int64_t)value,
		.name = (uint32_t)(what >> 32),
		.flags = (uint8_t)what,
		.op = (uint32_t)what >> 8,
	};
}

#endif /* ANNOT_TRACE_ANNOTATIONS_BATCH_WORDS_H */
