/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Sleeps that last until a timer expires: nanosleep(), and poll(), futex() and the like whose time limit is reached. A thread starts
 * the timer itself, before it sleeps, and is woken while the timer's function runs. How late that is, is the difference of
 * two times on the timer's own clock, whichever that is.
 */
#ifndef ANNOT_MODEL_TIMERS_H
#define ANNOT_MODEL_TIMERS_H

#include "model/builder_state.h"

/* @event is of the kinds TRACE_TIMER_*. */
void timers_feed(struct model_builder *builder, const struct trace_event *event);

/* @event is a TRACE_WAKING or a TRACE_WAKEUP. */
void timers_wake(struct model_builder *builder, const struct trace_event *event);

/* Timers may have been started anew since. */
void timers_lose(struct model_builder *builder, int cpu);

#endif /* ANNOT_MODEL_TIMERS_H */
