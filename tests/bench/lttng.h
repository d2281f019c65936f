/* SPDX-License-Identifier: GPL-2.0 */
/* An LTTng-UST event with what one of our records holds: a name's number, and a value. */
#ifndef BENCH_LTTNG_H
#define BENCH_LTTNG_H

#include <stdbool.h>

bool bench_lttng_is_recording(void);
void bench_lttng(long nr_times);

#endif /* BENCH_LTTNG_H */
