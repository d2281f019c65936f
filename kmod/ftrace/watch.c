// SPDX-License-Identifier: GPL-2.0
/*
 * What happens when somebody enables or disables an event of ours.
 *
 * Enabling an event of annotations: rings are drained at each switch from before the event takes
 * anything, names are due again, and rings are closed, so that nothing from before is recorded.
 * Disabling it: rings are drained first. Enabling an event of measurements starts counters,
 * disabling it stops them. Enabling the event of threads that fall asleep has them looked at.
 */
#include <linux/mutex.h>
#include <linux/trace_events.h>

#include <uapi/annot.h>

#include "ftrace/clock.h"
#include "drain.h"
#include "ftrace/events.h"
#include "hooks.h"
#include "ftrace/instances.h"
#include "names.h"
#include "pmu/pmu.h"
#include "stack/intern.h"
#include "ftrace/watch.h"

/* Set from load to unload. Events may be enabled outside; then there is nothing else to do. */
static DEFINE_MUTEX(watch_lock);
static bool is_watching;

/*
 * A recording begins. It gets all names, and nothing from before. If it takes annotations one by
 * one, none may be under way in a ring. @file: NULL for perf.
 */
static int watch_enable(enum annot_form form, struct trace_event_call *call, enum trace_reg type,
			struct trace_event_file *file, void *data)
{
	int err = annot_hooks_hold();

	if (err)
		return err;
	/*
	 * Here, because the event mutex is held. A listener from before the module was loaded keeps
	 * the former probe.
	 */
	if (form == ANNOT_BATCHES)
		annot_events_filter_batches();
	annot_clock_calibrate();
	annot_names_renew();
	annot_drain_close_everywhere();
	err = annot_instances_add(file, form);
	if (!err) {
		err = trace_event_reg(call, type, data);
		if (err)
			annot_instances_remove(file, form);
	}
	annot_hooks_release();
	return err;
}

static int watch_disable(enum annot_form form, struct trace_event_call *call, enum trace_reg type,
			 struct trace_event_file *file, void *data)
{
	int err;

	annot_drain_everywhere();
	err = trace_event_reg(call, type, data);
	annot_instances_remove(file, form);
	return err;
}

enum change {
	CHANGE_BEGIN,
	CHANGE_END,
	CHANGE_NONE, /* concerns a perf event that exists: at each switch, with interrupts off */
};

/* @file: of the recording; NULL for perf. */
static enum change change_of(enum trace_reg type, void *data, struct trace_event_file **file)
{
	*file = NULL;
	switch (type) {
#ifdef CONFIG_PERF_EVENTS
	case TRACE_REG_PERF_REGISTER:
		return CHANGE_BEGIN;
	case TRACE_REG_PERF_UNREGISTER:
		return CHANGE_END;
#endif
	case TRACE_REG_REGISTER:
		*file = data;
		return CHANGE_BEGIN;
	case TRACE_REG_UNREGISTER:
		*file = data;
		return CHANGE_END;
	default:
		return CHANGE_NONE;
	}
}

/* A begin or end comes with the event mutex held, and without the mutex of the tracepoints. */
static int watch_annotations(enum annot_form form, struct trace_event_call *call,
			     enum trace_reg type, void *data)
{
	struct trace_event_file *file;
	enum change change = change_of(type, data, &file);
	int ret;

	if (change == CHANGE_NONE)
		return trace_event_reg(call, type, data);
	mutex_lock(&watch_lock);
	if (!is_watching)
		ret = trace_event_reg(call, type, data);
	else if (change == CHANGE_BEGIN)
		ret = watch_enable(form, call, type, file, data);
	else
		ret = watch_disable(form, call, type, file, data);
	mutex_unlock(&watch_lock);
	return ret;
}

static int watch_singles(struct trace_event_call *call, enum trace_reg type, void *data)
{
	return watch_annotations(ANNOT_SINGLES, call, type, data);
}

static int watch_batches(struct trace_event_call *call, enum trace_reg type, void *data)
{
	return watch_annotations(ANNOT_BATCHES, call, type, data);
}

/* A new listener to names gets those that others already have. */
static int watch_names(struct trace_event_call *call, enum trace_reg type, void *data)
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
		annot_names_renew();
		annot_drain_close_everywhere();
	}
	mutex_unlock(&watch_lock);
	return 0;
}

/* A new listener to stacks gets those that others already have. */
static int watch_stacks(struct trace_event_call *call, enum trace_reg type, void *data)
{
	struct trace_event_file *file;
	int err = trace_event_reg(call, type, data);

	if (!err && change_of(type, data, &file) == CHANGE_BEGIN)
		annot_stacks_renew();
	return err;
}

/* How many listeners annot_sample and annot_slice_counts have. Guarded by the event mutex. */
static unsigned int nr_measuring[2];

/* Which events carry a recording's counts depends on what else it takes. */
static int measuring_note(u8 mode, const struct trace_event_file *file)
{
	int err = 0;

	mutex_lock(&watch_lock);
	if (is_watching && mode == ANNOT_EVENT_COUNT)
		err = annot_instances_add(file, ANNOT_COUNTS);
	mutex_unlock(&watch_lock);
	return err;
}

static void measuring_forget(u8 mode, const struct trace_event_file *file)
{
	mutex_lock(&watch_lock);
	if (is_watching && mode == ANNOT_EVENT_COUNT)
		annot_instances_remove(file, ANNOT_COUNTS);
	mutex_unlock(&watch_lock);
}

static int measuring_begin(u8 mode, struct trace_event_call *call, enum trace_reg type,
			   struct trace_event_file *file, void *data)
{
	int err = measuring_note(mode, file);

	if (err)
		return err;
	err = trace_event_reg(call, type, data);
	if (err)
		measuring_forget(mode, file);
	else if (!nr_measuring[mode]++)
		annot_pmu_begin_mode(mode);
	return err;
}

static int measuring_end(u8 mode, struct trace_event_call *call, enum trace_reg type,
			 struct trace_event_file *file, void *data)
{
	int err;

	/* A listener from before the module was loaded was not counted. */
	if (nr_measuring[mode])
		nr_measuring[mode]--;
	if (!nr_measuring[mode])
		annot_pmu_end_mode(mode);
	err = trace_event_reg(call, type, data);
	measuring_forget(mode, file);
	return err;
}

/*
 * Called with the event mutex held, and without the mutex of the tracepoints. Counters start after
 * the event is enabled, and stop before it is disabled, so that all they tell is recorded.
 */
static int watch_measuring(u8 mode, struct trace_event_call *call, enum trace_reg type, void *data)
{
	struct trace_event_file *file;

	switch (change_of(type, data, &file)) {
	case CHANGE_BEGIN:
		return measuring_begin(mode, call, type, file, data);
	case CHANGE_END:
		return measuring_end(mode, call, type, file, data);
	default:
		return trace_event_reg(call, type, data);
	}
}

static int watch_samples(struct trace_event_call *call, enum trace_reg type, void *data)
{
	return watch_measuring(ANNOT_EVENT_SAMPLE, call, type, data);
}

static int watch_counts(struct trace_event_call *call, enum trace_reg type, void *data)
{
	return watch_measuring(ANNOT_EVENT_COUNT, call, type, data);
}

/*
 * An event that takes a probe of the scheduler's, which is there as long as anybody listens.
 * @nr_listeners: guarded by the event mutex
 */
struct probed_event {
	unsigned int nr_listeners;
	int (*begin)(void);
	void (*end)(void);
};

static int probed_begin(struct probed_event *event, struct trace_event_call *call,
			enum trace_reg type, void *data)
{
	int err;

	if (!event->nr_listeners) {
		err = event->begin();
		if (err)
			return err;
	}
	err = trace_event_reg(call, type, data);
	if (!err)
		event->nr_listeners++;
	else if (!event->nr_listeners)
		event->end();
	return err;
}

/* Called with the event mutex held. */
static int watch_probed(struct probed_event *event, struct trace_event_call *call,
			enum trace_reg type, void *data)
{
	struct trace_event_file *file;
	int err;

	switch (change_of(type, data, &file)) {
	case CHANGE_BEGIN:
		return probed_begin(event, call, type, data);
	case CHANGE_END:
		err = trace_event_reg(call, type, data);
		/* A listener from before the module was loaded was not counted. */
		if (event->nr_listeners && !--event->nr_listeners)
			event->end();
		return err;
	default:
		return trace_event_reg(call, type, data);
	}
}

static int watch_blocked(struct trace_event_call *call, enum trace_reg type, void *data)
{
	static struct probed_event blocked = {
		.begin = annot_hooks_begin_blocked,
		.end = annot_hooks_end_blocked,
	};

	return watch_probed(&blocked, call, type, data);
}

static int watch_wakings(struct trace_event_call *call, enum trace_reg type, void *data)
{
	static struct probed_event wakings = {
		.begin = annot_hooks_begin_wakings,
		.end = annot_hooks_end_wakings,
	};

	return watch_probed(&wakings, call, type, data);
}

int annot_watch_begin(void)
{
	static const struct annot_events_callbacks callbacks = {
		.singles = watch_singles,
		.batches = watch_batches,
		.names = watch_names,
		.samples = watch_samples,
		.counts = watch_counts,
		.blocked = watch_blocked,
		.wakings = watch_wakings,
		.stacks = watch_stacks,
	};

	annot_events_set_callbacks(&callbacks);
	mutex_lock(&watch_lock);
	is_watching = true;
	mutex_unlock(&watch_lock);
	return annot_events_guard_perf();
}

void annot_watch_end(void)
{
	mutex_lock(&watch_lock);
	is_watching = false;
	/* The events are disabled later, when they go with the module: that is not watched. */
	annot_instances_forget();
	mutex_unlock(&watch_lock);
}
