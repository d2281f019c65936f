/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Decodes why a CPU interrupts others: ipi_raise, ipi_send_cpu, ipi_send_cpumask.
 */
#ifndef ANNOT_TRACE_DECODE_DECODE_IPI_H
#define ANNOT_TRACE_DECODE_DECODE_IPI_H

#include "trace/decode/decode_state.h"

bool decode_ipi_raise(struct decoder *decoder, const struct event_layout *layout,
		      const struct raw_record *record, struct trace_event *event);
bool decode_ipi_send_cpu(struct decoder *decoder, const struct event_layout *layout,
			 const struct raw_record *record, struct trace_event *event);
bool decode_ipi_send_mask(struct decoder *decoder, const struct event_layout *layout,
			  const struct raw_record *record, struct trace_event *event);

#endif /* ANNOT_TRACE_DECODE_DECODE_IPI_H */
