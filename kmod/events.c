// SPDX-License-Identifier: GPL-2.0
/*
 * The events themselves: the one file that the macros of trace/events/annot.h unfold in.
 */
#include <linux/preempt.h>
#include <linux/sched.h>

#include "annot.h"

#define CREATE_TRACE_POINTS
#include <trace/events/annot.h>

void annot_batch_fill(u64 *words, const struct annot_batch_record *records, u32 nr)
{
	u64 now = annot_clock_ticks();
	u32 i;

	for (i = 0; i < nr; i++) {
		*words++ = annot_clock_ago_ns(now, records[i].ticks);
		*words++ = records[i].value;
		*words++ = records[i].what;
	}
}

bool annot_wants_batches(void)
{
	return trace_annot_batch_enabled() && !trace_annot_begin_enabled();
}

void annot_emit(const struct annot_item *item)
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

void annot_emit_batch(const struct annot_batch *batch)
{
	trace_annot_batch(batch->tgid, batch->table, batch->nr, batch->records);
}

void annot_emit_name(const struct annot_batch *batch, u32 id, const char *name, bool *taken)
{
	trace_annot_name(id, batch->table, batch->tgid, name, taken);
}

void annot_emit_lost(u32 nr, u32 reason, s32 tgid)
{
	trace_annot_lost(nr, reason, tgid);
}

void annot_emit_sample(const struct annot_sample_data *sample)
{
	trace_annot_sample(sample);
}

void annot_emit_slice_counts(u32 nr, u32 invalid, u8 until, const u64 *counts)
{
	trace_annot_slice_counts(nr, invalid, until, counts);
}

bool annot_emit_pmu_state(u8 event, u8 state, u64 value)
{
	bool taken = false;

	trace_annot_pmu_state(event, state, value, &taken);
	return taken;
}

/*
 * What the tracepoint would call for each file that enabled the event, here for one of them: a
 * recording that begins gets its annot_config without repeating it in those already under way.
 */
bool annot_emit_config(struct trace_event_file *file, const char *text)
{
	bool taken = false;

	/* As a tracepoint does, which the recorded preempt count is corrected for. */
	preempt_disable_notrace();
	trace_event_raw_event_annot_config(file, text, &taken);
	preempt_enable_notrace();
	return taken;
}

void annot_watch_config_event(int (*reg)(struct trace_event_call *call, enum trace_reg type,
					 void *data))
{
	event_class_annot_config.reg = reg;
}

static int enable_annotations(struct trace_event_call *call, enum trace_reg type, void *data)
{
	int err = annot_hooks_hold();

	if (err)
		return err;
	err = trace_event_reg(call, type, data);
	annot_hooks_release();
	annot_drain_tell_names_again();
	return err;
}

/* Called with the event mutex held, and not with that of the tracepoints. */
static int annotations_reg(struct trace_event_call *call, enum trace_reg type, void *data)
{
	switch (type) {
#ifdef CONFIG_PERF_EVENTS
	case TRACE_REG_PERF_REGISTER:
#endif
	case TRACE_REG_REGISTER:
		return enable_annotations(call, type, data);
#ifdef CONFIG_PERF_EVENTS
	case TRACE_REG_PERF_UNREGISTER:
#endif
	case TRACE_REG_UNREGISTER:
		annot_drain_everywhere();
		return trace_event_reg(call, type, data);
	default:
		return trace_event_reg(call, type, data);
	}
}

/* How many have enabled annot_sample and annot_slice_counts. Guarded by the event mutex. */
static unsigned int nr_measuring[2];

static u8 mode_of(const struct trace_event_call *call)
{
	return call->class == &event_class_annot_sample ? ANNOT_EVENT_SAMPLE : ANNOT_EVENT_COUNT;
}

/*
 * Called with the event mutex held, and not with that of the tracepoints. Counters begin when the
 * event takes all that they tell, and end before it ceases to: nothing is counted in between.
 */
static int measuring_reg(struct trace_event_call *call, enum trace_reg type, void *data)
{
	u8 mode = mode_of(call);
	int err;

	switch (type) {
#ifdef CONFIG_PERF_EVENTS
	case TRACE_REG_PERF_REGISTER:
#endif
	case TRACE_REG_REGISTER:
		err = trace_event_reg(call, type, data);
		if (!err && !nr_measuring[mode]++)
			annot_pmu_begin_mode(mode);
		return err;
#ifdef CONFIG_PERF_EVENTS
	case TRACE_REG_PERF_UNREGISTER:
#endif
	case TRACE_REG_UNREGISTER:
		/* One who enabled it while this module was loading was not counted. */
		if (nr_measuring[mode])
			nr_measuring[mode]--;
		if (!nr_measuring[mode])
			annot_pmu_end_mode(mode);
		return trace_event_reg(call, type, data);
	default:
		return trace_event_reg(call, type, data);
	}
}

void annot_watch_events(void)
{
	event_class_annot_begin.reg = annotations_reg;
	event_class_annot_end.reg = annotations_reg;
	event_class_annot_mark.reg = annotations_reg;
	event_class_annot_counter.reg = annotations_reg;
	event_class_annot_batch.reg = annotations_reg;
	event_class_annot_sample.reg = measuring_reg;
	event_class_annot_slice_counts.reg = measuring_reg;
}
