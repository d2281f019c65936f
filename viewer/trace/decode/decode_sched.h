/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Switches, wakeups and migrations: nearly all events of a trace. 64-bit kernels in host byte order
 * all write the same layout ("plain"). It is decoded with constant offsets.
 */
#ifndef ANNOT_TRACE_DECODE_DECODE_SCHED_H
#define ANNOT_TRACE_DECODE_DECODE_SCHED_H

#include "trace/decode/decode_state.h"

/* Takes the bits of prev_state from @print, the print format of sched_switch, or "". */
void decode_sched_set_states(struct decoder *decoder, const char *print);

/* The value for layout->plain. */
enum plain_layout decode_sched_plain_layout(const struct event_layout *layout);

/* A record of a plain layout, but for its comms. */
struct plain_event {
	int32_t tid;
	int32_t other_tid; /* who is switched in, or woken */
	int32_t target_cpu; /* of a wakeup */
	uint8_t kind; /* enum plain_layout */
	uint8_t reason; /* of a switch: enum trace_switch_reason */
	uint8_t next_priority; /* of a switch: TRACE_PRIORITY_* */
	bool in_interrupt; /* of a wakeup */
};

/* Its comms, in the record. */
struct plain_comms {
	int nr;
	const char *comm[2]; /* of a switch: of who is switched out, and in */
};

/* Reads a complete record of a plain layout. Changes nothing: several threads may call it. */
void decode_sched_read_plain(const struct decoder *decoder, const struct event_layout *layout,
			     const struct raw_record *record, struct plain_event *plain,
			     struct plain_comms *comms);

/* What it says, with the ids of its comms; of a wakeup, the second one is not used. */
static inline void decode_sched_plain_event(const struct plain_event *plain, uint32_t first_comm,
					    uint32_t second_comm, struct trace_event *event)
{
	event->tid = plain->tid;
	if (plain->kind == PLAIN_SWITCH) {
		event->kind = TRACE_SWITCH;
		event->sw.next_tid = plain->other_tid;
		event->sw.prev_comm = first_comm;
		event->sw.next_comm = second_comm;
		event->sw.reason = (enum trace_switch_reason)plain->reason;
		event->sw.next_priority = plain->next_priority;
		return;
	}
	event->kind = plain->kind == PLAIN_WAKING ? TRACE_WAKING : TRACE_WAKEUP;
	event->wakeup.wakee_tid = plain->other_tid;
	event->wakeup.comm = first_comm;
	event->wakeup.target_cpu = plain->target_cpu;
	event->wakeup.is_new = false;
	event->wakeup.in_interrupt = plain->in_interrupt;
}

/* Decodes a complete record of a plain layout. */
void decode_sched_plain(struct decoder *decoder, const struct event_layout *layout,
			const struct raw_record *record, struct trace_event *event);

bool decode_sched_switch(struct decoder *decoder, const struct event_layout *layout,
			 const struct raw_record *record, struct trace_event *event);
bool decode_sched_wakeup(struct decoder *decoder, const struct event_layout *layout,
			 const struct raw_record *record, struct trace_event *event);
bool decode_sched_wakeup_new(struct decoder *decoder, const struct event_layout *layout,
			     const struct raw_record *record, struct trace_event *event);
bool decode_sched_waking(struct decoder *decoder, const struct event_layout *layout,
			 const struct raw_record *record, struct trace_event *event);
bool decode_sched_migrate(struct decoder *decoder, const struct event_layout *layout,
			  const struct raw_record *record, struct trace_event *event);

#endif /* ANNOT_TRACE_DECODE_DECODE_SCHED_H */
