/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What the files of the module offer each other.
 */
#ifndef ANNOT_KMOD_ANNOT_H
#define ANNOT_KMOD_ANNOT_H

#include <linux/compiler.h>
#include <linux/fs.h>
#include <linux/gfp.h>
#include <linux/math64.h>
#include <linux/trace_events.h>
#include <linux/types.h>

#include <uapi/annot.h>

struct task_struct;

/*
 * For what a process asks for. It is charged to its memory cgroup; where this has no room, the
 * process hears of it, and none is killed for it.
 */
#define ANNOT_GFP_USER (GFP_KERNEL_ACCOUNT | __GFP_RETRY_MAYFAIL | __GFP_NOWARN)

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
ssize_t annot_cpu_write_iter(struct kiocb *iocb, struct iov_iter *from);
int annot_cpu_mmap(struct file *file, struct vm_area_struct *vma);

/* calls.c: of /dev/annot/cpuN. */
int annot_calls_init(void);
void annot_calls_exit(void);
long annot_record_call(const void __user *argument);

/*
 * What the current thread has annotated on this CPU goes into the trace, if it waits for company.
 * Context: interrupts off.
 */
void annot_calls_flush(void);

/*
 * recording.c: the switch. annot_recording_get() and annot_recording_put() are what the events
 * call (declared in trace/events/annot.h).
 */
extern unsigned int annot_recording_word;

/* ANNOT_RECORDING_*. One load: this is all that a write costs while nobody records. */
static inline u32 annot_is_recording(void)
{
	return READ_ONCE(annot_recording_word);
}

/* Whether records may go into rings. */
static inline bool annot_wants_rings(void)
{
	return annot_is_recording() == ANNOT_RECORDING_RINGS;
}

/* Whether batches are wanted, by rings or not. */
bool annot_recording_has_batches(void);

/*
 * Slices are counted from now on, or no longer: whether annotations are to cut them. When it
 * returns, no ring takes records that are not to. Context: process; sleeps.
 */
void annot_recording_set_counting(bool counting);

int annot_recording_init(void);
void annot_recording_exit(void);

/* The clock is lost, and user space is told. Context: any but NMI, while a device exists. */
void annot_recording_lose_clock(void);

/* Valid while a device exists. */
void *annot_control_page(void);

/* clock.c: the clock of the records. annot_ago_ns() is declared in trace/events/annot.h. */
u32 annot_clock_kind(void);
u64 annot_clock_ticks(void);
void annot_clock_calibrate(void);

/* The kernel has found that it is no clock after all; for good. */
bool annot_clock_is_lost(void);

/* From @ticks to @now; 0 for ticks that are 0 or not past. */
#define ANNOT_CLOCK_FRACTION_BITS 32
extern u64 annot_clock_ns_per_tick;

static inline u64 annot_clock_ago_ns(u64 now, u64 ticks)
{
	if (!ticks || now <= ticks)
		return 0;
	return mul_u64_u64_shr(now - ticks, READ_ONCE(annot_clock_ns_per_tick),
			       ANNOT_CLOCK_FRACTION_BITS);
}

/* config.c: what annot_config says in each recording. */
#define ANNOT_CONFIG_TEXT_MAX_BYTES 320

struct annot_config_text {
	char text[ANNOT_CONFIG_TEXT_MAX_BYTES];
};

extern bool annot_config_due;

int annot_config_init(void);
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

/* Context: the sched_switch tracepoint; @task is being switched away. */
void annot_drain_outgoing(struct task_struct *task);

/* All that is in any ring. Context: process. */
void annot_drain_everywhere(void);

/*
 * Closes all rings: each process comes to the kernel for its next annotation. What they hold goes
 * into the trace, if batches are recorded, or else nowhere. Context: process; sleeps.
 */
void annot_drain_close_everywhere(void);

/* The current thread's ring. Context: of a task. */
void annot_drain_own(void);

/* The current process's lost records. Context: of a task. */
void annot_drain_tell_lost(void);

/* The current thread's ring, which is then opened. Return: ANNOT_DRAIN_*. Context: of a task. */
long annot_drain_and_open(void);

/*
 * What the current process's rings still hold is told as lost. Context: of the task, in exec(),
 * when it has its new memory.
 */
void annot_drain_give_up(void);

/* sched.c: when the scheduler's tracepoints are listened to. */
int annot_hooks_init(void);
void annot_hooks_exit(void);

/* From hold to release rings are drained at each switch, even if batches are not recorded yet. */
int annot_hooks_hold(void);
void annot_hooks_release(void);

/* Recording has begun or ended. Context: any that is not atomic; defers what it has to do. */
void annot_hooks_update(void);

/* Between these two annot_slice_end() is called at each switch, after the rings are drained. */
int annot_hooks_begin_counting(void);
void annot_hooks_end_counting(void);

/* Whether the scheduler tells of an exec() before the program is gone. */
bool annot_hooks_hear_of_exec(void);

/*
 * exec.c: between these two a program's rings are drained before it executes another one, on
 * kernels whose scheduler does not tell of it. The first when nothing of the module's start can
 * fail any more: a task in exec() may be in the module.
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
u64 annot_pmu_throttled_ns(void); /* since loading, all counters together */

/**
 * struct annot_counts - what was counted of a slice
 * @nr:		how many; 0: nothing is counted on this CPU
 * @invalid:	bit i is set: counter i did not run all the time
 * @counts:	of the counted events, in their order in the set
 */
struct annot_counts {
	u32 nr;
	u32 invalid;
	u64 counts[ANNOT_EVENTS_MAX];
};

/* The current thread's slice on this CPU ends. Context: interrupts off. */
void annot_slice_end(void);

/* It is cut here: an event of its own tells it. */
void annot_slice_cut(u8 until);

/* As well, but the caller will tell of @counts. Context: interrupts off. */
void annot_slice_take(struct annot_counts *counts);

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

/* As text it fits into what the kernel has for a line. */
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

/* annot_batch_record.what. @id: of the item's name, or 0. */
static inline u64 annot_batch_what(const struct annot_item *item, u32 id)
{
	return (u64)id << 32 | item->op << 8 | (item->has_value ? ANNOT_RECORD_HAS_VALUE : 0);
}

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

#define ANNOT_NR_LOST_REASONS (ANNOT_LOST_DROPPED + 1)

/* events.c: the tracepoints. They speak of the current task. Each goes to whoever enabled it. */
void annot_emit(const struct annot_item *item);
void annot_emit_batch(const struct annot_batch *batch);

/* What was counted until each of the records, @nr for each, in a row; @invalid of all of them. */
struct annot_batch_counts {
	u32 nr;
	u32 invalid;
	const u64 *counts;
};

/* A batch of the current process; @counts stand in it for those who record them. */
void annot_emit_calls(u32 table, u32 nr, const struct annot_batch_record *records,
		      const struct annot_batch_counts *counts);
void annot_emit_lost(u32 nr, u32 reason, s32 tgid);

/* @taken becomes true when a ring buffer has taken the event. */
void annot_emit_name(u32 table, u32 id, const char *name, bool *taken);

/* Whether anybody records batches. */
bool annot_wants_batches(void);

/* In any context, NMIs too. */
void annot_emit_sample(const struct annot_sample_data *sample);
void annot_emit_slice_counts(const struct annot_counts *counts, u8 until);

/* In any context. Return: whether a ring buffer has taken it. */
bool annot_emit_pmu_state(u8 event, u8 state, u64 value);

/*
 * The rings are drained while annotations are still enabled, and not before they are; and who may
 * enable the events through perf is looked at.
 *
 * Return: 0, or -EBUSY: somebody has enabled one already, unseen.
 */
int annot_watch_events(void);
void annot_unwatch_events(void);

/* instances.c: what a recording takes, by the event that it has enabled. */
enum annot_form {
	ANNOT_SINGLES, /* each of four events */
	ANNOT_BATCHES, /* annot_batch */
	ANNOT_COUNTS, /* annot_slice_counts */
};

/*
 * @file of an ftrace instance has enabled an event, or none has, but perf. Context: of the events'
 * own callbacks.
 */
int annot_instance_add(const struct trace_event_file *file, enum annot_form form);
void annot_instance_remove(const struct trace_event_file *file, enum annot_form form);

/* All of them; what is disabled from now on is not told. */
void annot_instances_forget(void);

/* Whether it takes batches; and the counts that stand in them. Under RCU. */
bool annot_instance_takes_batches(const struct trace_event_file *file, bool *with_counts);

/* All that have enabled annot_batch take single annotations instead. */
bool annot_instances_shadow_batches(void);

/* Some who record counts do not take batches. */
bool annot_instances_want_counts_apart(void);

/* Emits into this one recording. Return: whether its ring buffer took the event. */
bool annot_emit_config(struct trace_event_file *file, const char *text);

/* From now on @reg is called whenever any recording enables or disables annot_config. */
void annot_watch_config_event(int (*reg)(struct trace_event_call *call, enum trace_reg type,
					 void *data));

#endif /* ANNOT_KMOD_ANNOT_H */
