/* SPDX-License-Identifier: (GPL-2.0 WITH Linux-syscall-note) OR MIT */
/*
 * The ABI between annot.ko and user space.
 *
 * Version rule: ANNOT_ABI_VERSION grows with each change that breaks older programs. The module
 * states the newest version that it speaks and the oldest that it still understands. A program that
 * was built for a version in this range works with it. A module of version N understands programs
 * of version N - 2 and later. A compatible addition gets a bit of annot_control.features instead.
 * New fields of struct annot_control only take the place of reserved ones, which are zero today.
 */
#ifndef _UAPI_ANNOT_H
#define _UAPI_ANNOT_H

#include <linux/ioctl.h>
#include <linux/types.h>

#define ANNOT_ABI_VERSION 2
#define ANNOT_ABI_OLDEST_VERSION 2 /* there is no released version before */

/* A name of a span, mark or counter: bytes, without the terminating NUL. */
#define ANNOT_NAME_MAX_BYTES 255

/* Kinds of spans: the field `kind` of the event annot_begin. New kinds get new numbers. */
#define ANNOT_SPAN_WORK 0
#define ANNOT_SPAN_WAIT 1 /* a barrier, a lock: kept apart from work */

/* The most bytes of one write() to /dev/annot/cpuN. Longer writes fail with EMSGSIZE. */
#define ANNOT_WRITE_MAX_BYTES 65536

/* Operations: annot_record.op. New operations get new numbers. */
#define ANNOT_OP_BEGIN 0 /* a span of work begins */
#define ANNOT_OP_WAIT_BEGIN 1 /* a span of waiting begins */
#define ANNOT_OP_END 2 /* the innermost span ends */
#define ANNOT_OP_MARK 3
#define ANNOT_OP_COUNTER 4
#define ANNOT_OP_NEXT 5 /* the innermost span ends, a span of work begins: at one time */

/*
 * Why annotations of a process were lost or changed: the field `reason` of the event annot_lost.
 * New reasons get new numbers.
 */
#define ANNOT_LOST_BAD_HEAD 0 /* annot_ring.head is impossible: the ring counts as empty */
#define ANNOT_LOST_BAD_OP 1
#define ANNOT_LOST_BAD_NAME 2 /* an id that ANNOT_IOC_NAME did not return */
#define ANNOT_LOST_BAD_TIME 3 /* not lost: moved into the time in which it was written */
#define ANNOT_LOST_AT_EXEC 4 /* the process executed another program before they were taken */
#define ANNOT_LOST_NO_CLOCK 5 /* the kernel found that the clock of the records is unusable */
#define ANNOT_LOST_DROPPED 6 /* the program dropped them: annot_ring.dropped */

#define ANNOT_RECORD_HAS_VALUE 0x1 /* annot_record.flags: value is valid */

/*
 * One annotation in a ring. The thread that annotates writes it in a restartable sequence, on the
 * CPU of the ring. The kernel trusts nothing in it: a false record harms this thread's annotations
 * only.
 *
 * @ticks:	time of the annotation, on the clock of annot_control.clock
 * @value:	valid with ANNOT_RECORD_HAS_VALUE
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
 * A ring: this header in a page of its own, then the records, a power of two of bytes. It is mapped
 * from offset 0 of /dev/annot/cpuN, with annot_control.ring_bytes plus a page. The mapping belongs
 * to the calling process and is not inherited by fork(). The ring belongs to the CPU: only code
 * that runs on it may write a record. mmap() allocates the memory, which counts against the user's
 * RLIMIT_MEMLOCK. Errors: ENOMEM, EBUSY (the process already has a ring of this CPU), ENODEV (there
 * is no clock for records).
 *
 * @head:	bytes written since the ring was mapped; record number head / 32 goes to
 *		(head & mask). Storing it publishes the record before it. Only user space stores it.
 * @limit:	when head reaches it, the ring is full or closed: call ANNOT_IOC_DRAIN. Only the
 *		kernel stores it. The kernel keeps its own copy: a false value harms the records of
 *		this process only. At first it is 0: closed. The kernel closes a ring now and then,
 *		so that the program makes this call.
 * @mask:	size of the ring in bytes, minus one
 * @due:	2^64 minus the ticks from which on the ring must be drained before a further record;
 *		0 in the module's rings: never
 * @dropped:	number of annotations that the program could neither store nor write since the ring
 *		was mapped, for example because it may no longer open the device. Only user space
 *		stores it.
 */
struct annot_ring {
	__u64 head;
	__u64 limit;
	__u64 mask;
	__u64 due;
	__u64 dropped;
	__u64 reserved[3];
};

/* Values of annot_control.clock. */
#define ANNOT_CLOCK_NONE 0 /* no clock that both sides can read: rings cannot be mapped */
#define ANNOT_CLOCK_TSC 1 /* x86: rdtsc */
#define ANNOT_CLOCK_CNTVCT 2 /* arm64: cntvct_el0 */
#define ANNOT_CLOCK_TIME 3 /* riscv64: rdtime */

/* Values of annot_control.recording. Read an unknown value as ANNOT_RECORDING_WRITES. */
#define ANNOT_RECORDING_OFF 0
#define ANNOT_RECORDING_RINGS 1 /* into the ring; by write() if there is none */
#define ANNOT_RECORDING_WRITES 2 /* each by a write(): a recording takes them one by one */
#define ANNOT_RECORDING_CALLS 3 /* each by ANNOT_IOC_RECORD or write(): slices are counted */

/* annot_control.features */
#define ANNOT_FEATURE_RINGS 0x1 /* rings can be mapped */
#define ANNOT_FEATURE_EVENTS 0x2 /* ANNOT_IOC_EVENTS */
#define ANNOT_FEATURE_CALLS 0x4 /* ANNOT_IOC_RECORD */
#define ANNOT_FEATURE_STACKS 0x8 /* ANNOT_IOC_UNWIND_TABLE, ..._RANGES, ANNOT_EVENT_STACK */

/*
 * One page, mapped read-only from offset 0 of /dev/annot/ctl.
 *
 * @version:	the newest ABI that the module speaks
 * @recording:	ANNOT_RECORDING_*. Read it without a lock before each annotation. If it is 0, the
 *		annotation would be dropped
 * @clock:	the clock of annot_record.ticks: ANNOT_CLOCK_*. It becomes ANNOT_CLOCK_NONE for good
 *		when the kernel finds the clock unusable: rings then take no records any more
 * @record_bytes: sizeof(struct annot_record)
 * @ring_bytes:	size of the records of one ring
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
 * Assigns an id to a name, for the records in the rings of this process. The id is never 0, and is
 * the same for the same bytes. @text need not end in a NUL. Works on any /dev/annot/cpuN.
 * Errors: EINVAL (empty, too long, control characters), ENOSPC (the process has too many names),
 * EFAULT, ENOMEM (no memory, or the limit RLIMIT_MEMLOCK of the user is reached).
 */
struct annot_name {
	__u64 text;
	__u32 length_bytes;
	__u32 reserved;
};

#define ANNOT_IOC_NAME _IOW('@', 0xa0, struct annot_name)

/*
 * Moves the records in the ring of the calling thread's CPU into the trace, and opens the ring.
 * Works on any /dev/annot/cpuN, and on any CPU. Returns ANNOT_DRAIN_*.
 */
#define ANNOT_IOC_DRAIN _IO('@', 0xa1)

#define ANNOT_DRAIN_OPEN 0 /* the ring takes records */
#define ANNOT_DRAIN_CLOSED 1 /* it takes no records now, or there is no ring: annotate by write() */

/*
 * Makes one annotation now. It becomes an event at once, after the records in the thread's ring.
 * While slices are counted, a begin and an end cut the slice, so that each span gets its own
 * counts. Works on any /dev/annot/cpuN. The name is one of the calling process, whoever opened the
 * file. The time is the kernel's: annot_record.ticks and reserved fields are 0.
 * Returns ANNOT_RECORD_TAKEN, a value that no other driver's ioctl() returns by chance, also when
 * nothing records and the annotation was dropped.
 * Errors: EINVAL (an unknown operation, name or flag), EFAULT, ENOMEM.
 */
#define ANNOT_IOC_RECORD _IOW('@', 0xa3, struct annot_record)

#define ANNOT_RECORD_TAKEN 0xa3

/*
 * Events of the PMU (or of the kernel) to be sampled and counted: what user space requests, and
 * what it gets. There is one set for the whole machine, on every CPU. It belongs to the open file
 * of /dev/annot/ctl through which it was set. The next ANNOT_IOC_EVENTS on this file replaces it,
 * and closing the file removes it. Setting it starts nothing: enabling annot:annot_sample starts
 * sampling, enabling annot:annot_slice_counts starts counting, and disabling them stops it.
 */
#define ANNOT_EVENTS_MAX 16
#define ANNOT_EVENT_NAME_MAX_BYTES 64

/* annot_event.mode */
#define ANNOT_EVENT_SAMPLE 0
#define ANNOT_EVENT_COUNT 1

/* annot_event.flags; at least one of the first two. */
#define ANNOT_EVENT_USER 0x1 /* events that user code causes */
#define ANNOT_EVENT_KERNEL 0x2 /* events that the kernel causes */
#define ANNOT_EVENT_REGISTERS 0x4 /* each sample with the general registers */
#define ANNOT_EVENT_STACK 0x8 /* each sample with the stack of the user's calls */
#define ANNOT_EVENT_NO_IDLE 0x10 /* no samples of a CPU that has nothing to do */
/*
 * Of a counted event: it takes turns with others where the CPU has too few counters for all. What a
 * slice counted is then told every millisecond, too, since only a part in which a counter ran all
 * the time can be used.
 */
#define ANNOT_EVENT_SHARED 0x20

/*
 * @type, @config, @config1, @config2: as in struct perf_event_attr
 * @period:	of a sampled event: number of events from sample to sample; 0 for a counted event
 * @name:	its name in the trace; no blanks or control characters, ends in a NUL
 * @mode:	ANNOT_EVENT_SAMPLE or ANNOT_EVENT_COUNT
 * @flags:	ANNOT_EVENT_*
 * @precise:	in: the level requested, 0 (any skid) to 3; out: the level obtained, at most that
 * @reserved:	zero
 * @error:	out: 0, or the errno (positive) with which the kernel refused the event; the other
 *		events of the set still work
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
 * @nr:		number of events; 0 removes the set
 * @reserved:	zero
 * @max_samples: each event stops after this number of samples on all CPUs together; 0: never
 */
struct annot_events {
	__u64 events;
	__u32 nr;
	__u32 reserved;
	__u64 max_samples;
};

/*
 * Sets the events, and tries each of them on one CPU. Works on /dev/annot/ctl. Needs CAP_PERFMON or
 * CAP_SYS_ADMIN. Errors: EPERM, EINVAL (an invalid field), EBUSY (another open file has a set, or
 * the set of this file is in use: its trace events are enabled), EFAULT, ENOMEM, EOPNOTSUPP (a
 * kernel without perf events). With @nr 0 it always succeeds, and stops a set in use as closing the
 * file does.
 */
#define ANNOT_IOC_EVENTS _IOWR('@', 0xa2, struct annot_events)

/*
 * How the module walks the stack of a process: tables of where a function has put its return
 * address, which user space makes of the .eh_frame of binaries.
 *
 * A row holds from its address up to that of the next row. The return address is the word below the
 * canonical frame address (CFA), the stack pointer before the call. On arm64 and riscv64, whose
 * calls leave it in a register, the rule may say that it is elsewhere. The frame pointer is rbp,
 * x29 or s0; the stack pointer is rsp or sp.
 *
 * @pc:		address of code, counted from where the table begins
 * @cfa:	of the rules below
 * @bp:		the caller's frame pointer is at CFA - 8 * bp; 0: it is still in the register
 * @rule:	ANNOT_UNWIND_*
 */
struct annot_unwind_row {
	__u32 pc;
	__u16 cfa;
	__u8 bp;
	__u8 rule;
};

/* annot_unwind_row.rule */
#define ANNOT_UNWIND_UNKNOWN 0 /* no row can tell */
#define ANNOT_UNWIND_END 1 /* nobody called this function: the stack is complete */
#define ANNOT_UNWIND_SP 2 /* CFA = stack pointer + 8 * cfa */
#define ANNOT_UNWIND_BP 3 /* CFA = frame pointer + 8 * cfa */
#define ANNOT_UNWIND_PLT 4 /* x86-64: CFA = rsp + 8, and 8 more if (pc & 15) >= cfa */
#define ANNOT_UNWIND_SIGNAL 5 /* all registers are in the signal frame at the stack pointer */
#define ANNOT_UNWIND_ALIGNED 6 /* x86-64: CFA is at rbp - 8 * cfa, the caller's rbp at rbp */
/* Added to ANNOT_UNWIND_SP or _BP on arm64 and riscv64. BASE is their stack or frame pointer. */
#define ANNOT_UNWIND_LINK 0x40 /* return address: in its register */
#define ANNOT_UNWIND_RECORD 0x80 /* caller's frame pointer: BASE + 8 * bp; return address: above */
#define ANNOT_UNWIND_STORED 0xc0 /* return address: BASE + 8 * bp; frame pointer: in its register */
#define ANNOT_UNWIND_WHERE 0xc0 /* mask of these */

/*
 * Hands over the rows of a table, in ascending order of @pc. Returns the table's number, from 1 on.
 * Works on /dev/annot/ctl. All tables and ranges of the machine belong to one open file: its first
 * call takes them, and closing it removes them. Needs CAP_PERFMON or CAP_SYS_ADMIN.
 * Errors: EPERM, EBUSY (another open file has tables), EINVAL (rows out of order, an unknown rule,
 * a reserved field), ENOSPC (too many tables, too much memory), EFAULT, ENOMEM.
 *
 * @rows:	address of @nr struct annot_unwind_row
 * @nr:		1 to ANNOT_UNWIND_ROWS_MAX
 * @reserved:	zero
 */
struct annot_unwind_table {
	__u64 rows;
	__u32 nr;
	__u32 reserved;
};

#define ANNOT_IOC_UNWIND_TABLE _IOW('@', 0xa4, struct annot_unwind_table)

#define ANNOT_UNWIND_ROWS_MAX (1 << 22)
#define ANNOT_UNWIND_TABLES_MAX 1024

/*
 * A part of a process's memory, and the table for the code there.
 *
 * @start, @end: its addresses, the first and that behind the last
 * @base:	the address to which row 0 of the table counts from (pc = address - base)
 * @table:	the table's number; 0: none, this code keeps frame pointers
 * @reserved:	zero
 */
struct annot_unwind_range {
	__u64 start;
	__u64 end;
	__u64 base;
	__u32 table;
	__u32 reserved;
};

/*
 * Sets the ranges of a process, in place of those that it had. They end when the process ends or
 * executes another program; a child that it forks inherits them. Only of a process that has ranges
 * are stacks taken. Works as ANNOT_IOC_UNWIND_TABLE. Further errors: ESRCH (no such process),
 * EINVAL (ranges that are empty, overlap or are not in order; a table that does not exist).
 *
 * @ranges:	address of @nr struct annot_unwind_range, in ascending order
 * @nr:		at most ANNOT_UNWIND_RANGES_MAX; 0: the process has none any more
 * @tgid:	the process, as the caller sees it
 */
struct annot_unwind_ranges {
	__u64 ranges;
	__u32 nr;
	__s32 tgid;
};

#define ANNOT_IOC_UNWIND_RANGES _IOW('@', 0xa5, struct annot_unwind_ranges)

#define ANNOT_UNWIND_RANGES_MAX 4096

/* A stack has at most so many addresses. */
#define ANNOT_STACK_MAX 128

/* annot_stack.kind. New kinds get new numbers. */
#define ANNOT_STACK_USER 0
#define ANNOT_STACK_KERNEL 1

/* annot_sample.has: the fields that the hardware and its driver filled. New fields get new bits. */
#define ANNOT_SAMPLE_HAS_ADDR 0x01
#define ANNOT_SAMPLE_HAS_WEIGHT 0x02
#define ANNOT_SAMPLE_HAS_DATA_SRC 0x04
#define ANNOT_SAMPLE_HAS_REGISTERS 0x08
#define ANNOT_SAMPLE_USER 0x10 /* ip is user code; else the kernel's */
#define ANNOT_SAMPLE_HIDDEN 0x20 /* a kernel address was left out because it may not be shown */

/*
 * annot_slice_counts.ended_by: what ended the counted interval. The interval began where the one
 * before it on that CPU ended, or with the slice. Read an unknown value as ANNOT_ENDED_BY_SWITCH.
 */
#define ANNOT_ENDED_BY_SWITCH 0 /* a switch of threads, or the end of counting */
#define ANNOT_ENDED_BY_BEGIN 1 /* the begin of a span: the thread's annotation before this event */
#define ANNOT_ENDED_BY_END 2 /* the end of a span: the thread's annotation after this event */
#define ANNOT_ENDED_BY_TIMER 3 /* a millisecond, where events are ANNOT_EVENT_SHARED */

/* annot_pmu_state.state: what happened to an event on a CPU. New states get new numbers. */
#define ANNOT_PMU_STARTED 0 /* value: count so far; not 0 only if the event is written late */
#define ANNOT_PMU_STOPPED 1 /* value: total count since the start */
#define ANNOT_PMU_THROTTLED 2 /* too many interrupts: no samples since about now */
#define ANNOT_PMU_UNTHROTTLED 3 /* samples again; value: nanoseconds without samples, approximate */
#define ANNOT_PMU_FAILED 4 /* no counter for it on this CPU; value: errno */
#define ANNOT_PMU_LOST_SAMPLES \
	5 /* value: number of further missing samples, computed from the count */
#define ANNOT_PMU_LIMIT_REACHED 6 /* max_samples reached */

/*
 * annot_blocked.what: what a descriptor is that the thread waits for, or a futex. New ones get new
 * numbers. Read an unknown one as ANNOT_BLOCKED_OTHER.
 */
#define ANNOT_BLOCKED_NONE 0 /* its system call has no descriptor, or not this one any more */
#define ANNOT_BLOCKED_FUTEX 1
#define ANNOT_BLOCKED_FILE 2
#define ANNOT_BLOCKED_DIRECTORY 3
#define ANNOT_BLOCKED_PIPE 4 /* with and without a name */
#define ANNOT_BLOCKED_SOCKET 5
#define ANNOT_BLOCKED_CHAR_DEVICE 6
#define ANNOT_BLOCKED_BLOCK_DEVICE 7
#define ANNOT_BLOCKED_EVENTFD 8
#define ANNOT_BLOCKED_EPOLL 9
#define ANNOT_BLOCKED_TIMERFD 10
#define ANNOT_BLOCKED_SIGNALFD 11
#define ANNOT_BLOCKED_INOTIFY 12
#define ANNOT_BLOCKED_FANOTIFY 13
#define ANNOT_BLOCKED_IO_URING 14
#define ANNOT_BLOCKED_USERFAULTFD 15
#define ANNOT_BLOCKED_OTHER 16

/* annot_blocked.flags */
#define ANNOT_BLOCKED_COMPAT 0x1 /* of a 32-bit program: nr is of its machine; no more is told */
#define ANNOT_BLOCKED_HAS_OBJECT 0x2 /* object is valid */
#define ANNOT_BLOCKED_IS_DESCRIPTOR 0x4 /* object is the descriptor: such files have no inodes */

#endif /* _UAPI_ANNOT_H */
