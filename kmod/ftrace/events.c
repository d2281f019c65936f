// SPDX-License-Identifier: GPL-2.0
/*
 * The trace events: the macros of trace/events/annot.h are expanded in this file.
 */
#include <linux/capability.h>
#include <linux/perf_event.h>
#include <linux/preempt.h>
#include <linux/sched.h>

#include "ftrace/clock.h"
#include "ftrace/events.h"
#include "ftrace/instances.h"

#define CREATE_TRACE_POINTS
#include <trace/events/annot.h>

void annot_events_fill_batch(u64 *words, const struct annot_batch_record *records, u32 nr)
{
	u64 now = annot_clock_ticks();
	u32 i;

	for (i = 0; i < nr; i++) {
		*words++ = annot_clock_interval_ns(records[i].ticks, now);
		*words++ = records[i].value;
		*words++ = records[i].what;
	}
}

bool annot_events_want_batches(void)
{
	return trace_annot_batch_enabled() && !annot_instances_shadow_batches();
}

void annot_events_emit_item(const struct annot_item *item)
{
	s32 tgid = current->tgid;

	switch (item->op) {
	case ANNOT_OP_NEXT:
		trace_annot_end(tgid, item->ticks);
		fallthrough;
	case ANNOT_OP_BEGIN:
		trace_annot_begin(item->name, ANNOT_SPAN_WORK, item->has_value, item->value, tgid,
				  item->ticks);
		break;
	case ANNOT_OP_WAIT_BEGIN:
		trace_annot_begin(item->name, ANNOT_SPAN_WAIT, item->has_value, item->value, tgid,
				  item->ticks);
		break;
	case ANNOT_OP_END:
		trace_annot_end(tgid, item->ticks);
		break;
	case ANNOT_OP_MARK:
		trace_annot_mark(item->name, item->has_value, item->value, tgid, item->ticks);
		break;
	case ANNOT_OP_COUNTER:
		trace_annot_counter(item->name, item->value, tgid, item->ticks);
		break;
	}
}

static const struct annot_batch_counts no_counts;

void annot_events_emit_batch(const struct annot_batch *batch)
{
	trace_annot_batch(batch->tgid, batch->table, batch->nr, batch->records, &no_counts);
}

void annot_events_emit_counted(u32 table, u32 nr, const struct annot_batch_record *records,
			       const struct annot_batch_counts *counts)
{
	trace_annot_batch(current->tgid, table, nr, records, counts);
}

void annot_events_emit_name(u32 table, u32 id, const char *name, bool *taken)
{
	trace_annot_name(id, table, current->tgid, name, taken);
}

void annot_events_emit_lost(u32 nr, u32 reason, s32 tgid)
{
	trace_annot_lost(nr, reason, tgid);
}

void annot_events_emit_sample(const struct annot_sample_data *sample)
{
	trace_annot_sample(sample);
}

void annot_events_emit_slice_counts(const struct annot_counts *counts, u8 ended_by)
{
	trace_annot_slice_counts(counts, ended_by);
}

void annot_events_emit_blocked(const struct annot_blocked *blocked)
{
	trace_annot_blocked(blocked);
}

void annot_events_emit_waking(s32 pid, u32 stack)
{
	trace_annot_waking(pid, stack);
}

bool annot_events_want_stacks(void)
{
	return trace_annot_stack_enabled();
}

bool annot_events_emit_stack(u32 id, const struct annot_stack_data *stack)
{
	bool taken = false;

	trace_annot_stack(id, stack, &taken);
	return taken;
}

bool annot_events_emit_pmu_state(u8 event, u8 state, u64 value)
{
	bool taken = false;

	trace_annot_pmu_state(event, state, value, &taken);
	return taken;
}

/*
 * What the tracepoint calls for each recording that enabled the event, here for one of them: a
 * recording that begins gets its annot_config, and the others do not get it again.
 */
bool annot_events_emit_config(struct trace_event_file *file, const char *text)
{
	bool taken = false;

	/* As in a tracepoint: the recorded preempt count is corrected for it. */
	preempt_disable_notrace();
	trace_event_raw_event_annot_config(file, text, &taken);
	preempt_enable_notrace();
	return taken;
}

/* What the tracepoint calls for each recording that enabled annot_batch. @data: its file. */
static void notrace events_record_batch(void *data, s32 tgid, u32 table, u32 nr,
					const struct annot_batch_record *records,
					const struct annot_batch_counts *counts)
{
	bool with_counts;

	if (annot_instances_take_batches(data, &with_counts))
		trace_event_raw_event_annot_batch(data, tgid, table, nr, records,
						  with_counts ? counts : &no_counts);
}

void annot_events_filter_batches(void)
{
	/* Probes are removed by this pointer: it must not change while one is registered. */
	if (!trace_annot_batch_enabled())
		event_class_annot_batch.probe = events_record_batch;
}

void annot_events_set_callbacks(const struct annot_events_callbacks *callbacks)
{
	event_class_annot_begin.reg = callbacks->singles;
	event_class_annot_end.reg = callbacks->singles;
	event_class_annot_mark.reg = callbacks->singles;
	event_class_annot_counter.reg = callbacks->singles;
	event_class_annot_batch.reg = callbacks->batches;
	event_class_annot_name.reg = callbacks->names;
	event_class_annot_sample.reg = callbacks->samples;
	event_class_annot_slice_counts.reg = callbacks->counts;
	event_class_annot_blocked.reg = callbacks->blocked;
	event_class_annot_waking.reg = callbacks->wakings;
	event_class_annot_stack.reg = callbacks->stacks;
}

void annot_events_set_config_callback(annot_events_reg_fn *config)
{
	event_class_annot_config.reg = config;
}

/*
 * Enabling an event acts on the whole machine: programs annotate, counters run. Through tracefs
 * this
 * takes root, or whom root lets. Through perf, any user may open a tracepoint for a process of
 * their own; these take CAP_PERFMON.
 */
static int events_perf_permission(struct trace_event_call *call, struct perf_event *perf)
{
	/* A child inherits what its parent was given. */
	return perf->parent || perfmon_capable() ? 0 : -EPERM;
}

static struct trace_event_call *const event_calls[] = {
	&event_annot_begin,	&event_annot_end,    &event_annot_mark,
	&event_annot_counter,	&event_annot_batch,  &event_annot_name,
	&event_annot_lost,	&event_annot_sample, &event_annot_slice_counts,
	&event_annot_pmu_state, &event_annot_config, &event_annot_blocked,
	&event_annot_waking,	&event_annot_stack,
};

#ifdef CONFIG_PERF_EVENTS

/* The events exist before this call: a user may have opened one, unchecked. */
int annot_events_guard_perf(void)
{
	unsigned int i;
	int err = 0;

	for (i = 0; i < ARRAY_SIZE(event_calls); i++) {
		WRITE_ONCE(event_calls[i]->perf_perm, events_perf_permission);
		/*
		 * Full barrier: perf_event_open() checks the permission, then counts the
		 * reference.
		 */
		smp_mb();
		if (READ_ONCE(event_calls[i]->perf_refcount))
			err = -EBUSY;
	}
	return err;
}

#else

int annot_events_guard_perf(void)
{
	return 0;
}

#endif
