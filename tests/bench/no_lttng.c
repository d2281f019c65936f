// SPDX-License-Identifier: GPL-2.0
/* Where LTTng-UST is not installed. */
#include "lttng.h"

bool bench_lttng_is_recording(void)
{
	return false;
}

void bench_lttng(long nr_times)
{
	(void)nr_times;
}
