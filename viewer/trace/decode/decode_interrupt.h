/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Begins and ends of interrupts, softirqs and tasklets.
 */
#ifndef ANNOT_TRACE_DECODE_DECODE_INTERRUPT_H
#define ANNOT_TRACE_DECODE_DECODE_INTERRUPT_H

#include "trace/decode/decode_state.h"

/* irq_handler_entry, irq_handler_exit */
bool decode_hardirq_entry(struct decoder *decoder, const struct event_layout *layout,
			  const struct raw_record *record, struct trace_event *event);
bool decode_hardirq_exit(struct decoder *decoder, const struct event_layout *layout,
			 const struct raw_record *record, struct trace_event *event);
bool decode_softirq_entry(struct decoder *decoder, const struct event_layout *layout,
			  const struct raw_record *record, struct trace_event *event);
bool decode_softirq_exit(struct decoder *decoder, const struct event_layout *layout,
			 const struct raw_record *record, struct trace_event *event);
bool decode_tasklet_entry(struct decoder *decoder, const struct event_layout *layout,
			  const struct raw_record *record, struct trace_event *event);
bool decode_tasklet_exit(struct decoder *decoder, const struct event_layout *layout,
			 const struct raw_record *record, struct trace_event *event);
/* The system irq_vectors of x86: local_timer_entry, local_timer_exit, ... */
bool decode_vector_entry(struct decoder *decoder, const struct event_layout *layout,
			 const struct raw_record *record, struct trace_event *event);
bool decode_vector_exit(struct decoder *decoder, const struct event_layout *layout,
			const struct raw_record *record, struct trace_event *event);
/* ipi_entry, ipi_exit of other machines */
bool decode_ipi_entry(struct decoder *decoder, const struct event_layout *layout,
		      const struct raw_record *record, struct trace_event *event);
bool decode_ipi_exit(struct decoder *decoder, const struct event_layout *layout,
		     const struct raw_record *record, struct trace_event *event);

/* Whether a CPU is interrupted so to look who may run there. */
bool decode_interrupt_is_reschedule(const char *name);

#endif /* ANNOT_TRACE_DECODE_DECODE_INTERRUPT_H */
