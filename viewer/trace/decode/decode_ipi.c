// SPDX-License-Identifier: GPL-2.0
#include "trace/decode/decode_ipi.h"

#include <stdio.h>
#include <string.h>

#include "trace/decode/decode_interrupt.h"
#include "trace/decode/decode_kernel.h"
#include "trace/decode/decode_other.h"
#include "trace/decode/fields.h"
#include "trace/names/kernel_names.h"
#include "trace/names/printk_formats.h"

#define MAX_REASON_BYTES 256

/* The targets are in decoder->words. Without any, it stays an event of another kind. */
static bool fill(struct decoder *decoder, const struct raw_record *record,
		 struct trace_event *event, int nr_words, bool is_reschedule, uint32_t reason)
{
	bool may_be_in_switch;
	uint16_t type;

	if (!decode_other(decoder, record, event))
		return false;
	if (nr_words <= 0)
		return true;
	may_be_in_switch = event->other.may_be_in_switch;
	type = event->other.type;
	event->kind = TRACE_IPI_SEND;
	event->ipi.may_be_in_switch = may_be_in_switch;
	event->ipi.type = type;
	event->ipi.is_reschedule = is_reschedule;
	event->ipi.reason = reason;
	event->ipi.targets = decoder->words;
	event->ipi.nr_words = (uint32_t)nr_words;
	return true;
}

/* The reason is the address of a text of the kernel's. */
bool decode_ipi_raise(struct decoder *decoder, const struct event_layout *layout,
		      const struct raw_record *record, struct trace_event *event)
{
	const char *text =
		printk_formats_get(decoder->printk_formats,
				   field_get_unsigned(decoder, &layout->fields[1], record));
	int nr_words = field_get_words(decoder, &layout->fields[0], record);
	char reason[MAX_REASON_BYTES];

	snprintf(reason, sizeof(reason), "by CPU %d", event->cpu);
	return fill(decoder, record, event, nr_words, text && decode_interrupt_is_reschedule(text),
		    string_table_intern(decoder->strings, reason, strlen(reason)));
}

static uint32_t call_reason(struct decoder *decoder, int cpu, uint64_t callsite, uint64_t callback)
{
	struct kernel_names *names = kernel_decoder_names(decoder->kernel);
	uint32_t *id = text_memo_find(&decoder->ipi_reasons, callsite, callback, (uint64_t)cpu);
	const char *caller, *called;
	char reason[MAX_REASON_BYTES];

	if (*id)
		return *id;
	caller = string_table_get(decoder->strings, kernel_names_get(names, callsite));
	called = callback ? string_table_get(decoder->strings, kernel_names_get(names, callback)) :
			    "";
	snprintf(reason, sizeof(reason), "%s%sby CPU %d in %s", called, *called ? ", " : "", cpu,
		 caller);
	*id = string_table_intern(decoder->strings, reason, strlen(reason));
	return *id;
}

/* Without a callback, the other CPU is to look who may run there. */
static bool fill_call(struct decoder *decoder, const struct event_layout *layout,
		      const struct raw_record *record, struct trace_event *event, int nr_words)
{
	uint64_t callsite = field_get_unsigned(decoder, &layout->fields[1], record);
	uint64_t callback = field_get_unsigned(decoder, &layout->fields[2], record);

	return fill(decoder, record, event, nr_words, !callback,
		    call_reason(decoder, event->cpu, callsite, callback));
}

bool decode_ipi_send_cpu(struct decoder *decoder, const struct event_layout *layout,
			 const struct raw_record *record, struct trace_event *event)
{
	uint64_t cpu = field_get_unsigned(decoder, &layout->fields[0], record);
	uint64_t nr_words = cpu / 64 + 1;

	if (nr_words > MAX_WORDS)
		return decode_other(decoder, record, event);
	memset(decoder->words, 0, nr_words * sizeof(decoder->words[0]));
	decoder->words[cpu / 64] = 1ull << cpu % 64;
	return fill_call(decoder, layout, record, event, (int)nr_words);
}

bool decode_ipi_send_mask(struct decoder *decoder, const struct event_layout *layout,
			  const struct raw_record *record, struct trace_event *event)
{
	return fill_call(decoder, layout, record, event,
			 field_get_words(decoder, &layout->fields[0], record));
}
