/* SPDX-License-Identifier: GPL-2.0 */
/* Events of the scheduler, and of threads that are made, renamed and end: what they change in threads and CPUs (threads.h). */
#ifndef ANNOT_MODEL_SCHED_EVENTS_H
#define ANNOT_MODEL_SCHED_EVENTS_H

struct model_builder;
struct trace_event;

/* evidence_take() has seen the event: the thread that leaves is the CPU's runner. */
void sched_feed_switch(struct model_builder *builder, const struct trace_event *event);
/* Who woke the thread, for the wakeup that follows. */
void sched_feed_waking(struct model_builder *builder, const struct trace_event *event);
void sched_feed_wakeup(struct model_builder *builder, const struct trace_event *event);
void sched_feed_migrate(struct model_builder *builder, const struct trace_event *event);
void sched_feed_fork(struct model_builder *builder, const struct trace_event *event);
/* An exec is one, too. */
void sched_feed_rename(struct model_builder *builder, const struct trace_event *event);
void sched_feed_exit(struct model_builder *builder, const struct trace_event *event);

#endif /* ANNOT_MODEL_SCHED_EVENTS_H */
