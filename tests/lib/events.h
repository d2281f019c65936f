/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Hand-made events for tests of the model and of what is computed from it: each function feeds one
 * to the script's builder, at a time in nanoseconds.
 */
#ifndef TESTS_EVENTS_H
#define TESTS_EVENTS_H

#include "model/builder.h"

/* Thread number @tid, of those that had this tid the @nth (0: the first); fails if there is none. */
uint32_t thread_of(const struct model *model, int32_t tid, int nth);

struct model_builder *script_begin(void);

/* Checks what must hold for any model, see check_model() of model_check.h. */
struct model *script_end(void);

/*
 * Group setups: from now on the model of a script is made at once, or of rows that stay in it while windows of one event, or of
 * five, or one of all are handed out. RUN_IN_WINDOWS() runs an array of tests of models in all these ways.
 */
int script_without_windows(void **state);
int script_with_windows_of_1(void **state);
int script_with_windows_of_5(void **state);
int script_with_one_window(void **state);

#define RUN_IN_WINDOWS(tests)                                                                 \
	(cmocka_run_group_tests_name("at once", tests, script_without_windows, NULL) +        \
	 cmocka_run_group_tests_name("windows of 1", tests, script_with_windows_of_1, NULL) + \
	 cmocka_run_group_tests_name("windows of 5", tests, script_with_windows_of_5, NULL) + \
	 cmocka_run_group_tests_name("one window", tests, script_with_one_window, NULL))

/* Which thread the script's last switch on @cpu was to; 0: there was none, or idle. */
int32_t script_switched_to(int cpu);

void feed_switch_at(uint64_t time_ns, int cpu, int32_t prev, int32_t next,
		    enum trace_switch_reason reason);
/* The same with a priority, TRACE_PRIORITY_*; feed_switch_at() has none. */
void feed_switch_with(uint64_t time_ns, int cpu, int32_t prev, int32_t next,
		      enum trace_switch_reason reason, uint8_t next_priority);
void feed_waking_at(uint64_t time_ns, int cpu, int32_t waker, int32_t wakee);
void feed_wakeup_at(uint64_t time_ns, int cpu, int32_t waker, int32_t wakee, int target_cpu);
void feed_wakeup_new_at(uint64_t time_ns, int cpu, int32_t waker, int32_t wakee, int target_cpu);
void feed_migrate_at(uint64_t time_ns, int cpu, int32_t by, int32_t tid, int to_cpu);
void feed_fork_at(uint64_t time_ns, int cpu, int32_t parent, int32_t child, bool is_thread);
void feed_exec_at(uint64_t time_ns, int cpu, int32_t tid, int32_t old_tid, uint32_t comm);
void feed_rename_at(uint64_t time_ns, int cpu, int32_t by, int32_t tid, uint32_t comm);
void feed_exit_at(uint64_t time_ns, int cpu, int32_t tid);

/* The annotations from here on are in events of that time; 0: of their own. */
void feed_drained_at(uint64_t time_ns);

/* From now on that thread writes the annotations of all; 0: each its own. */
void feed_written_by(int32_t tid);

void feed_begin_at(uint64_t time_ns, int cpu, int32_t tid, uint32_t name,
		   enum trace_span_kind kind);
void feed_end_at(uint64_t time_ns, int cpu, int32_t tid);
void feed_mark_at(uint64_t time_ns, int cpu, int32_t tid, uint32_t name);
/* The same, with a value. */
void feed_value_at(uint64_t time_ns, int cpu, int32_t tid, uint32_t name, int64_t value);
/* A mark that tells the process of who makes it. */
void feed_mark_of_process_at(uint64_t time_ns, int cpu, int32_t tid, int32_t tgid);
/* Of a kind that is not looked into; @may_be_in_switch as a trace_event has it. */
void feed_other_at(uint64_t time_ns, int cpu, int32_t tid, bool may_be_in_switch);
/* A stack of the kernel, as the trigger puts it behind a switch; @cause and @frames are string ids, the latter its own. */
void feed_kernel_stack_at(uint64_t time_ns, int cpu, int32_t tid, uint32_t cause, uint32_t frames);
/* One of user code, by its id, as the option puts it behind an event. */
void feed_user_stack_at(uint64_t time_ns, int cpu, int32_t tid, uint32_t id);
/* @tid, in the stack of that id, wakes up @wakee. */
void feed_waker_stack_at(uint64_t time_ns, int cpu, int32_t tid, int32_t wakee, uint32_t id);
/* What annot_blocked says of a thread that is about to leave. */
struct blocked_words {
	uint32_t system_call; /* string ids */
	uint32_t cause;
	uint32_t object;
	uint64_t object_id;
	int32_t holder_tid;
	bool is_of_process;
	uint32_t stack; /* id; 0: none */
};
void feed_blocked_at(uint64_t time_ns, int cpu, int32_t tid, const struct blocked_words *words);
/* The cause of a thread that annot_blocked says is stopped. */
#define BLOCKED_STOPPED 99u
/* What a thread does in the kernel; @key and @level as a trace_event has them, the name is @key, too. */
void feed_kernel_at(uint64_t time_ns, int cpu, int32_t tid, enum trace_event_kind kind,
		    enum trace_kernel_kind kernel_kind, uint64_t key, int32_t level);

/* The end of a step of hotplug. */
void feed_step_end_at(uint64_t time_ns, int cpu, int32_t tid, uint64_t key, int64_t result);

/* A mark of @of_tid, which @tid does to it. */
void feed_others_mark_at(uint64_t time_ns, int cpu, int32_t tid, enum trace_kernel_kind kernel_kind,
			 uint32_t name, int32_t of_tid);
/* A page fault of a program, at @address. */
void feed_fault_at(uint64_t time_ns, int cpu, int32_t tid, uint64_t address);
/* The end of a system call that returns @result. */
void feed_result_at(uint64_t time_ns, int cpu, int32_t tid, uint64_t number, int64_t result);
/* Its name is @id. */
void feed_interrupt_begin_at(uint64_t time_ns, int cpu, int32_t tid, enum trace_interrupt_kind kind,
			     uint32_t id, bool in_softirq);
/* CPU @cpu interrupts those whose bits are set in @targets; one of these comes. */
void feed_ipi_send_at(uint64_t time_ns, int cpu, uint64_t targets, bool is_reschedule,
		      uint32_t reason);
void feed_ipi_begin_at(uint64_t time_ns, int cpu, uint32_t id, enum trace_ipi ipi);
void feed_interrupt_end_at(uint64_t time_ns, int cpu, int32_t tid, enum trace_interrupt_kind kind,
			   uint32_t id);
/* @state: NOT_IDLE is the end of any. */
#define NOT_IDLE UINT32_MAX
void feed_idle_at(uint64_t time_ns, int cpu, uint32_t state);
/* That of @of_cpu, told on @cpu. */
void feed_frequency_at(uint64_t time_ns, int cpu, int of_cpu, uint32_t khz);
/* Of 8 sectors; the device's name is @dev. */
void feed_block_at(uint64_t time_ns, int cpu, enum trace_event_kind kind, uint32_t dev,
		   uint64_t sector, enum trace_block_op op);
/* A counter that CPUs share, which @tid tells of. */
void feed_uncore_event_at(uint64_t time_ns, int cpu, int32_t tid, uint32_t counter, double scale);
/* What @tid tells that it counted. */
void feed_uncore_count_at(uint64_t time_ns, int cpu, int32_t tid, uint32_t counter,
			  struct uncore_count count);
/* An event of a group of counters that annot record reads, and rows "LENGTH,TID,COUNT,...|..." of CPU @of. */
void feed_group_event_at(uint64_t time_ns, int cpu, int32_t tid, uint8_t group, uint32_t name);
void feed_group_rows_at(uint64_t time_ns, int cpu, int32_t tid, uint8_t group, int of,
			uint64_t start_ns, const char *rows);
void feed_group_gap_at(uint64_t time_ns, int cpu, int32_t tid, uint8_t group, int of,
		       uint64_t start_ns, uint64_t end_ns);
/* A timer that @tid starts; earliest and latest time are on its own clock. */
void feed_timer_start_at(uint64_t time_ns, int cpu, int32_t tid, uint64_t id, int64_t earliest_ns,
			 int64_t latest_ns);
/* It expires; then its function returns. */
void feed_timer_expire_at(uint64_t time_ns, int cpu, int32_t tid, uint64_t id, int64_t now_ns);
void feed_timer_done_at(uint64_t time_ns, int cpu, int32_t tid, uint64_t id);
void feed_session_at(uint64_t time_ns, int cpu, int32_t tid);
void feed_counter_at(uint64_t time_ns, int cpu, int32_t tid, uint32_t name, int64_t value);
void feed_lost_at(uint64_t time_ns, int cpu, uint64_t since_ns, uint64_t nr_events);

/* What annot_config tells of a sampled (period is not 0) or counted event; 0 precise, user only. */
void feed_pmu_event_at(uint64_t time_ns, uint8_t index, uint32_t text, uint64_t period, int error);
/* The same of a counted event that takes turns with others. */
void feed_shared_event_at(uint64_t time_ns, uint8_t index, uint32_t text);
/* Of user code. */
void feed_sample_at(uint64_t time_ns, int cpu, int32_t tid, uint8_t index, uint64_t period,
		    uint64_t ip);
void feed_counts_at(uint64_t time_ns, int cpu, int32_t tid, const uint64_t *counts, uint32_t nr,
		    uint32_t invalid);
/* As counts beside the annotation that is fed next. */
void feed_counts_of_batch_at(uint64_t time_ns, int cpu, int32_t tid, const uint64_t *counts,
			     uint32_t nr);
void feed_counts_ended_by_at(uint64_t time_ns, int cpu, int32_t tid, const uint64_t *counts,
			     uint32_t nr, uint32_t invalid, uint8_t ended_by);
void feed_pmu_state_at(uint64_t time_ns, int cpu, uint8_t index, uint8_t state, uint64_t value);
/* Told at @time_ns, true at @true_ns; @path is a string id. */
void feed_mapping_at(uint64_t time_ns, uint64_t true_ns, int32_t tgid, uint64_t start,
		     uint64_t length, uint32_t path);

/* Told when it happened. */
void feed_kind_of_mapping_at(uint64_t time_ns, int32_t tgid, uint64_t start, uint64_t length,
			     uint32_t path, enum trace_mapping_kind kind);

#endif /* TESTS_EVENTS_H */
