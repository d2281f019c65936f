// SPDX-License-Identifier: GPL-2.0
#include "trace/decode/decode_interrupt.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "trace/decode/decode_kernel.h"
#include "trace/decode/decode_other.h"
#include "trace/decode/fields.h"
#include "trace/names/kernel_names.h"
#include "trace/names/printk_formats.h"

#define FLAG_SOFTIRQ 0x10u /* of common_flags: a softirq is served */
#define MAX_NAME_BYTES 64

/* Of linux/interrupt.h: the same on all kernels since 2.6.36. */
static const char *const softirq_names[] = {
	"HI",	    "TIMER",   "NET_TX", "NET_RX",  "BLOCK",
	"IRQ_POLL", "TASKLET", "SCHED",	 "HRTIMER", "RCU",
};

static uint32_t intern(struct decoder *decoder, const char *name)
{
	return string_table_intern(decoder->strings, name, strlen(name));
}

/* What all of them have. Returns false if the record does not have it. */
static bool fill(const struct decoder *decoder, const struct raw_record *record,
		 struct trace_event *event, enum trace_interrupt_kind kind, uint64_t id)
{
	bool may_be_in_switch;

	if (!decode_other(decoder, record, event))
		return false;
	may_be_in_switch = event->other.may_be_in_switch;
	event->interrupt.may_be_in_switch = may_be_in_switch;
	event->interrupt.in_softirq = record->data[decoder->common.flags.offset] & FLAG_SOFTIRQ;
	event->interrupt.kind = (uint8_t)kind;
	event->interrupt.name = TRACE_NO_STRING;
	event->interrupt.ipi = TRACE_NO_IPI;
	event->interrupt.id = id;
	return true;
}

/* What other CPUs send, as the kernel calls it: vectors of x86, reasons of other machines. */
static enum trace_ipi ipi_of(enum trace_interrupt_kind kind, const char *name)
{
	if (kind != TRACE_VECTOR && kind != TRACE_IPI)
		return TRACE_NO_IPI;
	if (decode_interrupt_is_reschedule(name))
		return TRACE_IPI_RESCHEDULE;
	if (!strncasecmp(name, "call_function", strlen("call_function")) ||
	    !strncasecmp(name, "function call", strlen("function call")))
		return TRACE_IPI_CALL;
	return TRACE_NO_IPI;
}

static bool begin(const struct decoder *decoder, const struct raw_record *record,
		  struct trace_event *event, enum trace_interrupt_kind kind, uint64_t id,
		  uint32_t name)
{
	if (!fill(decoder, record, event, kind, id))
		return false;
	event->kind = TRACE_INTERRUPT_BEGIN;
	event->interrupt.name = name;
	event->interrupt.ipi = ipi_of(kind, string_table_get(decoder->strings, name));
	return true;
}

static bool end(const struct decoder *decoder, const struct raw_record *record,
		struct trace_event *event, enum trace_interrupt_kind kind, uint64_t id)
{
	if (!fill(decoder, record, event, kind, id))
		return false;
	event->kind = TRACE_INTERRUPT_END;
	return true;
}

bool decode_hardirq_entry(struct decoder *decoder, const struct event_layout *layout,
			  const struct raw_record *record, struct trace_event *event)
{
	return begin(decoder, record, event, TRACE_HARDIRQ,
		     field_get_unsigned(decoder, &layout->fields[0], record),
		     field_get_string(decoder, &layout->fields[1], record));
}

bool decode_hardirq_exit(struct decoder *decoder, const struct event_layout *layout,
			 const struct raw_record *record, struct trace_event *event)
{
	return end(decoder, record, event, TRACE_HARDIRQ,
		   field_get_unsigned(decoder, &layout->fields[0], record));
}

static uint32_t softirq_name(struct decoder *decoder, uint64_t vec)
{
	char name[MAX_NAME_BYTES];

	if (vec < sizeof(softirq_names) / sizeof(softirq_names[0]))
		return intern(decoder, softirq_names[vec]);
	snprintf(name, sizeof(name), "softirq %" PRIu64, vec);
	return intern(decoder, name);
}

bool decode_softirq_entry(struct decoder *decoder, const struct event_layout *layout,
			  const struct raw_record *record, struct trace_event *event)
{
	uint64_t vec = field_get_unsigned(decoder, &layout->fields[0], record);

	return begin(decoder, record, event, TRACE_SOFTIRQ, vec, softirq_name(decoder, vec));
}

bool decode_softirq_exit(struct decoder *decoder, const struct event_layout *layout,
			 const struct raw_record *record, struct trace_event *event)
{
	return end(decoder, record, event, TRACE_SOFTIRQ,
		   field_get_unsigned(decoder, &layout->fields[0], record));
}

bool decode_tasklet_entry(struct decoder *decoder, const struct event_layout *layout,
			  const struct raw_record *record, struct trace_event *event)
{
	uint64_t address = field_get_unsigned(decoder, &layout->fields[1], record);
	uint32_t function = kernel_names_get(kernel_decoder_names(decoder->kernel), address);
	char name[MAX_NAME_BYTES];

	snprintf(name, sizeof(name), "tasklet %s", string_table_get(decoder->strings, function));
	return begin(decoder, record, event, TRACE_TASKLET,
		     field_get_unsigned(decoder, &layout->fields[0], record),
		     intern(decoder, name));
}

bool decode_tasklet_exit(struct decoder *decoder, const struct event_layout *layout,
			 const struct raw_record *record, struct trace_event *event)
{
	return end(decoder, record, event, TRACE_TASKLET,
		   field_get_unsigned(decoder, &layout->fields[0], record));
}

/* "irq_vectors:local_timer_entry" -> "local_timer" */
static uint32_t vector_name(struct decoder *decoder, const struct raw_record *record)
{
	const char *name = decoder->name_of_id[load_u16(record->data, decoder->swap)];
	const char *past;

	name = strchr(name, ':') + 1;
	past = strrchr(name, '_');
	/* Only a damaged file gives an event two names. */
	if (!past)
		past = name + strlen(name);
	return string_table_intern(decoder->strings, name, (size_t)(past - name));
}

bool decode_vector_entry(struct decoder *decoder, const struct event_layout *layout,
			 const struct raw_record *record, struct trace_event *event)
{
	uint32_t name = vector_name(decoder, record);

	(void)layout;
	return begin(decoder, record, event, TRACE_VECTOR, name, name);
}

bool decode_vector_exit(struct decoder *decoder, const struct event_layout *layout,
			const struct raw_record *record, struct trace_event *event)
{
	(void)layout;
	return end(decoder, record, event, TRACE_VECTOR, vector_name(decoder, record));
}

bool decode_interrupt_is_reschedule(const char *name)
{
	return !strncasecmp(name, "resched", strlen("resched"));
}

/* The reason is the address of a text of the kernel's: "Rescheduling interrupts". */
bool decode_ipi_entry(struct decoder *decoder, const struct event_layout *layout,
		      const struct raw_record *record, struct trace_event *event)
{
	uint64_t reason = field_get_unsigned(decoder, &layout->fields[0], record);
	const char *text = printk_formats_get(decoder->printk_formats, reason);

	return begin(decoder, record, event, TRACE_IPI, reason,
		     intern(decoder, text ? text : "IPI"));
}

bool decode_ipi_exit(struct decoder *decoder, const struct event_layout *layout,
		     const struct raw_record *record, struct trace_event *event)
{
	return end(decoder, record, event, TRACE_IPI,
		   field_get_unsigned(decoder, &layout->fields[0], record));
}
