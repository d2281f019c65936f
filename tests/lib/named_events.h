/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Hand-made annotations with names, as attached programs make them: of threads of one process, each on a CPU of its
 * own. A test's cmocka group opens the trace, which has no part in it but its strings.
 */
#ifndef TESTS_NAMED_EVENTS_H
#define TESTS_NAMED_EVENTS_H

#include "model/model.h"

#define NAMED_FIRST_TID 100 /* of thread 0, and of the process */
#define NAMED_SECOND_TID 200 /* of thread 0 of another process */
#define NAMED_START_NS 1000 /* where the model's clock starts */

int named_open_trace(void **state);
int named_close_trace(void **state);
struct trace *named_trace(void);

void named_begin(void);

/* The trace ends at @time_ns. */
struct model *named_end(uint64_t time_ns);

/* From now on, annotations are those of this process: NAMED_FIRST_TID (the default) or NAMED_SECOND_TID. */
void feed_named_of(int32_t tgid);

/* @name NULL: none, at the end of a span. */
void feed_named_at(uint64_t time_ns, int thread, enum trace_event_kind kind, const char *name,
		   int64_t value);

/* A wait, its begin alone, and a span of work. */
void feed_named_wait_begin_at(uint64_t time_ns, int thread, const char *name, int64_t value);
void feed_named_wait_at(uint64_t from_ns, uint64_t to_ns, int thread, const char *name,
			int64_t value);
void feed_named_work_at(uint64_t from_ns, uint64_t to_ns, int thread, const char *name,
			int64_t value);

/* The thread falls asleep, on its CPU, or comes back to it. */
void feed_named_sleep_at(uint64_t time_ns, int thread);
/* The same, with a stack whose cause is @cause. */
void feed_named_sleep_for_at(uint64_t time_ns, int thread, const char *cause);
/* The same, on the futex at @address that @holder holds, if that is not -1, as annot_blocked tells it with @cause. */
void feed_named_futex_at(uint64_t time_ns, int thread, const char *cause, uint64_t address,
			 int holder);
void feed_named_run_at(uint64_t time_ns, int thread);

/* By thread @waker, on its CPU. */
void feed_named_wakeup_at(uint64_t time_ns, int waker, int wakee);
/* By an interrupt, on the thread's CPU. */
void feed_named_interrupt_wakeup_at(uint64_t time_ns, int wakee);

#endif /* TESTS_NAMED_EVENTS_H */
