// SPDX-License-Identifier: GPL-2.0
#include "trace/decode/decode_timer.h"

#include "trace/decode/decode_other.h"
#include "trace/decode/fields.h"

/* Of common_flags (enum trace_flag_type of linux/trace_events.h). */
#define FLAG_HARDIRQ 0x08u
#define FLAG_SOFTIRQ 0x10u

enum {
	FIELD_TIMER,
	FIELD_EARLIEST,
	FIELD_LATEST,
	FIELD_FLAGS
};

#define FIELD_NOW 1

/* Returns false if the record does not have what all events have. */
static bool fill(struct decoder *decoder, const struct event_layout *layout,
		 const struct raw_record *record, struct trace_event *event,
		 enum trace_event_kind kind)
{
	bool may_be_in_switch;
	uint16_t type;

	if (!decode_other(decoder, record, event))
		return false;
	may_be_in_switch = event->other.may_be_in_switch;
	type = event->other.type;
	event->kind = kind;
	event->timer.may_be_in_switch = may_be_in_switch;
	event->timer.type = type;
	event->timer.in_interrupt = false;
	event->timer.id = field_get_unsigned(decoder, &layout->fields[FIELD_TIMER], record);
	event->timer.earliest_ns = 0;
	event->timer.latest_ns = 0;
	event->timer.now_ns = 0;
	return true;
}

bool decode_timer_start(struct decoder *decoder, const struct event_layout *layout,
			const struct raw_record *record, struct trace_event *event)
{
	if (!fill(decoder, layout, record, event, TRACE_TIMER_START))
		return false;
	event->timer.in_interrupt = field_get_unsigned(decoder, &layout->fields[FIELD_FLAGS],
						       record) &
				    (FLAG_HARDIRQ | FLAG_SOFTIRQ);
	event->timer.earliest_ns =
		(int64_t)field_get_unsigned(decoder, &layout->fields[FIELD_EARLIEST], record);
	event->timer.latest_ns = (int64_t)field_get_unsigned(decoder, &layout->fields[FIELD_LATEST],
							     record);
	return true;
}

bool decode_timer_expire(struct decoder *decoder, const struct event_layout *layout,
			 const struct raw_record *record, struct trace_event *event)
{
	if (!fill(decoder, layout, record, event, TRACE_TIMER_EXPIRE))
		return false;
	event->timer.now_ns = (int64_t)field_get_unsigned(decoder, &layout->fields[FIELD_NOW],
							  record);
	return true;
}

bool decode_timer_done(struct decoder *decoder, const struct event_layout *layout,
		       const struct raw_record *record, struct trace_event *event)
{
	return fill(decoder, layout, record, event, TRACE_TIMER_DONE);
}
