/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What the files of the module offer each other.
 */
#ifndef ANNOT_H
#define ANNOT_H

#include <linux/compiler.h>
#include <linux/fs.h>
#include <linux/trace_events.h>
#include <linux/types.h>

struct page;
struct task_struct;

#define ANNOT_MODULE_VERSION "0.1.0"

/* device.c: /dev/annot and what stands in it. */
int annot_devices_create(void);
void annot_devices_destroy(void);

/* Of the inode of a /dev/annot/cpuN. */
unsigned int annot_device_cpu(const struct inode *inode);

/* cpu.c, ctl.c: what can be done with the files. */
extern const struct file_operations annot_cpu_fops;
extern const struct file_operations annot_ctl_fops;

/* write.c, ring.c: of /dev/annot/cpuN. */
ssize_t annot_cpu_write(struct file *file, const char __user *from, size_t length, loff_t *pos);
int annot_cpu_mmap(struct file *file, struct vm_area_struct *vma);

/*
 * recording.c: the switch. annot_recording_get() and annot_recording_put() are what the events
 * call (declared in trace/events/annot.h).
 */
extern unsigned int annot_nr_enabled_events;

/* One load: this is all that a write costs while nobody records. */
static inline bool annot_is_recording(void)
{
	return READ_ONCE(annot_nr_enabled_events);
}

int annot_recording_init(void);
void annot_recording_exit(void);

/* Valid while a device exists; the caller takes its own reference. */
struct page *annot_control_page(void);

/* clock.c: the clock of the records. annot_ago_ns() is declared in trace/events/annot.h. */
u32 annot_clock_kind(void);
u64 annot_clock_ticks(void);
void annot_clock_calibrate(void);

/* From @ticks to @now; 0 for ticks that are 0 or not past. */
u64 annot_clock_ago_ns(u64 now, u64 ticks);

/* config.c: what annot_config says in each recording. */
#define ANNOT_CONFIG_TEXT_MAX_BYTES 320

struct annot_config_text {
	char text[ANNOT_CONFIG_TEXT_MAX_BYTES];
};

extern bool annot_config_due;

void annot_config_init(void);
void annot_config_exit(void);

/* Context: of a task; does not sleep. Does nothing when somebody else is at it. */
void annot_config_emit_due(void);

/* One text for each of the @nr events of the set; they must last until the next call. */
void annot_config_set_events(const struct annot_config_text *texts, u32 nr);

/* The set is put to use: recordings that began before it hear of it now. */
void annot_config_events_used(void);

/*
 * drain.c: from the rings into the trace.
 */
int annot_drain_init(void);
void annot_drain_exit(void);

/* Between these two, rings are drained at each switch; otherwise what they hold is thrown away. */
void annot_drain_begin_recording(void);
void annot_drain_end_recording(void);

/* Somebody's batches begin, who has not been told any names. */
void annot_drain_tell_names_again(void);

/* Context: the sched_switch tracepoint; @task is being switched away. */
void annot_drain_outgoing(struct task_struct *task);

/*
 * The ring of the current task on this CPU, or only if it is @only (struct annot_cpu_ring).
 * Context: interrupts off, at any point of the task.
 */
void annot_drain_interrupted(void *only);

/* All that is in any ring. Context: process. */
void annot_drain_everywhere(void);

/* The current thread's ring, a piece at a time. Context: of a task, interrupts on. */
void annot_drain_own(void);

/*
 * What the current process's rings still hold is told as lost. Context: of the task, in exec(),
 * when it has its new memory.
 */
void annot_drain_give_up(void);

/* sched.c: when the scheduler's tracepoints are listened to. */
int annot_hooks_init(void);
void annot_hooks_exit(void);

/* From hold to release rings are drained at each switch, whether or not anything is enabled yet. */
int annot_hooks_hold(void);
void annot_hooks_release(void);

/* Recording has begun or ended. Context: any that is not atomic; defers what it has to do. */
void annot_hooks_update(void);

/* Between these two annot_slice_end() is called at each switch, after the rings are drained. */
int annot_hooks_begin_counting(void);
void annot_hooks_end_counting(void);

/*
 * exec.c: between these two a program's rings are drained before it executes another one. The first
 * when nothing of the module's start can fail any more: a task in exec() may be in the module.
 */
void annot_exec_init(void);
void annot_exec_exit(void);

/*
 * pmu.c and the other pmu*.c: events that are sampled and counted.
 */
int annot_pmu_init(void);
void annot_pmu_exit(void);

/* ANNOT_IOC_EVENTS, and the end of the file through which it came. */
long annot_events_set(struct file *file, const void __user *argument);
void annot_events_release(struct file *file);

/*
 * From now on @mode (ANNOT_EVENT_SAMPLE or _COUNT) is recorded, or will no longer be: then the last
 * of it goes into the trace. Context: process, with the event mutex held.
 */
void annot_pmu_begin_mode(u8 mode);
void annot_pmu_end_mode(u8 mode);

/* How many counters run on all CPUs. */
unsigned int annot_pmu_counters(void);

/* The current thread's slice on this CPU ends. Context: interrupts off. */
void annot_slice_end(void);
void annot_slice_cut(u8 until);

/**
 * struct annot_item - an annotation on its way to its event
 * @ticks:	when; 0: now
 * @value:	0 without @has_value
 * @name:	NULL for ANNOT_OP_END
 * @op:		ANNOT_OP_*
 * @has_value:	@value counts
 */
struct annot_item {
	u64 ticks;
	s64 value;
	const char *name;
	u8 op;
	bool has_value;
};

#define ANNOT_BATCH_MAX_RECORDS 64

/* On its way to annot_batch; @what as in the event. */
struct annot_batch_record {
	u64 ticks;
	s64 value;
	u64 what;
};

struct annot_batch {
	s32 tgid;
	u32 table;
	u32 nr;
	struct annot_batch_record records[ANNOT_BATCH_MAX_RECORDS];
};

/* A sample on its way to annot_sample, whose fields these are. */
struct annot_sample_data {
	u64 ip;
	u64 addr;
	u64 weight;
	u64 data_src;
	u64 period;
	const u64 *regs;
	u32 nr_regs;
	u8 event;
	u8 precise;
	u8 has;
};

#define ANNOT_NR_LOST_REASONS (ANNOT_LOST_AT_EXEC + 1)

/* events.c: the tracepoints. They speak of the current task. */
void annot_emit(const struct annot_item *item);
void annot_emit_batch(const struct annot_batch *batch);
void annot_emit_lost(u32 nr, u32 reason, s32 tgid);

/* Names an id of the batch's table. @taken becomes true when a ring buffer has taken the event. */
void annot_emit_name(const struct annot_batch *batch, u32 id, const char *name, bool *taken);

/* Whether annotations are to go into batches, rather than one by one. */
bool annot_wants_batches(void);

/* In any context, NMIs too. */
void annot_emit_sample(const struct annot_sample_data *sample);
void annot_emit_slice_counts(u32 nr, u32 invalid, u8 until, const u64 *counts);

/* In any context. Return: whether a ring buffer has taken it. */
bool annot_emit_pmu_state(u8 event, u8 state, u64 value);

/* The rings are drained while annotations are still enabled, and not before they are. */
void annot_watch_events(void);

/* Emits into this one recording. Return: whether its ring buffer took the event. */
bool annot_emit_config(struct trace_event_file *file, const char *text);

/* From now on @reg is called whenever any recording enables or disables annot_config. */
void annot_watch_config_event(int (*reg)(struct trace_event_call *call, enum trace_reg type,
					 void *data));

#endif /* ANNOT_H */
