/* SPDX-License-Identifier: (GPL-2.0 WITH Linux-syscall-note) OR MIT */
/*
 * The ABI between annot.ko and user space.
 *
 * Version rule: ANNOT_ABI_VERSION counts what a program built before could not do without. The
 * module tells the newest version that it speaks and the oldest that it still understands; a
 * program that was built for a version in this range works with it. A module of version N
 * understands programs of N - 2 and later. What is added without harm is told by a bit of
 * annot_control.features instead. Fields are only ever appended to struct annot_control, into what
 * is reserved (and reads as zero) today.
 */
#ifndef _UAPI_ANNOT_H
#define _UAPI_ANNOT_H

#include <linux/ioctl.h>
#include <linux/types.h>

#define ANNOT_ABI_VERSION 2
#define ANNOT_ABI_OLDEST_VERSION 2 /* there is no released version before */

/* A name of a span, mark or counter: bytes, without the terminating NUL. */
#define ANNOT_NAME_MAX_BYTES 255

/* What a span is: the field `kind` of the event annot_begin. New kinds get new numbers. */
#define ANNOT_SPAN_WORK 0
#define ANNOT_SPAN_WAIT 1 /* a barrier, a lock: kept apart from work */

/* The most that one write() to /dev/annot/cpuN may carry. Longer writes fail with EMSGSIZE. */
#define ANNOT_WRITE_MAX_BYTES 65536

/* What an annotation is: annot_record.op. New operations get new numbers. */
#define ANNOT_OP_BEGIN	    0	/* a span of work begins */
#define ANNOT_OP_WAIT_BEGIN 1	/* a span of waiting begins */
#define ANNOT_OP_END	    2	/* the innermost span ends */
#define ANNOT_OP_MARK	    3
#define ANNOT_OP_COUNTER    4
#define ANNOT_OP_NEXT	    5	/* the innermost span ends, a span of work begins: at one time */

/*
 * Why annotations of a process were not taken as they stood: the field `reason` of the event
 * annot_lost. New reasons get new numbers.
 */
#define ANNOT_LOST_BAD_HEAD 0	/* annot_ring.head cannot be: the ring was taken as empty */
#define ANNOT_LOST_BAD_OP   1
#define ANNOT_LOST_BAD_NAME 2	/* an id that ANNOT_IOC_NAME did not return */
#define ANNOT_LOST_BAD_TIME 3	/* not lost: moved into the time in which it was written */
#define ANNOT_LOST_AT_EXEC  4	/* its process went on to another program: nobody's by then */
#define ANNOT_LOST_NO_CLOCK 5	/* the clock of the records was found to be no clock */
#define ANNOT_LOST_DROPPED  6	/* by the program, which says so: annot_ring.dropped */

#define ANNOT_RECORD_HAS_VALUE 0x1	/* annot_record.flags: value counts */

/*
 * One annotation in a ring. Written by the thread that annotates, on the CPU whose ring it is, in
 * a restartable sequence; believed in nothing but this thread's own words.
 *
 * @ticks:	when, on the clock of annot_control.clock
 * @value:	with ANNOT_RECORD_HAS_VALUE
 * @name:	what ANNOT_IOC_NAME returned; 0 for ANNOT_OP_END
 */
struct annot_record {
	__u64 ticks;
	__s64 value;
	__u32 name;
	__u8 op;
	__u8 flags;
	__u16 reserved;
	__u64 reserved2;
};

/*
 * A ring: this header in a page of its own, then the records, a power of two of bytes. Mapped from
 * offset 0 of /dev/annot/cpuN with annot_control.ring_bytes plus a page; the mapping is the calling
 * process's own, is not inherited by fork(), and belongs to that CPU: only code that runs on it may
 * write a record. mmap() takes the memory, which counts against RLIMIT_MEMLOCK of the user: ENOMEM.
 * EBUSY: the process has a ring of this CPU; ENODEV: there is no clock for records.
 *
 * @head:	bytes written since the ring was mapped; record number head / 32 goes to
 *		(head & mask). Storing it publishes the record before it. Only user space stores it.
 * @limit:	when head has come here the ring is full, or closed: ask ANNOT_IOC_DRAIN. Only the
 *		kernel stores it (and keeps its own copy: a false one harms its owner's records
 *		only). At first 0: closed. The kernel closes a ring now and then, to be asked.
 * @mask:	size of the ring in bytes, less one
 * @due:	2^64 less the ticks from which on the ring must be drained before it takes a record;
 *		in the module's rings 0: never
 * @dropped:	how many annotations the program could neither store nor write since the ring was
 *		mapped, e.g. when it may no longer open the device. Only user space stores it.
 */
struct annot_ring {
	__u64 head;
	__u64 limit;
	__u64 mask;
	__u64 due;
	__u64 dropped;
	__u64 reserved[3];
};

/* What annot_control.clock may say. */
#define ANNOT_CLOCK_NONE    0	/* no clock that both sides can read: rings cannot be mapped */
#define ANNOT_CLOCK_TSC	    1	/* x86: rdtsc */
#define ANNOT_CLOCK_CNTVCT  2	/* arm64: cntvct_el0 */
#define ANNOT_CLOCK_TIME    3	/* riscv64: rdtime */

/* What annot_control.recording may say. What is new is to be read as ANNOT_RECORDING_WRITES. */
#define ANNOT_RECORDING_OFF    0
#define ANNOT_RECORDING_RINGS  1	/* into the ring; by write() where that cannot be */
#define ANNOT_RECORDING_WRITES 2	/* each by a write(): somebody records them one by one */
#define ANNOT_RECORDING_CALLS  3	/* each by ANNOT_IOC_RECORD, or write(): for counts */

/* annot_control.features */
#define ANNOT_FEATURE_RINGS  0x1	/* rings can be mapped */
#define ANNOT_FEATURE_EVENTS 0x2	/* ANNOT_IOC_EVENTS */
#define ANNOT_FEATURE_CALLS  0x4	/* ANNOT_IOC_RECORD */

/*
 * One page, mapped read-only from offset 0 of /dev/annot/ctl.
 *
 * @version:	the newest ABI that the module speaks
 * @recording:	ANNOT_RECORDING_*; read it without a lock before each annotation: when it is 0,
 *		making one would be for nothing
 * @clock:	what annot_record.ticks counts: ANNOT_CLOCK_*. It becomes ANNOT_CLOCK_NONE for good
 *		when the kernel finds the clock unfit: then rings take nothing any more
 * @record_bytes: sizeof(struct annot_record)
 * @ring_bytes:	of the records of one ring
 * @oldest_version: the oldest ABI that the module understands
 * @features:	ANNOT_FEATURE_*: what this module and this kernel can do
 * @reserved:	zero
 */
struct annot_control {
	__u32 version;
	__u32 recording;
	__u32 clock;
	__u32 record_bytes;
	__u32 ring_bytes;
	__u32 oldest_version;
	__u32 features;
	__u32 reserved[9];
};

/*
 * Gives a name to this process: the id under which its rings' records may use it, the same id for
 * the same bytes, never 0. @text need not end in a NUL. On any /dev/annot/cpuN of the process.
 * Errors: EINVAL (empty, too long, control characters), ENOSPC (the process has too many names),
 * EFAULT, ENOMEM (no memory, or the user has as much as RLIMIT_MEMLOCK allows).
 */
struct annot_name {
	__u64 text;
	__u32 length_bytes;
	__u32 reserved;
};

#define ANNOT_IOC_NAME	_IOW('@', 0xa0, struct annot_name)

/*
 * Moves what the calling thread's CPU's ring holds into the trace, now, and opens the ring. On any
 * /dev/annot/cpuN of the process, whichever CPU it runs on. Returns ANNOT_DRAIN_*.
 */
#define ANNOT_IOC_DRAIN _IO('@', 0xa1)

#define ANNOT_DRAIN_OPEN   0	/* the ring takes records */
#define ANNOT_DRAIN_CLOSED 1	/* it takes none now, or there is none: annotate by write() */

/*
 * One annotation, now: it becomes an event at once, behind what the thread has in its ring. While
 * slices are counted, a begin and an end cut the slice there, so that what a span counts is its
 * own. On any /dev/annot/cpuN; the name is one of this process, whoever opened the file. The time
 * is the kernel's: annot_record.ticks and what is reserved are 0.
 * Returns ANNOT_RECORD_TAKEN, as no other driver's ioctl() does by chance; also when nobody
 * records, and it was made for nothing.
 * Errors: EINVAL (an operation, name or flag that cannot be), EFAULT, ENOMEM.
 */
#define ANNOT_IOC_RECORD _IOW('@', 0xa3, struct annot_record)

#define ANNOT_RECORD_TAKEN 0xa3

/*
 * Events of the PMU (or of the kernel) to be sampled and counted: what user space asks for, and
 * what it got. One set for the whole machine, on every CPU; it belongs to the open file of
 * /dev/annot/ctl through which it was set, is replaced by the next ANNOT_IOC_EVENTS on it, and gone
 * when the file is closed. Setting it starts nothing: enabling annot:annot_sample starts sampling,
 * enabling annot:annot_slice_counts starts counting, disabling them stops it.
 */
#define ANNOT_EVENTS_MAX	     16
#define ANNOT_EVENT_NAME_MAX_BYTES 64

/* annot_event.mode */
#define ANNOT_EVENT_SAMPLE 0
#define ANNOT_EVENT_COUNT  1

/* annot_event.flags; at least one of the first two. */
#define ANNOT_EVENT_USER      0x1 /* what user code causes */
#define ANNOT_EVENT_KERNEL    0x2 /* what the kernel causes */
#define ANNOT_EVENT_REGISTERS 0x4 /* each sample with the general registers */

/*
 * @type, @config, @config1, @config2: as in struct perf_event_attr
 * @period:	of a sampled event: a sample each so many; 0 for a counted one
 * @name:	as the trace is to call it; no blanks or control characters, ends in a NUL
 * @mode:	ANNOT_EVENT_SAMPLE or ANNOT_EVENT_COUNT
 * @flags:	ANNOT_EVENT_*
 * @precise:	asked for: 0 (any skid) to 3; out: obtained, at most that
 * @reserved:	zero
 * @error:	out: 0, or why the kernel refused the event (an errno, positive); the others of the
 *		set count nevertheless
 */
struct annot_event {
	__u64 config;
	__u64 config1;
	__u64 config2;
	__u64 period;
	__u32 type;
	__u32 flags;
	__u8 mode;
	__u8 precise;
	__u16 reserved;
	__s32 error;
	char name[ANNOT_EVENT_NAME_MAX_BYTES];
};

/*
 * @events:	address of @nr struct annot_event, read and written back
 * @nr:		how many; 0 takes the set back
 * @reserved:	zero
 * @max_samples: each event stops after so many samples on all CPUs together; 0: never
 */
struct annot_events {
	__u64 events;
	__u32 nr;
	__u32 reserved;
	__u64 max_samples;
};

/*
 * Sets the events, trying each on one CPU. On /dev/annot/ctl. Needs CAP_PERFMON or CAP_SYS_ADMIN.
 * Errors: EPERM, EINVAL (a field that cannot be), EBUSY (another open file has a set, or this one
 * has, and it is in use: its trace events are enabled), EFAULT, ENOMEM, EOPNOTSUPP (a kernel
 * without perf events). With @nr 0 it always succeeds: a set in use is then stopped, as by closing
 * the file.
 */
#define ANNOT_IOC_EVENTS _IOWR('@', 0xa2, struct annot_events)

/* annot_sample.has: which fields the hardware and its driver filled. New ones get new bits. */
#define ANNOT_SAMPLE_HAS_ADDR	   0x01
#define ANNOT_SAMPLE_HAS_WEIGHT	   0x02
#define ANNOT_SAMPLE_HAS_DATA_SRC  0x04
#define ANNOT_SAMPLE_HAS_REGISTERS 0x08
#define ANNOT_SAMPLE_USER	   0x10 /* ip is user code; else the kernel's */
#define ANNOT_SAMPLE_HIDDEN	   0x20 /* a kernel address that may not be shown was left out */

/*
 * annot_slice_counts.ended_by: what ended the time that was counted. It began where the one before
 * on that CPU ended, or with the slice. A new value may be read as ANNOT_ENDED_BY_SWITCH.
 */
#define ANNOT_ENDED_BY_SWITCH 0 /* a switch of threads, or the end of counting */
#define ANNOT_ENDED_BY_BEGIN  1 /* the begin of a span: the thread's annotation before this event */
#define ANNOT_ENDED_BY_END    2 /* the end of a span: the thread's annotation after this event */

/* annot_pmu_state.state: what happened to an event on a CPU. New states get new numbers. */
#define ANNOT_PMU_STARTED	0	/* value: count so far; 0, unless it is told late */
#define ANNOT_PMU_STOPPED	1	/* value: count in all, since it was started */
#define ANNOT_PMU_THROTTLED	2	/* too many interrupts: no samples since about now */
#define ANNOT_PMU_UNTHROTTLED	3	/* samples again; value: nanoseconds without, about */
#define ANNOT_PMU_FAILED	4	/* no counter for it on this CPU; value: errno */
#define ANNOT_PMU_LOST_SAMPLES	5	/* value: how many more are missing, by the count */
#define ANNOT_PMU_LIMIT_REACHED 6	/* max_samples reached */

#endif /* _UAPI_ANNOT_H */
