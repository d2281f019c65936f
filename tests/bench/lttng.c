// SPDX-License-Identifier: GPL-2.0
#define LTTNG_UST_TRACEPOINT_CREATE_PROBES
#define LTTNG_UST_TRACEPOINT_DEFINE
#include "lttng_provider.h"

#include "lttng.h"

bool bench_lttng_is_recording(void)
{
	return lttng_ust_tracepoint_enabled(annot_bench, record);
}

void bench_lttng(long nr_times)
{
	long i;

	for (i = 0; i < nr_times; i++)
		lttng_ust_tracepoint(annot_bench, record, 1, i);
}
