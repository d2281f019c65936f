/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The events of a trace, as the decoder returns them: the meaning of the records of the kernel and
 * the module, independent of their layout.
 *
 * Names (comms, span names, ...) are ids of interned strings: see trace_string().
 */
#ifndef ANNOT_TRACE_EVENT_H
#define ANNOT_TRACE_EVENT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "util/text/scan.h"

#define TRACE_NO_STRING 0u
#define TRACE_MAX_PRECISE 3 /* the highest level of perf_event_attr.precise_ip */

/*
 * A priority: the kernel's number, from -1 on, + TRACE_PRIORITY_OFFSET. The kernel's number is -1
 * for deadline tasks, 99 minus the program's priority for real-time tasks, and nice + 120 for all
 * others.
 */
#define TRACE_PRIORITY_UNKNOWN 0u
#define TRACE_PRIORITY_OFFSET 2

/* Whether it is one of real-time threads, or of deadline ones, which are above these. */
static inline bool trace_priority_is_real_time(uint8_t priority)
{
	return priority != TRACE_PRIORITY_UNKNOWN && priority <= 99 + TRACE_PRIORITY_OFFSET;
}

/*
 * Returns what is to be shown for the name @name of an annotation, which is then free()d; NULL: @name
 * itself.
 */
typedef char *trace_name_resolver(void *context, const char *name);

/* A stack of the kernel for a reader; both are free()d. */
struct trace_stack_text {
	char *cause; /* what a thread waits for that leaves its CPU there; NULL: not known */
	char *frames; /* its functions, the innermost first */
};

/* Returns what is to be shown for a stack of @nr return addresses, the innermost first. */
typedef struct trace_stack_text trace_stack_resolver(void *context, const uint64_t *ips, size_t nr);

/* A call stack. */
struct trace_stack {
	const uint64_t *ips; /* the innermost first; of the others, return addresses */
	size_t nr; /* 0: its frames are not in the trace */
	int32_t tgid; /* whose it is; 0: not known, or the kernel's */
	bool is_kernel;
	bool is_whole; /* it is known to reach to its outermost frame */
};

enum trace_event_kind {
	TRACE_SWITCH, /* sched_switch */
	TRACE_WAKEUP, /* sched_wakeup, sched_wakeup_new */
	/* sched_waking: the waker and the wakee. It precedes sched_wakeup, which may come from the
	 * wakee's CPU and then does not name the waker. */
	TRACE_WAKING,
	TRACE_MIGRATE, /* sched_migrate_task */
	TRACE_FORK, /* task_newtask, sched_process_fork */
	TRACE_RENAME, /* task_rename, sched_process_exec */
	TRACE_EXIT, /* sched_process_exit */
	/* A batch holds any number of these four kinds; all have the batch's time_ns. */
	TRACE_SPAN_BEGIN, /* annot_begin, or "B|..." in trace_marker */
	TRACE_SPAN_END, /* annot_end, or "E|..." */
	TRACE_MARK, /* annot_mark, or "I|..." */
	TRACE_COUNTER, /* annot_counter, or "C|..." */
	TRACE_CONFIG, /* annot_config: of the recording */
	TRACE_PMU_EVENT, /* annot_config: of an event that is sampled or counted */
	TRACE_SESSION, /* annot record: the recorded command or process */
	TRACE_SAMPLE, /* annot_sample */
	TRACE_SLICE_COUNTS, /* annot_slice_counts */
	TRACE_PMU_STATE, /* annot_pmu_state */
	TRACE_BLOCKED, /* annot_blocked: the running thread falls asleep, its switch follows */
	TRACE_WAKER_STACK, /* annot_waking: where the waker is; its sched_waking follows */
	TRACE_MAPPING, /* annot record: a file is mapped into a process */
	TRACE_PAGES, /* annot record: in which pages a process' memory is */
	TRACE_CPU_TOPOLOGY, /* annot record: a CPU's core, package, node and caches */
	TRACE_MACHINE, /* annot record: the machine is virtual */
	TRACE_UNCORE_EVENT, /* annot record: a counter that the CPUs of a socket share */
	TRACE_UNCORE_COUNTS, /* annot record: what such counters have counted */
	TRACE_GROUP_COUNTS, /* annot record: what a group of counters counted, by who ran */
	TRACE_GROUP_GAP, /* annot record: such counts were lost */
	TRACE_LOST, /* the ring buffer of a CPU overflowed */
	/* From here on, they may come in the middle of a switch: see trace_event_is_unsure(). */
	TRACE_INTERRUPT_BEGIN, /* irq_handler_entry, softirq_entry, tasklet_entry, ... */
	TRACE_INTERRUPT_END,
	TRACE_IPI_SEND, /* ipi_raise, ipi_send_cpu, ipi_send_cpumask */
	TRACE_CPU_IDLE, /* cpu_idle */
	TRACE_CPU_FREQUENCY, /* cpu_frequency */
	TRACE_BLOCK_ISSUE, /* block_rq_issue, block_io_start */
	TRACE_BLOCK_COMPLETE, /* block_rq_complete, block_io_done */
	TRACE_BLOCK_MERGE, /* block_rq_merge: it is a part of another one from here on */
	TRACE_TIMER_START, /* hrtimer_start */
	TRACE_TIMER_EXPIRE, /* hrtimer_expire_entry: its function is called ... */
	TRACE_TIMER_DONE, /* ... hrtimer_expire_exit: and returns */
	/* From here on, who ran is known without them: see trace_event_tells_of_threads(). */
	TRACE_KERNEL_STACK, /* behind another event, by the trigger `stacktrace` */
	TRACE_USER_STACK, /* behind another event, by the option `userstacktrace` */
	TRACE_KERNEL_BEGIN, /* the running thread enters a system call, a function, ... of the kernel */
	TRACE_KERNEL_END,
	TRACE_KERNEL_MARK, /* a function, a page fault, a line of trace_printk(), ... */
	TRACE_OTHER, /* of another kind: only tid is decoded */
};

/* Why a thread left the CPU: the kernel's prev_state, decoded. */
enum trace_switch_reason {
	TRACE_OUT_RUNNABLE, /* it still wanted to run: preempted, or yielded */
	TRACE_OUT_SLEEPING, /* interruptible sleep: locks, timers, pipes, ... */
	TRACE_OUT_UNINTERRUPTIBLE, /* uninterruptible sleep: mostly disks */
	TRACE_OUT_STOPPED, /* stopped or traced */
	TRACE_OUT_DEAD, /* its last switch */
};

/* One can be inside of those that stand before it, but a vector of no hardirq. */
enum trace_interrupt_kind {
	TRACE_SOFTIRQ, /* wherever it runs: behind an interrupt, in ksoftirqd, or in a system call */
	TRACE_TASKLET, /* within a softirq */
	TRACE_HARDIRQ, /* a handler of a device's interrupt */
	TRACE_VECTOR, /* of x86, the kernel's own: the local timer, a call from another CPU */
	TRACE_IPI, /* of other machines: a call from another CPU */
	NR_TRACE_INTERRUPT_KINDS,
};

/* What a CPU interrupts another one for. */
enum trace_ipi {
	TRACE_NO_IPI, /* of an interrupt: it is another one, or not known which */
	TRACE_IPI_RESCHEDULE, /* to look who may run there */
	TRACE_IPI_CALL, /* to call a function */
	NR_TRACE_IPIS,
};

/* What a block device is asked to do. */
enum trace_block_op {
	TRACE_BLOCK_READ,
	TRACE_BLOCK_WRITE,
	TRACE_BLOCK_DISCARD,
	TRACE_BLOCK_FLUSH,
	TRACE_BLOCK_OTHER,
	NR_TRACE_BLOCK_OPS,
};

enum trace_span_kind {
	TRACE_SPAN_WORK,
	TRACE_SPAN_WAIT, /* a barrier, a lock */
};

/* What a thread does in the kernel. */
/* What is mapped. */
enum trace_mapping_kind {
	TRACE_MAPPING_OF_FILE, /* also the vDSO and the like */
	TRACE_MAPPING_OF_MEMORY, /* that is no file */
	TRACE_MAPPING_OF_FUNCTION, /* that the program itself made there; the path is its name, marked */
	TRACE_MAPPING_OF_DATA, /* without code: a heap, a stack, a file that is no program */
};

enum trace_kernel_kind {
	TRACE_KERNEL_SYSCALL,
	TRACE_KERNEL_FUNCTION,
	TRACE_KERNEL_WORK, /* of a workqueue */
	TRACE_KERNEL_LOCK, /* it waits for a lock of the kernel */
	TRACE_KERNEL_FAULT, /* of a page */
	TRACE_KERNEL_LINE, /* of trace_printk(), or written to trace_marker */
	TRACE_KERNEL_PRIORITY, /* inherited, or given back */
	TRACE_KERNEL_CGROUP, /* the thread is moved to */
	TRACE_KERNEL_HOTPLUG, /* a step on a CPU's way to being online or offline */
	NR_TRACE_KERNEL_KINDS,
};

#define TRACE_FAULT_USER 1 /* the level of a fault outside of the kernel; else 0 */
/* The level of a begin of hotplug; else 0. The CPU, which is the key's upper half, runs nothing between these. */
#define TRACE_HOTPLUG_TAKES_DOWN 1 /* from its end on, if its value is 0 */
#define TRACE_HOTPLUG_BRINGS_UP 2 /* until its begin */
#define TRACE_SYSCALL_NAMED 1 /* the level of those from the system "syscalls"; else 0 */

/* One of a CPU's caches. What is not known is 0. */
struct cpu_cache {
	int level; /* from 1 on */
	char kind; /* 'd' of data, 'i' of instructions, 'u' of both */
	uint64_t size_bytes;
	uint32_t line_bytes; /* a power of two */
	uint32_t ways;
	uint32_t sets;
	uint32_t group; /* CPUs with the same group share the caches of this level and kind */
};

/* Of a line of counts: as many as fit into one. */
#define UNCORE_COUNTS_MAX 128u

/* What a counter has counted since it was opened. */
struct uncore_count {
	uint64_t count;
	uint64_t enabled_ns;
	uint64_t running_ns; /* of these, it was really counted */
};

#define TRACE_GROUP_MOST_COUNTS 16

/* What was counted in a slice, or in a part of it. */
struct trace_group_row {
	uint64_t length_ns;
	bool is_tick; /* it ends while the thread runs on, not at its switch */
	int32_t tid; /* who ran; 0: idle; -1: who leaves the CPU next */
	uint32_t nr; /* 0: the counters did not count all the time */
	uint64_t counts[TRACE_GROUP_MOST_COUNTS];
};

struct trace_event {
	uint64_t time_ns; /* on the trace's clock, as recorded */
	enum trace_event_kind kind;
	int cpu; /* CPU whose buffer has the event */
	int32_t tid; /* the running thread (common_pid); 0 is idle */
	union {
		struct { /* tid is prev */
			int32_t next_tid;
			uint32_t prev_comm;
			uint32_t next_comm;
			enum trace_switch_reason reason;
			uint8_t next_priority; /* TRACE_PRIORITY_* */
		} sw;
		struct { /* tid is the waker */
			int32_t wakee_tid;
			uint32_t comm;
			int target_cpu;
			bool is_new;
			bool in_interrupt; /* woken by an interrupt during tid, not by tid */
		} wakeup; /* TRACE_WAKING, too */
		struct {
			int32_t moved_tid;
			uint32_t comm;
			int from_cpu;
			int to_cpu;
		} migrate;
		struct { /* tid is the parent */
			int32_t child_tid;
			uint32_t comm;
			/* task_newtask has this field; sched_process_fork has not */
			bool thread_known;
			bool is_thread;
		} fork;
		struct { /* subject_tid renamed itself, or exec'd */
			int32_t subject_tid;
			uint32_t comm;
			bool is_exec;
			int32_t exec_old_tid; /* of an exec by another thread than the leader */
		} rename;
		struct { /* span begin, mark, counter; span end: only the last two */
			uint32_t name;
			enum trace_span_kind span_kind;
			bool has_value;
			int64_t value;
			int32_t tgid; /* 0: not in the event */
			/*
			 * Thread that made the annotation, if another thread of its process wrote
			 * it; 0: tid made it.
			 */
			int32_t owner_tid;
			/*
			 * When the program made it. time_ns is when it was moved from the ring into
			 * the trace; true_ns is not later. Events are in order of time_ns, not of
			 * true_ns.
			 */
			uint64_t true_ns;
		} annot;
		struct {
			int32_t tid; /* thread that executes the command, or that is recorded */
			int32_t tgid; /* 0: not in the event */
		} session;
		struct {
			uint32_t text; /* "key=value ..." as the module wrote it */
		} config;
		struct { /* comes again each time a set of events is started */
			uint32_t text; /* complete text of the annot_config */
			uint32_t name;
			uint64_t period; /* 0 for a counted one */
			int error; /* errno with which the kernel refused it, or 0 */
			uint8_t event; /* index into the set, below ANNOT_EVENTS_MAX */
			bool is_counted;
			bool is_software; /* the kernel counts it, not the CPU */
			bool is_clock; /* its period is in ns: time on the CPU */
			bool by_ratio; /* see struct pmu_event (model.h) */
			bool is_shared; /* the same */
			bool is_filtered; /* the same */
			uint64_t threshold_cycles; /* the same */
			bool user;
			bool kernel;
			uint8_t precise_asked;
			uint8_t precise;
			uint8_t group; /* 1 + the group of counters that annot record reads it in; 0: the module has it */
		} pmu_event;
		struct { /* of tid; what `has` (ANNOT_SAMPLE_*) does not list is 0 */
			uint64_t ip;
			uint64_t addr;
			uint64_t weight;
			uint64_t data_src;
			uint64_t period;
			const uint64_t *regs; /* valid until the next trace_next() */
			uint32_t nr_regs;
			uint8_t event;
			uint32_t stack; /* see trace_stack(); 0: none */
			uint8_t precise;
			uint8_t has;
		} sample;
		struct { /* of the slice of tid that ends now */
			const uint64_t *counts; /* valid until the next trace_next() */
			uint32_t nr;
			uint32_t invalid; /* bit i: counts[i] does not cover the whole slice */
			uint8_t ended_by; /* ANNOT_ENDED_BY_* */
			bool in_batch; /* in the same event as the annotation that ends them */
		} counts;
		struct {
			uint64_t value;
			uint8_t event;
			uint8_t state; /* ANNOT_PMU_* */
		} pmu;
		struct { /* what tid waits for */
			uint32_t system_call; /* its name; TRACE_NO_STRING: in none */
			uint32_t cause;
			uint32_t cause_if_stopped; /* where its switch says so */
			uint32_t object; /* TRACE_NO_STRING: not known */
			uint64_t object_id; /* address of a futex, inode, descriptor; else 0 */
			int32_t holder_tid; /* of a lock; 0: not known */
			bool is_of_process; /* the lock is, and hence its holder */
			uint32_t stack; /* in the program; 0: none */
		} blocked;
		struct { /* tid is the waker */
			int32_t wakee_tid;
			uint32_t stack; /* see trace_stack(); 0: none */
		} waker;
		struct { /* [start, start + length) of tgid is path from offset on */
			int32_t tgid;
			uint64_t start;
			uint64_t length;
			uint64_t offset_bytes;
			uint32_t path;
			uint32_t build_id; /* hexadecimal; TRACE_NO_STRING: not known */
			uint64_t true_ns; /* when it was mapped; time_ns is when it was recorded */
			uint8_t kind; /* enum trace_mapping_kind */
		} mapping;
		struct
		{ /* [start, start + length) of tgid, as it was read; see trace/lines/pages_line.h */
			int32_t tgid;
			uint64_t start;
			uint64_t length; /* 0: this reading was told; its lines were read then */
			uint64_t resident_bytes; /* 0: it is no more */
			uint64_t huge_bytes; /* of these, in huge pages */
			uint64_t page_bytes;
			uint64_t huge_page_bytes;
			uint64_t true_ns; /* when it was read; time_ns is when it was recorded */
		} pages;
		struct { /* describes CPU `number`; -1: not known */
			int number;
			int core; /* first CPU of its core */
			int package;
			int node;
			uint32_t nr_caches;
			const struct cpu_cache *caches; /* valid until the next trace_next() */
		} cpu_topology;
		struct {
			uint32_t hypervisor; /* its name; TRACE_NO_STRING: not known */
		} machine;
		struct {
			uint32_t counter; /* its number */
			uint32_t name;
			uint32_t unit; /* TRACE_NO_STRING: events */
			int cpu; /* that counts it, for its socket or die */
			double scale; /* a count of 1 is so many units */
		} uncore_event;
		struct { /* of the counters first, first + 1, ... */
			uint32_t first;
			uint32_t nr;
			const struct uncore_count *counts; /* valid until the next trace_next() */
		} uncore;
		struct { /* of CPU `cpu`, which is not the one that the line was written on */
			uint8_t group;
			int cpu;
			uint64_t start_ns; /* of the trace's clock */
			uint64_t end_ns; /* of a gap */
			struct scan_text
				rows; /* group_line_next(); valid until the next trace_next() */
		} group;
		struct
		{ /* of tid, which may already have left: see other; only the kernel's has words */
			bool may_be_in_switch;
			uint32_t cause; /* TRACE_NO_STRING: not known */
			uint32_t frames;
			uint32_t id; /* see trace_stack() */
		} stack;
		struct { /* tid is who was interrupted; ksoftirqd, where it runs softirqs */
			/* As other.may_be_in_switch, and in the same place. */
			bool may_be_in_switch;
			bool in_softirq; /* that is, within one, or its begin or end */
			uint8_t kind; /* enum trace_interrupt_kind */
			uint8_t ipi; /* enum trace_ipi */
			uint32_t name; /* of a begin */
			uint64_t id; /* the end has the kind and the id of its begin */
		} interrupt;
		struct { /* CPU `cpu` interrupts others */
			/* As those of other, and in the same place. */
			bool may_be_in_switch;
			uint16_t type;
			bool is_reschedule;
			uint32_t nr_words;
			uint32_t reason; /* string: who, and what for */
			const uint64_t *
				targets; /* a bit for each CPU; valid until the next trace_next() */
		} ipi;
		struct { /* of CPU `cpu`; another one may tell its frequency */
			/* As other.may_be_in_switch, and in the same place. */
			bool may_be_in_switch;
			bool is_exit; /* the CPU left its idle state */
			uint32_t value; /* its idle state; its frequency, in kHz */
			int32_t cpu;
		} power;
		struct { /* tid is who issued it, or ran when it was completed */
			/* As those of other, and in the same place. */
			bool may_be_in_switch;
			uint16_t type;
			uint8_t op; /* enum trace_block_op */
			bool failed;
			uint32_t device; /* its name, "8:0" */
			uint32_t dev; /* with sector, what begin and end have in common */
			uint32_t nr_sectors; /* of 512 bytes */
			uint64_t sector;
		} block;
		struct { /* tid is who starts it, or ran when it expired */
			/* As those of other, and in the same place. */
			bool may_be_in_switch;
			uint16_t type;
			bool in_interrupt; /* an interrupt starts it, during tid */
			uint64_t id;
			/* On the timer's own clock. A start: from when on, and until when it is to expire. */
			int64_t earliest_ns;
			int64_t latest_ns;
			int64_t now_ns; /* that it expires */
		} timer;
		struct {
			/* As other.may_be_in_switch, and in the same place. */
			bool may_be_in_switch;
			uint64_t key; /* its end has the same: number of the call, address */
			int64_t value; /* an end's: result; else an address; if has_value */
			enum trace_kernel_kind kind;
			uint32_t name; /* an end need not have one */
			uint32_t text; /* arguments, words; TRACE_NO_STRING: none */
			int32_t level; /* of a function: its depth, as the kernel counts it */
			int32_t of_tid; /* of a mark: to whom it happens, if not to tid; else 0 */
			bool has_value;
			bool is_textless; /* too many texts differ: see argument_texts.h */
		} kernel;
		struct {
			/* The event may be inside a switch: tid may already have left. */
			bool may_be_in_switch;
			uint16_t type; /* see trace_event_name() */
		} other;
		struct { /* events of this CPU in [since_ns, time_ns] are lost */
			uint64_t since_ns;
			uint64_t nr_events; /* 0: lost, number not known */
		} lost;
	};
};

/*
 * Of its kind, some come in the middle of a switch: whether this one may, is in other.may_be_in_switch, which all
 * these kinds have in the same place.
 */
static inline bool trace_event_is_unsure(const struct trace_event *event)
{
	return event->kind >= TRACE_INTERRUPT_BEGIN;
}

/*
 * Whether the model of who ran needs the event. What threads do in the kernel is often in an instance of its
 * own, whose losses are none of the others.
 */
static inline bool trace_event_tells_of_threads(const struct trace_event *event)
{
	return event->kind < TRACE_KERNEL_STACK;
}

/* It tells what its thread does in the kernel. */
static inline bool trace_event_is_of_kernel(const struct trace_event *event)
{
	return event->kind >= TRACE_KERNEL_BEGIN && event->kind <= TRACE_KERNEL_MARK;
}

/* It tells what a CPU does to save power. */
static inline bool trace_event_is_of_power(const struct trace_event *event)
{
	return event->kind == TRACE_CPU_IDLE || event->kind == TRACE_CPU_FREQUENCY;
}

/* It tells of a request to a block device. */
static inline bool trace_event_is_of_block(const struct trace_event *event)
{
	return event->kind >= TRACE_BLOCK_ISSUE && event->kind <= TRACE_BLOCK_MERGE;
}

/* It tells of a timer of high resolution. */
static inline bool trace_event_is_of_timer(const struct trace_event *event)
{
	return event->kind >= TRACE_TIMER_START && event->kind <= TRACE_TIMER_DONE;
}

/* Why an annotation that a program made is not in the trace. */
enum trace_annotation_loss {
	TRACE_ANNOTATION_BAD_HEAD, /* the head of the ring has impossible values */
	TRACE_ANNOTATION_BAD_OP,
	TRACE_ANNOTATION_BAD_NAME,
	TRACE_ANNOTATION_AT_EXEC, /* left in the ring when the process executed another program */
	TRACE_ANNOTATION_NO_CLOCK, /* without a time: the kernel found the clock unfit */
	TRACE_ANNOTATION_DROPPED, /* dropped by the program: it had no way to the kernel any more */
	TRACE_ANNOTATION_OTHER, /* a reason that this version does not know */
	TRACE_ANNOTATION_UNREADABLE, /* damaged in the file: a lower bound */
	NR_TRACE_ANNOTATION_LOSSES,
};

/* Annotations so far that are missing, or differ from what their programs made. */
struct trace_annotation_counts {
	uint64_t nr_lost;
	uint64_t nr_lost_by_reason[NR_TRACE_ANNOTATION_LOSSES]; /* add up to nr_lost */
	uint64_t
		nr_altered; /* with a corrected time (by the module or the decoder), or with unknown flags */
	uint64_t nr_nameless; /* shown as "name 17 of 3": the trace does not have the name */
};

/* Kinds of damaged records. They are dropped. */
enum trace_damage {
	TRACE_DAMAGED_OTHER, /* a record of another kind that is too short */
	TRACE_DAMAGED_SAMPLE,
	TRACE_DAMAGED_SLICE_COUNTS,
	TRACE_DAMAGED_PMU_STATE,
	TRACE_DAMAGED_PMU_EVENT,
	TRACE_DAMAGED_MAPPING, /* and what is told of its pages */
	TRACE_DAMAGED_CPU_TOPOLOGY,
	TRACE_DAMAGED_UNCORE,
	NR_TRACE_DAMAGES,
};

#endif /* ANNOT_TRACE_EVENT_H */
