// SPDX-License-Identifier: GPL-2.0
#include "trace/decode/decode_sched.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "trace/decode/fields.h"

#define MAX_PRIO 139 /* nice 19 */
#define IN_INTERRUPT 0x18u /* hard or soft: TRACE_FLAG_HARDIRQ | TRACE_FLAG_SOFTIRQ */

/* Values since Linux 4.14, for a file whose format does not spell them out. */
static const struct state_masks default_states = {
	.blocked = 0x01 | 0x40 | 0x80,
	.blocked_io = 0x02,
	.stopped = 0x04 | 0x08,
	.dead = 0x10 | 0x20,
};

static enum trace_switch_reason switch_reason(const struct state_masks *masks, uint64_t state)
{
	if (state & masks->dead)
		return TRACE_OUT_DEAD;
	if (state & masks->stopped)
		return TRACE_OUT_STOPPED;
	if (state & masks->blocked)
		return TRACE_OUT_SLEEPING;
	if (state & masks->blocked_io)
		return TRACE_OUT_UNINTERRUPTIBLE;
	/* 0, or only the bit above all states, which means preempted. */
	return TRACE_OUT_RUNNABLE;
}

/* What no kernel has is not known. */
static uint8_t priority_of(int32_t prio)
{
	bool is_known = prio >= -1 && prio <= MAX_PRIO;

	return is_known ? (uint8_t)(prio + TRACE_PRIORITY_OFFSET) : TRACE_PRIORITY_UNKNOWN;
}

static const char *plain_comm(const struct field_position *field, const struct raw_record *record)
{
	return (const char *)record->data + field->offset;
}

static int32_t plain_i32(const struct field_position *field, const struct raw_record *record)
{
	return (int32_t)load_u32(record->data + field->offset, false);
}

bool decode_sched_switch(struct decoder *decoder, const struct event_layout *layout,
			 const struct raw_record *record, struct trace_event *event)
{
	const struct field_position *field = layout->fields;

	event->kind = TRACE_SWITCH;
	event->sw.prev_comm = field_get_string(decoder, &field[0], record);
	event->tid = field_get_i32(decoder, &field[1], record);
	event->sw.reason = switch_reason(&decoder->states,
					 field_get_unsigned(decoder, &field[2], record));
	event->sw.next_comm = field_get_string(decoder, &field[3], record);
	event->sw.next_tid = field_get_i32(decoder, &field[4], record);
	event->sw.next_priority = TRACE_PRIORITY_UNKNOWN;
	if (layout->has_optionals)
		event->sw.next_priority =
			priority_of(field_get_i32(decoder, &layout->optionals[0], record));
	return true;
}

/* What every 64-bit kernel of our byte order writes: two comms, pids, prios, the state in 8 bytes. */
static inline void read_plain_switch(const struct decoder *decoder,
				     const struct event_layout *layout,
				     const struct raw_record *record, struct plain_event *plain,
				     struct plain_comms *comms)
{
	const struct field_position *field = layout->fields;
	uint64_t state = load_u64(record->data + field[2].offset, false);

	comms->nr = 2;
	comms->comm[0] = plain_comm(&field[0], record);
	comms->comm[1] = plain_comm(&field[3], record);
	plain->tid = plain_i32(&field[1], record);
	plain->other_tid = plain_i32(&field[4], record);
	plain->reason = state < NR_LOW_STATES ? decoder->reason_of[state] :
						(uint8_t)switch_reason(&decoder->states, state);
	plain->next_priority = priority_of(plain_i32(&layout->optionals[0], record));
}

static inline void read_plain_wakeup(const struct event_layout *layout,
				     const struct raw_record *record, struct plain_event *plain,
				     struct plain_comms *comms)
{
	const struct field_position *field = layout->fields;

	comms->nr = 1;
	comms->comm[0] = plain_comm(&field[0], record);
	plain->tid = plain_i32(&layout->common_pid, record);
	plain->other_tid = plain_i32(&field[1], record);
	plain->target_cpu = plain_i32(&field[2], record);
	plain->in_interrupt = record->data[field[3].offset] & IN_INTERRUPT;
}

void decode_sched_read_plain(const struct decoder *decoder, const struct event_layout *layout,
			     const struct raw_record *record, struct plain_event *plain,
			     struct plain_comms *comms)
{
	plain->kind = (uint8_t)layout->plain;
	if (layout->plain == PLAIN_SWITCH)
		read_plain_switch(decoder, layout, record, plain, comms);
	else
		read_plain_wakeup(layout, record, plain, comms);
}

void decode_sched_plain(struct decoder *decoder, const struct event_layout *layout,
			const struct raw_record *record, struct trace_event *event)
{
	struct plain_event plain = { 0 };
	struct plain_comms comms = { 0 };
	uint32_t first, second = TRACE_NO_STRING;

	decode_sched_read_plain(decoder, layout, record, &plain, &comms);
	first = comm_cache_intern(&decoder->comms, decoder->strings, comms.comm[0]);
	if (comms.nr > 1)
		second = comm_cache_intern(&decoder->comms, decoder->strings, comms.comm[1]);
	decode_sched_plain_event(&plain, first, second, event);
}

bool decode_sched_wakeup(struct decoder *decoder, const struct event_layout *layout,
			 const struct raw_record *record, struct trace_event *event)
{
	const struct field_position *field = layout->fields;

	event->kind = TRACE_WAKEUP;
	event->wakeup.comm = field_get_string(decoder, &field[0], record);
	event->wakeup.wakee_tid = field_get_i32(decoder, &field[1], record);
	event->wakeup.target_cpu = field_get_i32(decoder, &field[2], record);
	event->wakeup.is_new = false;
	event->wakeup.in_interrupt = field_get_unsigned(decoder, &field[3], record) & IN_INTERRUPT;
	return true;
}

bool decode_sched_wakeup_new(struct decoder *decoder, const struct event_layout *layout,
			     const struct raw_record *record, struct trace_event *event)
{
	decode_sched_wakeup(decoder, layout, record, event);
	event->wakeup.is_new = true;
	return true;
}

bool decode_sched_waking(struct decoder *decoder, const struct event_layout *layout,
			 const struct raw_record *record, struct trace_event *event)
{
	decode_sched_wakeup(decoder, layout, record, event);
	event->kind = TRACE_WAKING;
	return true;
}

bool decode_sched_migrate(struct decoder *decoder, const struct event_layout *layout,
			  const struct raw_record *record, struct trace_event *event)
{
	const struct field_position *field = layout->fields;

	event->kind = TRACE_MIGRATE;
	event->migrate.comm = field_get_string(decoder, &field[0], record);
	event->migrate.moved_tid = field_get_i32(decoder, &field[1], record);
	event->migrate.from_cpu = field_get_i32(decoder, &field[2], record);
	event->migrate.to_cpu = field_get_i32(decoder, &field[3], record);
	return true;
}

/* The letters are those of ps(1): see task_state_array[] in the kernel's fs/proc/array.c. */
static void add_state(struct state_masks *masks, uint64_t bit, char letter)
{
	if (strchr("SIPN", letter)) /* sleeping, idle, parked, not counted as load */
		masks->blocked |= bit;
	else if (letter == 'D')
		masks->blocked_io |= bit;
	else if (strchr("Tt", letter))
		masks->stopped |= bit;
	else if (strchr("XxZ", letter))
		masks->dead |= bit;
}

/* Reads the pairs { 0x01, "S" } of the print format of sched_switch. */
static struct state_masks parse_states(const char *print)
{
	struct state_masks masks = { 0 };
	const char *at = print;

	while ((at = strchr(at, '{'))) {
		char *end;
		uint64_t bit = strtoull(++at, &end, 0);

		end += strspn(end, ", ");
		if (end[0] == '"' && isalpha((unsigned char)end[1]))
			add_state(&masks, bit, end[1]);
	}
	return masks;
}

void decode_sched_set_states(struct decoder *decoder, const char *print)
{
	struct state_masks masks = parse_states(print);

	if (masks.blocked && masks.blocked_io)
		decoder->states = masks;
	else
		decoder->states = default_states;
	for (uint64_t state = 0; state < NR_LOW_STATES; state++)
		decoder->reason_of[state] = (uint8_t)switch_reason(&decoder->states, state);
}

/* The sizes of the fields that a plain layout has, all of them in place. */
static const struct plain_spec {
	decode_fn decode;
	enum plain_layout plain;
	uint16_t sizes[MAX_ARGUMENTS];
	uint16_t optional_sizes[MAX_OPTIONALS];
} plain_specs[] = {
	{ decode_sched_switch, PLAIN_SWITCH, { COMM_BYTES, 4, 8, COMM_BYTES, 4 }, { 4 } },
	{ decode_sched_wakeup, PLAIN_WAKEUP, { COMM_BYTES, 4, 4, 1 }, { 0 } },
	{ decode_sched_waking, PLAIN_WAKING, { COMM_BYTES, 4, 4, 1 }, { 0 } },
};

/* @sizes ends with 0, or after @nr. */
static bool fields_are(const struct field_position *fields, const uint16_t *sizes, int nr)
{
	for (int i = 0; i < nr && sizes[i]; i++) {
		if (fields[i].size != sizes[i] || fields[i].location != FIELD_IN_PLACE)
			return false;
	}
	return true;
}

static bool layout_is(const struct event_layout *layout, const struct plain_spec *spec)
{
	return layout->decode == spec->decode && layout->common_pid.size == 4 &&
	       fields_are(layout->fields, spec->sizes, MAX_ARGUMENTS) &&
	       (layout->has_optionals || !spec->optional_sizes[0]) &&
	       fields_are(layout->optionals, spec->optional_sizes, MAX_OPTIONALS);
}

enum plain_layout decode_sched_plain_layout(const struct event_layout *layout)
{
	for (size_t i = 0; i < sizeof(plain_specs) / sizeof(plain_specs[0]); i++) {
		if (layout_is(layout, &plain_specs[i]))
			return plain_specs[i].plain;
	}
	return PLAIN_NONE;
}
