/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Reads fields of a record at the positions of its format. The caller has checked that the record
 * is not shorter than its layout.
 */
#ifndef ANNOT_TRACE_DECODE_FIELDS_H
#define ANNOT_TRACE_DECODE_FIELDS_H

#include "trace/decode/decode_state.h"
#include "util/load.h"

/* Reads a field of 1, 2, 4 or 8 bytes. */
uint64_t field_get_any_unsigned(const struct decoder *decoder, const struct field_position *field,
				const struct raw_record *record);

static inline uint64_t field_get_unsigned(const struct decoder *decoder,
					  const struct field_position *field,
					  const struct raw_record *record)
{
	if (field->size == 4)
		return load_u32(record->data + field->offset, decoder->swap);
	return field_get_any_unsigned(decoder, field, record);
}

static inline int32_t field_get_i32(const struct decoder *decoder,
				    const struct field_position *field,
				    const struct raw_record *record)
{
	return (int32_t)field_get_unsigned(decoder, field, record);
}

/* The bytes of a field; 0 bytes if the record does not hold all of them. */
const char *field_get_bytes(const struct decoder *decoder, const struct field_position *field,
			    const struct raw_record *record, size_t *bytes);

/*
 * Reads an array of u64 into decoder->words. Returns -1 if the field is no such array, or too long.
 */
int field_get_words(struct decoder *decoder, const struct field_position *field,
		    const struct raw_record *record);
uint32_t field_get_any_string(struct decoder *decoder, const struct field_position *field,
			      const struct raw_record *record);

static inline uint32_t field_get_string(struct decoder *decoder, const struct field_position *field,
					const struct raw_record *record)
{
	if (field->size == COMM_BYTES && field->location == FIELD_IN_PLACE)
		return comm_cache_intern(&decoder->comms, decoder->strings,
					 (const char *)record->data + field->offset);
	return field_get_any_string(decoder, field, record);
}

#endif /* ANNOT_TRACE_DECODE_FIELDS_H */
