// SPDX-License-Identifier: GPL-2.0
#include "trace/decode/decode_printk.h"

#include <string.h>

#include "trace/decode/decode_kernel.h"
#include "trace/decode/decode_other.h"
#include "trace/decode/fields.h"
#include "trace/names/kernel_names.h"
#include "trace/names/printk_formats.h"
#include "trace/names/printk_text.h"

static const char *function_name(void *context, uint64_t address)
{
	struct decoder *decoder = context;
	uint32_t name = kernel_names_get(kernel_decoder_names(decoder->kernel), address);

	return string_table_get(decoder->strings, name);
}

bool decode_bprint(struct decoder *decoder, const struct event_layout *layout,
		   const struct raw_record *record, struct trace_event *event)
{
	const char *format =
		printk_formats_get(decoder->printk_formats,
				   field_get_unsigned(decoder, &layout->fields[0], record));
	struct printk_arguments arguments = {
		.long_bytes = layout->fields[0].size == 4 ? 4 : 8,
		.swap = decoder->swap,
	};
	char text[PRINTK_TEXT_BYTES];

	arguments.data = (const uint8_t *)field_get_bytes(decoder, &layout->fields[1], record,
							  &arguments.bytes);
	if (!format || !printk_text_print(text, format, &arguments, function_name, decoder))
		return decode_other(decoder, record, event);
	return decode_kernel_line(decoder, text, strlen(text), record, event);
}

bool decode_bputs(struct decoder *decoder, const struct event_layout *layout,
		  const struct raw_record *record, struct trace_event *event)
{
	const char *text =
		printk_formats_get(decoder->printk_formats,
				   field_get_unsigned(decoder, &layout->fields[0], record));

	if (!text)
		return decode_other(decoder, record, event);
	return decode_kernel_line(decoder, text, strlen(text), record, event);
}
