/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Sleeps that last until a timer expires: nanosleep(), and poll(), futex() and the like whose time limit is reached. A thread starts
 * the timer itself, before it sleeps, and is woken while the timer's function runs. How late that is, is the difference of
 * two times on the timer's own clock, whichever that is.
 */
#ifndef ANNOT_MODEL_TIMERS_H
#define ANNOT_MODEL_TIMERS_H

#include "model/builder_state.h"
#include "util/rare.h"

/* @event is of the kinds TRACE_TIMER_*. */
void timers_feed(struct model_builder *builder, const struct trace_event *event);

/* timers_wake() within the function of a timer. */
RARE void timers_wake_by(struct model_builder *builder, const struct expired_timer *expired,
			 const struct trace_event *event);

/* @event is a TRACE_WAKING or a TRACE_WAKEUP. */
static inline void timers_wake(struct model_builder *builder, const struct trace_event *event)
{
	const struct expired_timer *expired = &builder->cpus[event->cpu].timer;

	if (expired->is_open)
		timers_wake_by(builder, expired, event);
}

/* Timers may have been started anew since. */
void timers_lose(struct model_builder *builder, int cpu);

#endif /* ANNOT_MODEL_TIMERS_H */
