/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Why the figures of an event may not be what they seem to be, as far as the trace tells.
 */
#ifndef ANNOT_ANALYSIS_EVENTS_EVENT_CAVEATS_H
#define ANNOT_ANALYSIS_EVENTS_EVENT_CAVEATS_H

#include <stdbool.h>
#include <stddef.h>

#include "model/model.h"

enum event_caveat {
	EVENT_CAVEAT_SKID, /* a sample's instruction stands after the one that caused it */
	EVENT_CAVEAT_STEP, /* the period may be in step with a loop of the program (aliasing) */
	EVENT_CAVEAT_VIRTUAL, /* a hypervisor may take the CPU and its counters away */
	EVENT_CAVEAT_SMT, /* threads of one core share what is measured */
	EVENT_CAVEAT_TURNS, /* it took turns with other events */
	EVENT_CAVEAT_THROTTLED, /* for some time it was stopped, as it interrupted too often */
	EVENT_CAVEAT_NO_COUNTER, /* for some time there was no counter for it */
	NR_EVENT_CAVEATS,
};

/* Whether @caveat applies to the event. Nothing does to one that was refused. Cost: a walk over model.pmu_gaps. */
bool event_has_caveat(const struct model *model, size_t event, enum event_caveat caveat);

/* "skid", "step", ...: for programs. */
const char *event_caveat_word(enum event_caveat caveat);

/* One sentence for people, without a stop. */
const char *event_caveat_text(enum event_caveat caveat);

#endif /* ANNOT_ANALYSIS_EVENTS_EVENT_CAVEATS_H */
