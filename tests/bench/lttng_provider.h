/* SPDX-License-Identifier: GPL-2.0 */
/* In the form that LTTng-UST asks for: it includes this file several times. */
#undef LTTNG_UST_TRACEPOINT_PROVIDER
#define LTTNG_UST_TRACEPOINT_PROVIDER annot_bench

#undef LTTNG_UST_TRACEPOINT_INCLUDE
#define LTTNG_UST_TRACEPOINT_INCLUDE "lttng_provider.h"

#if !defined(BENCH_LTTNG_PROVIDER_H) || defined(LTTNG_UST_TRACEPOINT_HEADER_MULTI_READ)
#define BENCH_LTTNG_PROVIDER_H

#include <lttng/tracepoint.h>
#include <stdint.h>

LTTNG_UST_TRACEPOINT_EVENT(annot_bench, record, LTTNG_UST_TP_ARGS(uint32_t, name, int64_t, value),
			   LTTNG_UST_TP_FIELDS(lttng_ust_field_integer(uint32_t, name, name)
						       lttng_ust_field_integer(int64_t, value,
									       value)))

#endif

#include <lttng/tracepoint-event.h>
