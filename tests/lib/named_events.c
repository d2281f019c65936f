// SPDX-License-Identifier: GPL-2.0
#include "named_events.h"

#include <inttypes.h>
#include <stdio.h>

#include "model/builder.h"
#include "model/builder_state.h"

static struct trace *trace;
static struct model_builder builder;
static int32_t process_tgid = NAMED_FIRST_TID;

int named_open_trace(void **state)
{
	(void)state;
	return trace_open("tests/data/plain-6.1.dat", &trace);
}

int named_close_trace(void **state)
{
	(void)state;
	trace_close(trace);
	return 0;
}

struct trace *named_trace(void)
{
	return trace;
}

void feed_named_of(int32_t tgid)
{
	process_tgid = tgid;
}

void named_begin(void)
{
	struct trace_event first = { .time_ns = NAMED_START_NS, .kind = TRACE_CONFIG };

	process_tgid = NAMED_FIRST_TID;
	model_builder_init(&builder, trace);
	model_builder_feed(&builder, &first);
}

struct model *named_end(uint64_t time_ns)
{
	struct trace_event last = { .time_ns = time_ns, .kind = TRACE_CONFIG };

	model_builder_feed(&builder, &last);
	return model_builder_finish(&builder);
}

static struct trace_event annotation_of(uint64_t time_ns, int thread, enum trace_event_kind kind,
					const char *name, int64_t value)
{
	struct trace_event event = { .time_ns = time_ns,
				     .kind = kind,
				     .cpu = thread + (process_tgid == NAMED_SECOND_TID ? 8 : 0),
				     .tid = process_tgid + thread };

	event.annot.tgid = process_tgid;
	event.annot.true_ns = time_ns;
	event.annot.name = name ? trace_intern(trace, name) : TRACE_NO_STRING;
	event.annot.has_value = true;
	event.annot.value = value;
	return event;
}

void feed_named_at(uint64_t time_ns, int thread, enum trace_event_kind kind, const char *name,
		   int64_t value)
{
	struct trace_event event = annotation_of(time_ns, thread, kind, name, value);

	model_builder_feed(&builder, &event);
}

void feed_named_wait_begin_at(uint64_t time_ns, int thread, const char *name, int64_t value)
{
	struct trace_event event = annotation_of(time_ns, thread, TRACE_SPAN_BEGIN, name, value);

	event.annot.span_kind = TRACE_SPAN_WAIT;
	model_builder_feed(&builder, &event);
}

void feed_named_wait_at(uint64_t from_ns, uint64_t to_ns, int thread, const char *name,
			int64_t value)
{
	feed_named_wait_begin_at(from_ns, thread, name, value);
	feed_named_at(to_ns, thread, TRACE_SPAN_END, NULL, 0);
}

void feed_named_work_at(uint64_t from_ns, uint64_t to_ns, int thread, const char *name,
			int64_t value)
{
	feed_named_at(from_ns, thread, TRACE_SPAN_BEGIN, name, value);
	feed_named_at(to_ns, thread, TRACE_SPAN_END, NULL, 0);
}

static void feed_switch(uint64_t time_ns, int cpu, int32_t prev, int32_t next)
{
	struct trace_event event = {
		.time_ns = time_ns, .kind = TRACE_SWITCH, .cpu = cpu, .tid = prev
	};

	event.sw.next_tid = next;
	event.sw.reason = TRACE_OUT_SLEEPING;
	model_builder_feed(&builder, &event);
}

void feed_named_sleep_at(uint64_t time_ns, int thread)
{
	feed_switch(time_ns, thread, NAMED_FIRST_TID + thread, 0);
}

void feed_named_sleep_for_at(uint64_t time_ns, int thread, const char *cause)
{
	struct trace_event event = { .time_ns = time_ns,
				     .kind = TRACE_KERNEL_STACK,
				     .cpu = thread,
				     .tid = NAMED_FIRST_TID + thread };

	feed_named_sleep_at(time_ns, thread);
	event.stack.cause = trace_intern(trace, cause);
	event.stack.frames = event.stack.cause;
	model_builder_feed(&builder, &event);
}

void feed_named_futex_at(uint64_t time_ns, int thread, const char *cause, uint64_t address,
			 int holder)
{
	struct trace_event event = { .time_ns = time_ns,
				     .kind = TRACE_BLOCKED,
				     .cpu = thread,
				     .tid = NAMED_FIRST_TID + thread };
	char object[32];

	snprintf(object, sizeof(object), "futex %#" PRIx64, address);
	event.blocked.cause = trace_intern(trace, cause);
	event.blocked.object = trace_intern(trace, object);
	event.blocked.object_id = address;
	event.blocked.holder_tid = holder < 0 ? 0 : NAMED_FIRST_TID + holder;
	model_builder_feed(&builder, &event);
	feed_named_sleep_at(time_ns, thread);
}

void feed_named_run_at(uint64_t time_ns, int thread)
{
	feed_switch(time_ns, thread, 0, NAMED_FIRST_TID + thread);
}

static void feed_wakeup(uint64_t time_ns, int cpu, int32_t waker_tid, int wakee)
{
	struct trace_event event = {
		.time_ns = time_ns, .kind = TRACE_WAKEUP, .cpu = cpu, .tid = waker_tid
	};

	event.wakeup.wakee_tid = NAMED_FIRST_TID + wakee;
	event.wakeup.target_cpu = wakee;
	model_builder_feed(&builder, &event);
}

void feed_named_wakeup_at(uint64_t time_ns, int waker, int wakee)
{
	feed_wakeup(time_ns, waker, NAMED_FIRST_TID + waker, wakee);
}

void feed_named_interrupt_wakeup_at(uint64_t time_ns, int wakee)
{
	feed_wakeup(time_ns, wakee, 0, wakee);
}
