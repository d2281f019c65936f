// SPDX-License-Identifier: GPL-2.0
#include "trace/decode/decode_other.h"

/* Of common_flags (enum trace_flag_type of linux/trace_events.h). */
#define FLAG_IRQS_OFF 0x01u
#define FLAG_IRQS_NOSUPPORT 0x02u /* whether they are is not known; or, since 6.13, another thing */
#define FLAG_HARDIRQ 0x08u
#define FLAG_NMI 0x40u

/* Nothing but whole fields is read, of the sizes that kernels give them. */
static bool take_place(const struct event_format *format, const char *name, uint16_t size,
		       struct field_position *place)
{
	const struct event_field *field = event_format_field(format, name);

	if (!field || field->size != size || field->location != FIELD_IN_PLACE)
		return false;
	*place = (struct field_position){ .offset = field->offset, .size = field->size };
	return true;
}

/* struct trace_entry is the same in all events of a kernel. */
void decode_other_set_format(struct decoder *decoder, const struct event_format *format)
{
	struct common_fields *common = &decoder->common;
	uint32_t flags_end, pid_end;

	if (common->known || !take_place(format, "common_flags", 1, &common->flags) ||
	    !take_place(format, "common_pid", 4, &common->pid))
		return;
	flags_end = common->flags.offset + 1u;
	pid_end = common->pid.offset + 4u;
	common->min_bytes = flags_end > pid_end ? flags_end : pid_end;
	common->known = true;
}

/*
 * Between sched_switch and the moment when the next task becomes the kernel's current one, events
 * name the leaving task: events of its memory (tlb_flush), its FPU state, perf, traced functions,
 * stack traces. Interrupts are off all that time; only NMIs can occur. So an event with interrupts
 * on, or of a maskable interrupt, is not from such a time.
 */
static bool may_be_in_switch(uint8_t flags)
{
	if (flags & FLAG_NMI)
		return true;
	if (flags & FLAG_HARDIRQ)
		return false;
	return flags & (FLAG_IRQS_OFF | FLAG_IRQS_NOSUPPORT);
}

bool decode_other_may_be_in_switch(const struct decoder *decoder, const struct raw_record *record)
{
	const struct common_fields *common = &decoder->common;

	/* Where the flags are not known, no event proves anything. */
	return !common->known || record->size < common->min_bytes ||
	       may_be_in_switch(record->data[common->flags.offset]);
}

bool decode_other(const struct decoder *decoder, const struct raw_record *record,
		  struct trace_event *event)
{
	const struct common_fields *common = &decoder->common;

	if (!common->known || record->size < common->min_bytes)
		return false;
	event->kind = TRACE_OTHER;
	event->other.type = load_u16(record->data, decoder->swap);
	event->tid = (int32_t)load_u32(record->data + common->pid.offset, decoder->swap);
	event->other.may_be_in_switch = may_be_in_switch(record->data[common->flags.offset]);
	return true;
}
