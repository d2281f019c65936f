/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The figures of one event: how often it happened, how far off that can be, and at which rate.
 */
#ifndef ANNOT_ANALYSIS_EVENTS_EVENT_RATES_H
#define ANNOT_ANALYSIS_EVENTS_EVENT_RATES_H

#include "model/model.h"

struct turn_sums;

struct event_figures {
	bool measured; /* false: nobody knows, which is not 0 */
	uint64_t nr_samples;
	double count;
	double variance; /* of samples: the squares of their periods */
	double shared; /* of counts: how far off they can be, for having been shared by time */
	uint64_t on_cpu_ns; /* that the count is of */
	uint64_t unmeasured_ns; /* on a CPU, too, but without a counter at work */
	uint64_t nr_incomplete; /* slices in which its counter did not run all the time */
	struct turn_sums
		*turns; /* of an event that took turns with others (event_turns.h); else NULL */
};

/* A sample that stands for @period more. */
void event_add_sample(struct event_figures *figures, uint64_t period);

/* @share of a slice's @count. */
void event_add_share(struct event_figures *figures, double share, double count);

/*
 * How far the truth may be from @count, the sum of the periods of samples, whose squares make
 * @variance, in 95 of 100 cases; of no sample, by the @period that there would be one in.
 */
double event_samples_error(double count, double variance, double period);

/* How far the truth may be from the count of event @event of the model; 0: it is exact; INFINITY: nobody knows. */
double event_error(const struct model *model, size_t event, const struct event_figures *figures);

/*
 * For how much of its time it was counted, 0 to 1, and how sure the count is, 0 to 1: 1 less its error as a part of it. False: it
 * did not take turns with others.
 */
struct event_reliability {
	double measured_share;
	double reliability;
};

bool event_reliability_of(const struct model *model, size_t event,
			  const struct event_figures *figures,
			  struct event_reliability *reliability);

/* What happened in a microsecond on a CPU. False: it was on none, or was measured for too little of it. */
bool event_per_us(const struct event_figures *figures, double *rate);

/* Whether the event happens once for each instruction, going by its name. */
bool event_is_instructions(const char *name);

/* Whether it happens once for each cycle of the core, going by its name. */
bool event_is_cycles(const char *name);

/* A ratio, and how far the truth may be from it; INFINITY: as far as it likes. */
struct event_ratio {
	double value;
	double error;
};

/* What @event has for each 1000 of @instructions, which is of 1 or more. */
struct event_ratio event_ratio(const struct model *model, size_t event, size_t instructions,
			       const struct event_figures *figures);

/*
 * The event that counted instructions of the same modes (user, kernel) as @event, which are at least one; SIZE_MAX: none.
 * @figures are of all events of one task or thread.
 */
size_t event_instructions_beside(const struct model *model, size_t event,
				 const struct event_figures *figures);

/*
 * What happened for each thousand instructions. False: instructions were not counted, or not in
 * the same mode (user, kernel). @figures are of all events of one task or thread.
 */
bool event_per_1000_instructions(const struct model *model, size_t event,
				 const struct event_figures *figures, struct event_ratio *ratio);

#endif /* ANNOT_ANALYSIS_EVENTS_EVENT_RATES_H */
