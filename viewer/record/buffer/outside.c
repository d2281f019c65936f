// SPDX-License-Identifier: GPL-2.0
#include "record/buffer/outside.h"

#include <sched.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "record/buffer/claim.h"
#include "record/buffer/sign.h"
#include "record/buffer/tracing.h"

static bool is_idle(void)
{
	char *events = tracing_read(NULL, "events/enable");
	bool idle = events && !strcmp(events, "0");

	free(events);
	return idle;
}

void outside_begin(struct outside *outside)
{
	int nr_held;
	int lock_fd = claim_lock_others(&nr_held);

	outside->begun = true;
	if (is_idle()) {
		sign_put();
		outside->turned_on = !tracing_is_on(NULL);
		if (outside->turned_on)
			tracing_on(NULL);
	}
	if (lock_fd >= 0)
		close(lock_fd);
}

static void run_on_each_cpu(cpu_set_t *one, size_t bytes, long nr_cpus)
{
	for (long cpu = 0; cpu < nr_cpus; cpu++) {
		CPU_ZERO_S(bytes, one);
		CPU_SET_S(cpu, bytes, one);
		sched_setaffinity(0, bytes, one);
	}
}

/* At real-time priority, else it would wait for its turn on a CPU that computes. */
void outside_call(void)
{
	static const struct sched_param least = { .sched_priority = 1 };
	long nr_cpus = sysconf(_SC_NPROCESSORS_CONF);
	cpu_set_t *before = CPU_ALLOC(nr_cpus), *one = CPU_ALLOC(nr_cpus);
	size_t bytes = CPU_ALLOC_SIZE(nr_cpus);
	int policy = sched_getscheduler(0);
	struct sched_param param;

	if (before && one && !sched_getparam(0, &param) && !sched_getaffinity(0, bytes, before)) {
		sched_setscheduler(0, SCHED_FIFO, &least);
		run_on_each_cpu(one, bytes, nr_cpus);
		sched_setaffinity(0, bytes, before);
		sched_setscheduler(0, policy, &param);
	}
	CPU_FREE(before);
	CPU_FREE(one);
}

void outside_end(const struct outside *outside)
{
	int nr_held, lock_fd;

	if (!outside->begun)
		return;
	lock_fd = claim_lock_others(&nr_held);
	if (!nr_held && sign_is_there()) {
		sign_remove();
		if (outside->turned_on)
			tracing_off(NULL);
	}
	if (lock_fd >= 0)
		close(lock_fd);
}
