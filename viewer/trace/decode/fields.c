// SPDX-License-Identifier: GPL-2.0
#include "trace/decode/fields.h"

uint64_t field_get_any_unsigned(const struct decoder *decoder, const struct field_position *field,
				const struct raw_record *record)
{
	const uint8_t *bytes = record->data + field->offset;

	switch (field->size) {
	case 1:
		return *bytes;
	case 2:
		return load_u16(bytes, decoder->swap);
	case 4:
		return load_u32(bytes, decoder->swap);
	case 8:
		return load_u64(bytes, decoder->swap);
	default:
		return 0;
	}
}

const char *field_get_bytes(const struct decoder *decoder, const struct field_position *field,
			    const struct raw_record *record, size_t *bytes)
{
	uint32_t where, offset;

	if (field->location == FIELD_IN_PLACE) {
		*bytes = field->size ? field->size : record->size - field->offset;
		return (const char *)record->data + field->offset;
	}
	where = load_u32(record->data + field->offset, decoder->swap);
	*bytes = where >> 16;
	offset = where & 0xffff;
	if (field->location == FIELD_REL_LOC)
		offset += field->offset + 4u;
	if (offset > record->size || *bytes > record->size - offset) {
		*bytes = 0;
		return "";
	}
	return (const char *)record->data + offset;
}

int field_get_words(struct decoder *decoder, const struct field_position *field,
		    const struct raw_record *record)
{
	size_t bytes;
	const char *at = field_get_bytes(decoder, field, record, &bytes);
	uint32_t told = field->location == FIELD_IN_PLACE ?
				(uint32_t)bytes :
				load_u32(record->data + field->offset, decoder->swap) >> 16;

	if (bytes != told || bytes % 8 || bytes > sizeof(decoder->words))
		return -1;
	for (size_t i = 0; i < bytes / 8; i++)
		decoder->words[i] = load_u64((const uint8_t *)at + 8 * i, decoder->swap);
	return (int)(bytes / 8);
}

uint32_t field_get_any_string(struct decoder *decoder, const struct field_position *field,
			      const struct raw_record *record)
{
	size_t bytes;
	const char *string = field_get_bytes(decoder, field, record, &bytes);

	return string_table_intern(decoder->strings, string, bytes);
}
