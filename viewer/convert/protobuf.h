/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Writes messages of Protocol Buffers in memory. A field of the value 0 is left out, as in proto3.
 */
#ifndef ANNOT_CONVERT_PROTOBUF_H
#define ANNOT_CONVERT_PROTOBUF_H

#include <stddef.h>
#include <stdint.h>

/* Zero-initialise; free() the bytes. */
struct protobuf {
	uint8_t *bytes;
	size_t nr;
	size_t capacity;
};

/* A varint, as of the types int64, uint64 and bool. */
void protobuf_number(struct protobuf *message, unsigned int field, uint64_t value);
/* A string, or a message. */
void protobuf_bytes(struct protobuf *message, unsigned int field, const void *bytes, size_t nr);
/* @inner as a field; empties it. */
void protobuf_message(struct protobuf *message, unsigned int field, struct protobuf *inner);
/* Repeated numbers, packed. */
void protobuf_numbers(struct protobuf *message, unsigned int field, const uint64_t *values,
		      size_t nr);

#endif /* ANNOT_CONVERT_PROTOBUF_H */
