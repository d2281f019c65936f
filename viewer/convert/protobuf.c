// SPDX-License-Identifier: GPL-2.0
#include "convert/protobuf.h"

#include <stdlib.h>

#include "util/xalloc.h"

#define WIRE_VARINT 0u
#define WIRE_BYTES 2u

static void put_byte(struct protobuf *message, uint8_t byte)
{
	ARRAY_MAKE_ROOM(message->bytes, message->nr, message->capacity);
	message->bytes[message->nr++] = byte;
}

static void put_varint(struct protobuf *message, uint64_t value)
{
	for (; value >= 0x80; value >>= 7)
		put_byte(message, (uint8_t)(value | 0x80));
	put_byte(message, (uint8_t)value);
}

void protobuf_number(struct protobuf *message, unsigned int field, uint64_t value)
{
	if (!value)
		return;
	put_varint(message, field << 3 | WIRE_VARINT);
	put_varint(message, value);
}

void protobuf_bytes(struct protobuf *message, unsigned int field, const void *bytes, size_t nr)
{
	put_varint(message, field << 3 | WIRE_BYTES);
	put_varint(message, nr);
	for (size_t i = 0; i < nr; i++)
		put_byte(message, ((const uint8_t *)bytes)[i]);
}

void protobuf_message(struct protobuf *message, unsigned int field, struct protobuf *inner)
{
	protobuf_bytes(message, field, inner->bytes, inner->nr);
	inner->nr = 0;
}

void protobuf_numbers(struct protobuf *message, unsigned int field, const uint64_t *values,
		      size_t nr)
{
	struct protobuf packed = { 0 };

	for (size_t i = 0; i < nr; i++)
		put_varint(&packed, values[i]);
	protobuf_message(message, field, &packed);
	free(packed.bytes);
}
