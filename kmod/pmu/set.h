/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A set of events, as ANNOT_IOC_EVENTS asks for it.
 */
#ifndef ANNOT_KMOD_PMU_SET_H
#define ANNOT_KMOD_PMU_SET_H

#include <linux/fs.h>
#include <linux/percpu.h>
#include <linux/types.h>

#include <uapi/annot.h>

#include "ftrace/config.h"
#include "pmu/counter.h"
#include "pmu/event.h"

struct annot_pmu_set {
	const struct file *owner;
	struct annot_pmu_counter __percpu *counters; /* @nr for each CPU */
	u32 nr;
	u32 nr_counted;
	unsigned int sampling_round; /* to which nr_samples of its events belong */
	u32 masks[2]; /* events of ANNOT_EVENT_SAMPLE, ANNOT_EVENT_COUNT */
	u32 shared; /* of the second: those of ANNOT_EVENT_SHARED */
	u8 counted[ANNOT_EVENTS_MAX]; /* indices of the second */
	struct annot_pmu_event events[ANNOT_EVENTS_MAX];
	struct annot_config_text texts[ANNOT_EVENTS_MAX];
};

/*
 * Tries the events @asked, of which there are @head->nr, and writes into each what came of it.
 * Return: the set or ERR_PTR(-ENOMEM). May sleep.
 */
struct annot_pmu_set *annot_pmu_set_make(struct annot_event *asked, const struct annot_events *head,
					 const struct file *owner);
void annot_pmu_set_free(struct annot_pmu_set *set);

#endif /* ANNOT_KMOD_PMU_SET_H */
