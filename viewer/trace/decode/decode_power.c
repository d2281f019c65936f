// SPDX-License-Identifier: GPL-2.0
#include "trace/decode/decode_power.h"

#include "trace/decode/decode_other.h"
#include "trace/decode/fields.h"

#define NOT_IDLE UINT32_MAX /* PWR_EVENT_EXIT of the kernel */

/* The state and the CPU that it is of. Returns false if the record does not have them. */
static bool fill(const struct decoder *decoder, const struct event_layout *layout,
		 const struct raw_record *record, struct trace_event *event)
{
	bool may_be_in_switch;

	if (!decode_other(decoder, record, event))
		return false;
	may_be_in_switch = event->other.may_be_in_switch;
	event->power.may_be_in_switch = may_be_in_switch;
	event->power.value = (uint32_t)field_get_unsigned(decoder, &layout->fields[0], record);
	event->power.cpu = field_get_i32(decoder, &layout->fields[1], record);
	return true;
}

bool decode_cpu_idle(struct decoder *decoder, const struct event_layout *layout,
		     const struct raw_record *record, struct trace_event *event)
{
	if (!fill(decoder, layout, record, event))
		return false;
	event->kind = TRACE_CPU_IDLE;
	event->power.is_exit = event->power.value == NOT_IDLE;
	return true;
}

bool decode_cpu_frequency(struct decoder *decoder, const struct event_layout *layout,
			  const struct raw_record *record, struct trace_event *event)
{
	if (!fill(decoder, layout, record, event))
		return false;
	event->kind = TRACE_CPU_FREQUENCY;
	event->power.is_exit = false;
	return true;
}
