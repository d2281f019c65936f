// SPDX-License-Identifier: GPL-2.0
#include "analysis/events/event_caveats.h"

#include <uapi/annot.h>

/* From this precision on, a sample names the instruction itself (perf_event_open(2): precise_ip). */
#define NO_SKID 2
/* Timers fire at multiples of this. */
#define ROUND_TIME_NS 100000u

static const struct {
	const char *word;
	const char *text;
} caveats[NR_EVENT_CAVEATS] = {
	[EVENT_CAVEAT_SKID] = { "skid",
				"the instruction of a sample stands some way after the one that caused it" },
	[EVENT_CAVEAT_STEP] = { "step",
				"loops whose length goes into the period are sampled at the same place: "
				"take a prime" },
	[EVENT_CAVEAT_VIRTUAL] = { "virtual",
				   "the machine is virtual: its host may take the CPU and its counters away, "
				   "which is not seen" },
	[EVENT_CAVEAT_SMT] = { "smt",
			       "cores have several threads: what one does changes what the other has" },
	[EVENT_CAVEAT_TURNS] = { "turns",
				 "it took turns with other events: its count is an estimate" },
	[EVENT_CAVEAT_THROTTLED] = { "throttled",
				     "for some time it was stopped, as it interrupted too often" },
	[EVENT_CAVEAT_NO_COUNTER] = { "no_counter", "for some time there was no counter for it" },
};

const char *event_caveat_word(enum event_caveat caveat)
{
	return caveats[caveat].word;
}

const char *event_caveat_text(enum event_caveat caveat)
{
	return caveats[caveat].text;
}

/* IBS tells the instruction itself, and begins each period at a random number. */
static bool has_skid(const struct pmu_event *event)
{
	return !event->is_counted && !event->is_software && !event->by_ratio &&
	       event->precise < NO_SKID;
}

/* A loop with a round number of iterations, accesses or bytes is usual; so is a timer with a round time. */
static bool may_be_in_step(const struct pmu_event *event)
{
	if (event->is_counted || event->by_ratio || event->period < 2)
		return false;
	if (event->is_clock)
		return !(event->period % ROUND_TIME_NS);
	return !(event->period % 2) || !(event->period % 3) || !(event->period % 5);
}

static bool has_gap(const struct model *model, size_t event, uint8_t state)
{
	const struct pmu_gap_table *gaps = &model->pmu_gaps;

	for (size_t i = 0; i < gaps->nr; i++) {
		if (gaps->event[i] == event && gaps->state[i] == state &&
		    gaps->end_ns[i] > gaps->start_ns[i])
			return true;
	}
	return false;
}

bool event_has_caveat(const struct model *model, size_t event, enum event_caveat caveat)
{
	const struct pmu_event *own = &model->pmu_events[event];

	bool is_described = own->text != TRACE_NO_STRING;

	if (own->error)
		return false;
	switch (caveat) {
	case EVENT_CAVEAT_SKID:
		return is_described && has_skid(own);
	case EVENT_CAVEAT_STEP:
		return is_described && may_be_in_step(own);
	case EVENT_CAVEAT_VIRTUAL:
		return is_described && !own->is_software && model->is_virtual;
	case EVENT_CAVEAT_SMT:
		return is_described && !own->is_software &&
		       topology_cores_are_shared(&model->topology);
	case EVENT_CAVEAT_TURNS:
		return own->is_shared;
	case EVENT_CAVEAT_THROTTLED:
		return has_gap(model, event, ANNOT_PMU_THROTTLED);
	case EVENT_CAVEAT_NO_COUNTER:
		return has_gap(model, event, ANNOT_PMU_FAILED);
	default:
		return false;
	}
}
