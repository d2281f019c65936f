/* SPDX-License-Identifier: GPL-2.0 */
/*
 * One event of the set: from what user space asks for to what the kernel accepts.
 */
#ifndef ANNOT_KMOD_PMU_EVENT_H
#define ANNOT_KMOD_PMU_EVENT_H

#include <linux/atomic.h>
#include <linux/perf_event.h>
#include <linux/types.h>

#include <uapi/annot.h>

#include "ftrace/config.h"

#define ANNOT_PMU_NAME_MAX_BYTES 24

/* A counter on each CPU counts it. */
struct annot_pmu_event {
	struct perf_event_attr attr; /* as the kernel accepted it */
	atomic64_t nr_samples;
	u64 max_samples; /* 0: no limit */
	u8 index;
	u8 mode;
	u8 precise_asked;
	bool hide_kernel; /* kernel addresses must not be shown */
	bool tells_registers; /* in samples */
	bool tells_stack; /* likewise */
	bool skips_idle; /* a sample of the idle task is none */
	bool is_countable; /* the count tells how many samples are due */
	char pmu[ANNOT_PMU_NAME_MAX_BYTES]; /* who counts it, by the kernel's name; "": nobody */
	u8 sides; /* ANNOT_EVENT_USER, ANNOT_EVENT_KERNEL: samples of others are none */
	int error; /* as in struct annot_event */
};

/* Return: 0, or -EINVAL: a field that cannot be. */
int annot_pmu_event_check(const struct annot_event *asked);

/*
 * Fills @event, but for its index, and tries it on one CPU; what came of it goes to @asked.
 * Return: the counter that was tried, to be released, or ERR_PTR(). May sleep.
 */
struct perf_event *annot_pmu_event_try(struct annot_pmu_event *event, struct annot_event *asked);

/* The text of annot_config. */
void annot_pmu_event_text(const struct annot_pmu_event *event, const char *name,
			  struct annot_config_text *text);

/* A counter on @cpu, or ERR_PTR(); ERR_PTR(-EBUSY) if the CPU has none left. May sleep. */
struct perf_event *annot_pmu_event_create(struct perf_event_attr *attr, int cpu,
					  perf_overflow_handler_t handler, void *context);

/* Whether max_samples is reached. Context: any, NMIs too. */
static inline bool annot_pmu_event_limit_is_reached(const struct annot_pmu_event *event)
{
	return event->max_samples && atomic64_read(&event->nr_samples) >= event->max_samples;
}

#endif /* ANNOT_KMOD_PMU_EVENT_H */
