// SPDX-License-Identifier: GPL-2.0
/*
 * The events themselves: the one file that the macros of trace/events/annot.h unfold in.
 */
#include <linux/capability.h>
#include <linux/perf_event.h>
#include <linux/preempt.h>
#include <linux/sched.h>

#include "annot.h"
#include "ring.h"

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
	return trace_annot_batch_enabled() && !annot_instances_shadow_batches();
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

static const struct annot_batch_counts no_counts;

void annot_emit_batch(const struct annot_batch *batch)
{
	trace_annot_batch(batch->tgid, batch->table, batch->nr, batch->records, &no_counts);
}

void annot_emit_calls(u32 table, u32 nr, const struct annot_batch_record *records,
		      const struct annot_batch_counts *counts)
{
	trace_annot_batch(current->tgid, table, nr, records, counts);
}

void annot_emit_name(u32 table, u32 id, const char *name, bool *taken)
{
	trace_annot_name(id, table, current->tgid, name, taken);
}

void annot_emit_lost(u32 nr, u32 reason, s32 tgid)
{
	trace_annot_lost(nr, reason, tgid);
}

void annot_emit_sample(const struct annot_sample_data *sample)
{
	trace_annot_sample(sample);
}

void annot_emit_slice_counts(const struct annot_counts *counts, u8 until)
{
	trace_annot_slice_counts(counts, until);
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

/* From load to unload; outside, somebody may enable events, and nothing else is there. */
static DEFINE_MUTEX(watch_lock);
static bool is_watching;

/* What the tracepoint calls for each recording that enabled annot_batch; @data is its file. */
static void notrace record_batch(void *data, s32 tgid, u32 table, u32 nr,
				 const struct annot_batch_record *records,
				 const struct annot_batch_counts *counts)
{
	bool with_counts;

	if (annot_instance_takes_batches(data, &with_counts))
		trace_event_raw_event_annot_batch(data, tgid, table, nr, records,
						  with_counts ? counts : &no_counts);
}

static enum annot_form form_of(const struct trace_event_call *call)
{
	return call->class == &event_class_annot_batch ? ANNOT_BATCHES : ANNOT_SINGLES;
}

/*
 * A recording begins: it is to hear the names, and nothing from before; and where annotations are
 * to come one by one, none may be under way in a ring. @file: NULL, if perf it is.
 */
static int enable_annotations(struct trace_event_call *call, enum trace_reg type,
			      struct trace_event_file *file, void *data)
{
	int err = annot_hooks_hold();

	if (err)
		return err;
	/*
	 * Here, for the event mutex is held: probes are taken out again by this, and who enabled it
	 * while this module was loading goes by the former.
	 */
	if (form_of(call) == ANNOT_BATCHES && !trace_annot_batch_enabled())
		event_class_annot_batch.probe = record_batch;
	annot_clock_calibrate();
	annot_names_tell_again();
	annot_drain_close_everywhere();
	err = annot_instance_add(file, form_of(call));
	if (!err) {
		err = trace_event_reg(call, type, data);
		if (err)
			annot_instance_remove(file, form_of(call));
	}
	annot_hooks_release();
	return err;
}

static int disable_annotations(struct trace_event_call *call, enum trace_reg type,
			       struct trace_event_file *file, void *data)
{
	int err;

	annot_drain_everywhere();
	err = trace_event_reg(call, type, data);
	annot_instance_remove(file, form_of(call));
	return err;
}

static int watched_reg(struct trace_event_call *call, enum trace_reg type, void *data)
{
	switch (type) {
#ifdef CONFIG_PERF_EVENTS
	case TRACE_REG_PERF_REGISTER:
		return enable_annotations(call, type, NULL, data);
	case TRACE_REG_PERF_UNREGISTER:
		return disable_annotations(call, type, NULL, data);
#endif
	case TRACE_REG_REGISTER:
		return enable_annotations(call, type, data, data);
	case TRACE_REG_UNREGISTER:
		return disable_annotations(call, type, data, data);
	default:
		return trace_event_reg(call, type, data);
	}
}

/* Else it is about an event of perf's that is there, at each switch, with interrupts off. */
static bool begins_or_ends(enum trace_reg type)
{
	switch (type) {
#ifdef CONFIG_PERF_EVENTS
	case TRACE_REG_PERF_REGISTER:
	case TRACE_REG_PERF_UNREGISTER:
#endif
	case TRACE_REG_REGISTER:
	case TRACE_REG_UNREGISTER:
		return true;
	default:
		return false;
	}
}

/* What begins or ends a recording comes with the event mutex held, not that of the tracepoints. */
static int annotations_reg(struct trace_event_call *call, enum trace_reg type, void *data)
{
	int ret;

	if (!begins_or_ends(type))
		return trace_event_reg(call, type, data);
	mutex_lock(&watch_lock);
	if (is_watching)
		ret = watched_reg(call, type, data);
	else
		ret = trace_event_reg(call, type, data);
	mutex_unlock(&watch_lock);
	return ret;
}

/* Who begins to listen to names is to hear those that others have heard. */
static int names_reg(struct trace_event_call *call, enum trace_reg type, void *data)
{
	bool begins = type == TRACE_REG_REGISTER;
	int err = trace_event_reg(call, type, data);

#ifdef CONFIG_PERF_EVENTS
	begins |= type == TRACE_REG_PERF_REGISTER;
#endif
	if (err || !begins)
		return err;
	mutex_lock(&watch_lock);
	if (is_watching) {
		annot_names_tell_again();
		annot_drain_close_everywhere();
	}
	mutex_unlock(&watch_lock);
	return 0;
}

/* How many have enabled annot_sample and annot_slice_counts. Guarded by the event mutex. */
static unsigned int nr_measuring[2];

static u8 mode_of(const struct trace_event_call *call)
{
	return call->class == &event_class_annot_sample ? ANNOT_EVENT_SAMPLE : ANNOT_EVENT_COUNT;
}

/* Where a recording's counts stand depends on what else it takes. */
static int note_measuring(u8 mode, const struct trace_event_file *file)
{
	int err = 0;

	mutex_lock(&watch_lock);
	if (is_watching && mode == ANNOT_EVENT_COUNT)
		err = annot_instance_add(file, ANNOT_COUNTS);
	mutex_unlock(&watch_lock);
	return err;
}

static void forget_measuring(u8 mode, const struct trace_event_file *file)
{
	mutex_lock(&watch_lock);
	if (is_watching && mode == ANNOT_EVENT_COUNT)
		annot_instance_remove(file, ANNOT_COUNTS);
	mutex_unlock(&watch_lock);
}

static int begin_measuring(struct trace_event_call *call, enum trace_reg type,
			   struct trace_event_file *file, void *data)
{
	u8 mode = mode_of(call);
	int err = note_measuring(mode, file);

	if (err)
		return err;
	err = trace_event_reg(call, type, data);
	if (err)
		forget_measuring(mode, file);
	else if (!nr_measuring[mode]++)
		annot_pmu_begin_mode(mode);
	return err;
}

static int end_measuring(struct trace_event_call *call, enum trace_reg type,
			 struct trace_event_file *file, void *data)
{
	u8 mode = mode_of(call);
	int err;

	/* One who enabled it while this module was loading was not counted. */
	if (nr_measuring[mode])
		nr_measuring[mode]--;
	if (!nr_measuring[mode])
		annot_pmu_end_mode(mode);
	err = trace_event_reg(call, type, data);
	forget_measuring(mode, file);
	return err;
}

/*
 * Called with the event mutex held, and not with that of the tracepoints. Counters begin when the
 * event takes all that they tell, and end before it ceases to: nothing is counted in between.
 */
static int measuring_reg(struct trace_event_call *call, enum trace_reg type, void *data)
{
	switch (type) {
#ifdef CONFIG_PERF_EVENTS
	case TRACE_REG_PERF_REGISTER:
		return begin_measuring(call, type, NULL, data);
	case TRACE_REG_PERF_UNREGISTER:
		return end_measuring(call, type, NULL, data);
#endif
	case TRACE_REG_REGISTER:
		return begin_measuring(call, type, data, data);
	case TRACE_REG_UNREGISTER:
		return end_measuring(call, type, data, data);
	default:
		return trace_event_reg(call, type, data);
	}
}

/*
 * Enabling an event acts on the whole machine: programs annotate, counters run. Through tracefs
 * that takes root, or whom root lets. Through perf anybody may have a tracepoint for a process of
 * one's own; not these.
 */
static int may_open_perf(struct trace_event_call *call, struct perf_event *perf)
{
	/* A child inherits what its parent was given. */
	return perf->parent || perfmon_capable() ? 0 : -EPERM;
}

static struct trace_event_call *const all_calls[] = {
	&event_annot_begin,	&event_annot_end,    &event_annot_mark,
	&event_annot_counter,	&event_annot_batch,  &event_annot_name,
	&event_annot_lost,	&event_annot_sample, &event_annot_slice_counts,
	&event_annot_pmu_state, &event_annot_config,
};

#ifdef CONFIG_PERF_EVENTS

/* The events are there before this: whoever came first has not been looked at. */
static int watch_perf(void)
{
	unsigned int i;
	int err = 0;

	for (i = 0; i < ARRAY_SIZE(all_calls); i++) {
		WRITE_ONCE(all_calls[i]->perf_perm, may_open_perf);
		/* Full barrier: perf_event_open() counts behind looking at the former. */
		smp_mb();
		if (READ_ONCE(all_calls[i]->perf_refcount))
			err = -EBUSY;
	}
	return err;
}

#else

static int watch_perf(void)
{
	return 0;
}

#endif

int annot_watch_events(void)
{
	event_class_annot_begin.reg = annotations_reg;
	event_class_annot_end.reg = annotations_reg;
	event_class_annot_mark.reg = annotations_reg;
	event_class_annot_counter.reg = annotations_reg;
	event_class_annot_batch.reg = annotations_reg;
	event_class_annot_name.reg = names_reg;
	event_class_annot_sample.reg = measuring_reg;
	event_class_annot_slice_counts.reg = measuring_reg;
	mutex_lock(&watch_lock);
	is_watching = true;
	mutex_unlock(&watch_lock);
	return watch_perf();
}

void annot_unwatch_events(void)
{
	mutex_lock(&watch_lock);
	is_watching = false;
	/* That they disable the events, when these go with the module, is heard no more. */
	annot_instances_forget();
	mutex_unlock(&watch_lock);
}
