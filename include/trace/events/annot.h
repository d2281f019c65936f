/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The wire format of annot: events in the ftrace buffer, in a trace.dat and in the output of
 * `trace-cmd report`.
 *
 * This file is data, not code. The kernel's trace macros include it several times, and make another
 * thing of it each time: a struct, a function that fills the struct, the text of the file
 * /sys/kernel/tracing/events/annot/<event>/format. Each trace.dat contains this `format` text. So a
 * trace describes itself: any reader that knows ftrace finds the fields by their names.
 *
 * Hence the rules for changes:
 *  - readers find fields by name, never by offset, and skip fields that they do not know;
 *  - a published field keeps its name, the signedness of its type, and its meaning;
 *  - fields are added to an event, and events to the system, but none are removed;
 *  - numbers with a meaning (kind) get new values, and old values are not used again;
 *  - annot_config has the version (abi=) of all this.
 *
 * No field has the thread that annotates: it is common_pid, in the header that ftrace gives each
 * event. The kernel sets it, and programs cannot forge it.
 */

/*
 * The system: the directory below events/, and the part before the colon in `annot:annot_begin`.
 * It is outside the include guard because it must be set at each inclusion.
 */
#undef TRACE_SYSTEM
#define TRACE_SYSTEM annot

/* The second half of the guard lets the macros in define_trace.h read the file again. */
#if !defined(_TRACE_ANNOT_H) || defined(TRACE_HEADER_MULTI_READ)
#define _TRACE_ANNOT_H

#include <linux/tracepoint.h>
#include <linux/types.h>
#include <linux/version.h>

#include <uapi/annot.h>

/* __assign_str() remembers the source from __string() since 6.10. */
#ifndef annot_assign_str
#if LINUX_VERSION_CODE < KERNEL_VERSION(6, 10, 0)
#define annot_assign_str(field, source) __assign_str(field, source)
#else
#define annot_assign_str(field, source) __assign_str(field)
#endif
#endif

/*
 * Returns the nanoseconds from @ticks, on the clock of annot_record.ticks, to now; 0 for 0 ticks.
 * For assignments, which run just after the event got its own time stamp.
 */
u64 annot_clock_age_ns(u64 ticks);

struct annot_batch_record;
struct annot_batch_counts;

/* Writes ANNOT_BATCH_WORDS words for each record: how long ago it was, value, what. */
void annot_events_fill_batch(u64 *words, const struct annot_batch_record *records, u32 nr);

#define ANNOT_BATCH_WORDS 3

/*
 * An event's callbacks: the kernel calls the first before it connects the tracepoint's first
 * listener (an ftrace instance, perf, BPF), and the second after it has removed the last one. In
 * this way a recording turns annotation on in every process.
 */
int annot_recording_get(void);
void annot_recording_put(void);
int annot_recording_get_batches(void); /* of annot_batch */
void annot_recording_put_batches(void);

struct annot_blocked;
struct annot_counts;
struct annot_sample_data;
struct annot_stack_data;

/*
 * TRACE_EVENT_FN(name, prototype, arguments, struct, assignment, text, callbacks) makes
 * trace_<name>(arguments). While the event is disabled, a call to it is a no-op instruction.
 *
 * annot_begin: a span begins. It lasts to the annot_end that closes it, and spans nest: the
 * begins and ends of one thread pair up as brackets do.
 */
TRACE_EVENT_FN(annot_begin,

	/* The parameters of trace_annot_begin(), and then their names, in the same order. */
	TP_PROTO(const char *name, u8 kind, bool has_value, s64 value, s32 tgid, u64 ticks),
	TP_ARGS(name, kind, has_value, value, tgid, ticks),

	/*
	 * The fields in the ring buffer, after the 8 bytes of header that each event has.
	 * __field() is a plain member. __string() is a 32-bit member of type __data_loc (low
	 * half: offset from the event's start, high half: bytes with the NUL), and the string
	 * itself after the struct, with its own length. The order is chosen so that alignment
	 * leaves no holes.
	 *
	 * ago_ns	the span began this long before the event's own time. It is 0: while this
	 *		event is recorded, annotations are system calls, which become events at
	 *		once. The field is for readers of both forms, see annot_batch.
	 * value	the value that the program gave, e.g. a trip count; valid with has_value
	 * tgid		the process (common_pid is the thread)
	 * name		of the work; 1 to 255 bytes, no control characters, any encoding
	 * kind		ANNOT_SPAN_WORK, or ANNOT_SPAN_WAIT when the thread waits for others
	 */
	TP_STRUCT__entry(
		__field(u64,	ago_ns)
		__field(s64,	value)
		__field(s32,	tgid)
		__string(name,	name)
		__field(u8,	kind)
		__field(u8,	has_value)
	),

	/*
	 * Runs when the place in the ring buffer is already reserved: it may only copy. It does not
	 * run if the buffer is turned off, or if a filter excludes the process.
	 */
	TP_fast_assign(
		__entry->ago_ns = annot_clock_age_ns(ticks);
		__entry->value = value;
		__entry->tgid = tgid;
		annot_assign_str(name, name);
		__entry->kind = kind;
		__entry->has_value = has_value;
	),

	/*
	 * How ftrace and trace-cmd print the event. The text is part of `format`, and libtraceevent
	 * interprets it when it reads a file. So it may contain only what both understand: no
	 * function calls, and constants that are macros, since enums have no names outside of C.
	 */
	TP_printk("kind=%s name=%s value=%lld%s ago_ns=%llu",
		  __print_symbolic(__entry->kind,
				   { ANNOT_SPAN_WORK, "work" },
				   { ANNOT_SPAN_WAIT, "wait" }),
		  __get_str(name), __entry->value, __entry->has_value ? "" : " (none)",
		  __entry->ago_ns),

	annot_recording_get, annot_recording_put
);

/*
 * annot_end: the innermost open span of the thread ends. An end without a begin ends a span that
 * began before the recording.
 */
TRACE_EVENT_FN(annot_end,

	TP_PROTO(s32 tgid, u64 ticks),
	TP_ARGS(tgid, ticks),

	TP_STRUCT__entry(
		__field(u64,	ago_ns)
		__field(s32,	tgid)
	),

	TP_fast_assign(
		__entry->ago_ns = annot_clock_age_ns(ticks);
		__entry->tgid = tgid;
	),

	TP_printk("tgid=%d ago_ns=%llu", __entry->tgid, __entry->ago_ns),

	annot_recording_get, annot_recording_put
);

/* annot_mark: something happened, at this instant. Fields as in annot_begin. */
TRACE_EVENT_FN(annot_mark,

	TP_PROTO(const char *name, bool has_value, s64 value, s32 tgid, u64 ticks),
	TP_ARGS(name, has_value, value, tgid, ticks),

	TP_STRUCT__entry(
		__field(u64,	ago_ns)
		__field(s64,	value)
		__field(s32,	tgid)
		__string(name,	name)
		__field(u8,	has_value)
	),

	TP_fast_assign(
		__entry->ago_ns = annot_clock_age_ns(ticks);
		__entry->value = value;
		__entry->tgid = tgid;
		annot_assign_str(name, name);
		__entry->has_value = has_value;
	),

	TP_printk("name=%s value=%lld%s ago_ns=%llu", __get_str(name), __entry->value,
		  __entry->has_value ? "" : " (none)", __entry->ago_ns),

	annot_recording_get, annot_recording_put
);

/* annot_counter: the quantity `name` of the process has this value from now on. */
TRACE_EVENT_FN(annot_counter,

	TP_PROTO(const char *name, s64 value, s32 tgid, u64 ticks),
	TP_ARGS(name, value, tgid, ticks),

	TP_STRUCT__entry(
		__field(u64,	ago_ns)
		__field(s64,	value)
		__field(s32,	tgid)
		__string(name,	name)
	),

	TP_fast_assign(
		__entry->ago_ns = annot_clock_age_ns(ticks);
		__entry->value = value;
		__entry->tgid = tgid;
		annot_assign_str(name, name);
	),

	TP_printk("name=%s value=%lld ago_ns=%llu", __get_str(name), __entry->value,
		  __entry->ago_ns),

	annot_recording_get, annot_recording_put
);

/*
 * annot_batch: consecutive annotations of one thread, in one event that costs little more than one
 * of the events above. Enabling it turns annotation on, as the others do. Annotations go through
 * rings in the memory of the program, and become an event when the thread leaves its CPU or the
 * ring is full. While any of the other events is enabled, in any recording, each annotation is a
 * batch of its own. While slices are counted, the kernel gathers the annotations.
 *
 *	tgid	the process
 *	table	the table of the name ids: an id has one name in a table, in the whole trace
 *	nr	number of annotations
 *	records	ANNOT_BATCH_WORDS words for each annotation, oldest first:
 *		 - nanoseconds from the annotation to the event's own time, as ago_ns above
 *		 - value (an s64), valid with ANNOT_RECORD_HAS_VALUE
 *		 - name id << 32 | operation (ANNOT_OP_*) << 8 | flags (ANNOT_RECORD_HAS_VALUE)
 *	counts	nr_counts counts for each record, oldest first: events on this CPU up to the record,
 *		since the record before, or since the slice began or was last cut. An
 *		annot_slice_counts with ANNOT_ENDED_BY_END before the record would have the same.
 *		Empty if slices are not counted, or if counts are not recorded
 *	nr_counts, invalid	as nr and invalid of annot_slice_counts, for all records
 *
 * __dynamic_array() is an array after the struct. Its last argument is the number of elements.
 */
TRACE_EVENT_FN(annot_batch,

	TP_PROTO(s32 tgid, u32 table, u32 nr, const struct annot_batch_record *records,
		 const struct annot_batch_counts *taken),
	TP_ARGS(tgid, table, nr, records, taken),

	TP_STRUCT__entry(
		__field(s32,	tgid)
		__field(u32,	table)
		__field(u32,	nr)
		__dynamic_array(u64,	records,	nr * ANNOT_BATCH_WORDS)
		__dynamic_array(u64,	counts,		nr * taken->nr)
		__field(u16,	nr_counts)
		__field(u16,	invalid)
	),

	TP_fast_assign(
		__entry->tgid = tgid;
		__entry->table = table;
		__entry->nr = nr;
		annot_events_fill_batch(__get_dynamic_array(records), records, nr);
		__entry->nr_counts = taken->nr;
		__entry->invalid = taken->invalid;
		memcpy(__get_dynamic_array(counts), taken->counts, nr * taken->nr * sizeof(u64));
	),

	TP_printk("tgid=%d table=%u nr=%u records=%s nr_counts=%u invalid=%x counts=%s",
		  __entry->tgid, __entry->table, __entry->nr,
		  __print_array(__get_dynamic_array(records), __entry->nr * 3, 8),
		  __entry->nr_counts, __entry->invalid,
		  __print_array(__get_dynamic_array(counts), __entry->nr * __entry->nr_counts, 8)),

	annot_recording_get_batches, annot_recording_put_batches
);

/*
 * annot_name: the name of an id in batches. A thread of the process writes it before the first
 * batch that uses the id, and again from time to time while it is used, since a ring buffer may
 * overwrite its oldest events. @taken: as in annot_config.
 */
TRACE_EVENT(annot_name,

	TP_PROTO(u32 id, u32 table, s32 tgid, const char *name, bool *taken),
	TP_ARGS(id, table, tgid, name, taken),

	TP_STRUCT__entry(
		__field(u32,	id)
		__field(u32,	table)
		__field(s32,	tgid)
		__string(name,	name)
	),

	TP_fast_assign(
		__entry->id = id;
		__entry->table = table;
		__entry->tgid = tgid;
		annot_assign_str(name, name);
		*taken = true;
	),

	TP_printk("id=%u table=%u tgid=%d name=%s", __entry->id, __entry->table, __entry->tgid,
		  __get_str(name))
);

/*
 * annot_lost: annotations in the rings of the process that were lost or changed since the last such
 * event of the process. It is written when a thread of the process next has its ring drained,
 * writes, or ends.
 *
 *	nr	number of annotations; 1 for a bad head, since the number is unknown
 *	reason	ANNOT_LOST_*. With ANNOT_LOST_AT_EXEC, the process already executes the next program
 */
TRACE_EVENT(annot_lost,

	TP_PROTO(u32 nr, u32 reason, s32 tgid),
	TP_ARGS(nr, reason, tgid),

	TP_STRUCT__entry(
		__field(u32,	nr)
		__field(u32,	reason)
		__field(s32,	tgid)
	),

	TP_fast_assign(
		__entry->nr = nr;
		__entry->reason = reason;
		__entry->tgid = tgid;
	),

	TP_printk("nr=%u reason=%s tgid=%d", __entry->nr,
		  __print_symbolic(__entry->reason,
				   { ANNOT_LOST_BAD_HEAD, "bad head" },
				   { ANNOT_LOST_BAD_OP, "bad op" },
				   { ANNOT_LOST_BAD_NAME, "bad name" },
				   { ANNOT_LOST_BAD_TIME, "bad time" },
				   { ANNOT_LOST_AT_EXEC, "at exec" },
				   { ANNOT_LOST_NO_CLOCK, "no clock" },
				   { ANNOT_LOST_DROPPED, "dropped" }),
		  __entry->tgid)
);

/*
 * annot_sample: an event of the PMU has happened `period` more times on this CPU, the last time
 * here. Enabling it starts sampling the events of ANNOT_IOC_EVENTS. The counter's overflow
 * interrupt (an NMI on x86) writes it, so its thread is the one that was interrupted.
 *
 *	ip	address of the instruction: exact if precise is 2 or 3, else some instructions later
 *	addr	address of the data that it accessed
 *	weight	its latency in cycles
 *	data_src where the data came from: PERF_MEM_* of perf_event_open(2)
 *	period	number of events that this sample stands for
 *	event	index into the set, as event= of annot_config
 *	precise	the level obtained, 0 to 3
 *	has	ANNOT_SAMPLE_*: the fields above that are valid; an absent field is not zero
 *	regs	with ANNOT_SAMPLE_HAS_REGISTERS: the general registers, in perf's order for this
 *		architecture (asm/perf_regs.h), from the first on; empty otherwise
 *	stack	the user's calls: id of an annot_stack; 0: none
 */
TRACE_EVENT(annot_sample,

	TP_PROTO(const struct annot_sample_data *sample),
	TP_ARGS(sample),

	TP_STRUCT__entry(
		__field(u64,	ip)
		__field(u64,	addr)
		__field(u64,	weight)
		__field(u64,	data_src)
		__field(u64,	period)
		__dynamic_array(u64,	regs,	sample->nr_regs)
		__field(u32,	stack)
		__field(u8,	event)
		__field(u8,	precise)
		__field(u8,	has)
	),

	TP_fast_assign(
		__entry->ip = sample->ip;
		__entry->addr = sample->addr;
		__entry->weight = sample->weight;
		__entry->data_src = sample->data_src;
		__entry->period = sample->period;
		memcpy(__get_dynamic_array(regs), sample->regs, sample->nr_regs * sizeof(u64));
		__entry->stack = sample->stack;
		__entry->event = sample->event;
		__entry->precise = sample->precise;
		__entry->has = sample->has;
	),

	TP_printk("event=%u ip=%llx addr=%llx weight=%llu data_src=%llx period=%llu precise=%u stack=%u has=%s",
		  __entry->event, __entry->ip, __entry->addr, __entry->weight, __entry->data_src,
		  __entry->period, __entry->precise, __entry->stack,
		  __print_flags(__entry->has, "|",
				{ ANNOT_SAMPLE_HAS_ADDR, "addr" },
				{ ANNOT_SAMPLE_HAS_WEIGHT, "weight" },
				{ ANNOT_SAMPLE_HAS_DATA_SRC, "data_src" },
				{ ANNOT_SAMPLE_HAS_REGISTERS, "regs" },
				{ ANNOT_SAMPLE_USER, "user" },
				{ ANNOT_SAMPLE_HIDDEN, "hidden" }))
);

/*
 * annot_stack: a stack of calls, to which other events refer by its id. It is written before the
 * first event that refers to it, and again from time to time while it is used, since a ring buffer
 * may overwrite its oldest events. An id is of one stack in the whole trace; two ids may be of the
 * same stack. @taken: as in annot_config.
 *
 *	id	its number, never 0
 *	tgid	the process in whose memory the addresses are
 *	kind	ANNOT_STACK_*
 *	complete 1: down to where the thread began; 0: what is below the last address is not known
 *	nr	number of addresses
 *	ips	the instruction at which the thread was, then the return address of each caller
 */
TRACE_EVENT(annot_stack,

	TP_PROTO(u32 id, const struct annot_stack_data *stack, bool *taken),
	TP_ARGS(id, stack, taken),

	TP_STRUCT__entry(
		__field(u32,	id)
		__field(s32,	tgid)
		__dynamic_array(u64,	ips,	stack->nr)
		__field(u8,	kind)
		__field(u8,	complete)
		__field(u8,	nr)
	),

	TP_fast_assign(
		__entry->id = id;
		__entry->tgid = stack->tgid;
		memcpy(__get_dynamic_array(ips), stack->ips, stack->nr * sizeof(u64));
		__entry->kind = stack->kind;
		__entry->complete = stack->complete;
		__entry->nr = stack->nr;
		*taken = true;
	),

	TP_printk("id=%u tgid=%d kind=%s complete=%u ips=%s", __entry->id, __entry->tgid,
		  __print_symbolic(__entry->kind, { ANNOT_STACK_USER, "user" },
				   { ANNOT_STACK_KERNEL, "kernel" }),
		  __entry->complete,
		  __print_array(__get_dynamic_array(ips), __entry->nr, 8))
);

/*
 * annot_slice_counts: the counts of the slice that ends now on this CPU. It precedes the
 * scheduler's event of the switch, and is about the thread that leaves (common_pid), which may be
 * the idle thread. A slice without counts has no such event. Enabling it starts counting. When
 * counting stops, the running thread of each CPU gets one for its slice up to then, without a
 * switch after it.
 *
 * Spans that are written to /dev/annot/cpuN, one by one, cut the slice: there is one such event
 * after each begin and one before each end, even if nothing was counted since the last one. Spans
 * that are made by ANNOT_IOC_RECORD cut it, too. If all recordings of slices also record
 * annot_batch, the counts up to that time are in the annot_batch of the span.
 *
 *	nr	number of counts
 *	invalid	bit i is set: counter i did not run all the time of the slice
 *	ended_by ANNOT_ENDED_BY_*: what ends the counted interval
 *	counts	of the counted events, in the order of the set; 0 and invalid for a refused event
 */
TRACE_EVENT(annot_slice_counts,

	TP_PROTO(const struct annot_counts *taken, u8 ended_by),
	TP_ARGS(taken, ended_by),

	TP_STRUCT__entry(
		__field(u32,	nr)
		__field(u32,	invalid)
		__field(u8,	ended_by)
		__dynamic_array(u64,	counts,	taken->nr)
	),

	TP_fast_assign(
		__entry->nr = taken->nr;
		__entry->invalid = taken->invalid;
		__entry->ended_by = ended_by;
		memcpy(__get_dynamic_array(counts), taken->counts, taken->nr * sizeof(u64));
	),

	TP_printk("nr=%u invalid=%x ended_by=%s counts=%s", __entry->nr, __entry->invalid,
		  __print_symbolic(__entry->ended_by, { ANNOT_ENDED_BY_SWITCH, "switch" },
				   { ANNOT_ENDED_BY_BEGIN, "begin" },
				   { ANNOT_ENDED_BY_END, "end" },
				   { ANNOT_ENDED_BY_TIMER, "timer" }),
		  __print_array(__get_dynamic_array(counts), __entry->nr, 8))
);

/*
 * annot_blocked: a thread of a program falls asleep, and this is what it waits for. It precedes the
 * scheduler's event of the switch with which the thread leaves its CPU, which has the state. All
 * threads of programs have it, those of the kernel do not. What is not known is 0.
 *
 *	nr	the system call, as the machine counts them; -1: in none, as in a page fault
 *	arg0, arg1, arg2	its first arguments
 *	what	ANNOT_BLOCKED_*: what the first argument is, if that is a descriptor or a futex
 *	object	with ANNOT_BLOCKED_HAS_OBJECT: which one. Of a futex, its word's address in the
 *		program. Of a descriptor, the number of its inode. With ANNOT_BLOCKED_IS_DESCRIPTOR,
 *		the descriptor
 *	detail	of a socket, type << 16 | family; of a device, which; of a file or directory, the
 *		device of its file system. Devices are numbers of new_encode_dev()
 *	holder	of a futex that is a lock: the thread that holds it, as the lock's memory says. So
 *		it is the program's word. Known are FUTEX_LOCK_PI, and other mutexes of glibc
 *	flags	ANNOT_BLOCKED_*
 *	stack	the user's calls: id of an annot_stack; 0: none
 *	name	last component of the file's name: at most ANNOT_BLOCKED_NAME_BYTES - 1 bytes, a '?'
 *		for each control character; empty where there is none
 */
TRACE_EVENT(annot_blocked,

	TP_PROTO(const struct annot_blocked *blocked),
	TP_ARGS(blocked),

	TP_STRUCT__entry(
		__field(u64,	arg0)
		__field(u64,	arg1)
		__field(u64,	arg2)
		__field(u64,	object)
		__field(s32,	nr)
		__field(s32,	holder)
		__field(u32,	detail)
		__field(u32,	stack)
		__string(name,	blocked->name)
		__field(u8,	what)
		__field(u8,	flags)
	),

	TP_fast_assign(
		__entry->arg0 = blocked->args[0];
		__entry->arg1 = blocked->args[1];
		__entry->arg2 = blocked->args[2];
		__entry->object = blocked->object;
		__entry->nr = blocked->nr;
		__entry->holder = blocked->holder;
		__entry->detail = blocked->detail;
		__entry->stack = blocked->stack;
		annot_assign_str(name, blocked->name);
		__entry->what = blocked->what;
		__entry->flags = blocked->flags;
	),

	TP_printk("nr=%d args=%llx,%llx,%llx what=%s object=%llx detail=%x holder=%d flags=%s stack=%u name=%s",
		  __entry->nr, __entry->arg0, __entry->arg1, __entry->arg2,
		  __print_symbolic(__entry->what,
				   { ANNOT_BLOCKED_NONE, "none" },
				   { ANNOT_BLOCKED_FUTEX, "futex" },
				   { ANNOT_BLOCKED_FILE, "file" },
				   { ANNOT_BLOCKED_DIRECTORY, "directory" },
				   { ANNOT_BLOCKED_PIPE, "pipe" },
				   { ANNOT_BLOCKED_SOCKET, "socket" },
				   { ANNOT_BLOCKED_CHAR_DEVICE, "character device" },
				   { ANNOT_BLOCKED_BLOCK_DEVICE, "block device" },
				   { ANNOT_BLOCKED_EVENTFD, "eventfd" },
				   { ANNOT_BLOCKED_EPOLL, "epoll" },
				   { ANNOT_BLOCKED_TIMERFD, "timerfd" },
				   { ANNOT_BLOCKED_SIGNALFD, "signalfd" },
				   { ANNOT_BLOCKED_INOTIFY, "inotify" },
				   { ANNOT_BLOCKED_FANOTIFY, "fanotify" },
				   { ANNOT_BLOCKED_IO_URING, "io_uring" },
				   { ANNOT_BLOCKED_USERFAULTFD, "userfaultfd" },
				   { ANNOT_BLOCKED_OTHER, "other" }),
		  __entry->object, __entry->detail, __entry->holder,
		  __print_flags(__entry->flags, "|",
				{ ANNOT_BLOCKED_COMPAT, "compat" },
				{ ANNOT_BLOCKED_HAS_OBJECT, "object" },
				{ ANNOT_BLOCKED_IS_DESCRIPTOR, "descriptor" }),
		  __entry->stack, __get_str(name))
);

/*
 * annot_waking: a thread of a program wakes up another one, and this is where it is in its program.
 * It precedes the scheduler's sched_waking. Only threads of processes whose stacks can be walked
 * have it, if both are such, and what interrupts wake up does not.
 *
 *	pid	the thread that is woken up
 *	stack	the calls of the one that wakes it up: id of an annot_stack
 */
TRACE_EVENT(annot_waking,

	TP_PROTO(s32 pid, u32 stack),
	TP_ARGS(pid, stack),

	TP_STRUCT__entry(
		__field(s32,	pid)
		__field(u32,	stack)
	),

	TP_fast_assign(
		__entry->pid = pid;
		__entry->stack = stack;
	),

	TP_printk("pid=%d stack=%u", __entry->pid, __entry->stack)
);

/*
 * annot_pmu_state: the state of an event of the set changed on this CPU; shows what is missing.
 *
 *	value	depends on the state
 *	event	index into the set
 *	state	ANNOT_PMU_*
 */
TRACE_EVENT(annot_pmu_state,

	TP_PROTO(u8 event, u8 state, u64 value, bool *taken),
	TP_ARGS(event, state, value, taken),

	TP_STRUCT__entry(
		__field(u64,	value)
		__field(u8,	event)
		__field(u8,	state)
	),

	TP_fast_assign(
		__entry->value = value;
		__entry->event = event;
		__entry->state = state;
		*taken = true;
	),

	TP_printk("event=%u state=%s value=%llu", __entry->event,
		  __print_symbolic(__entry->state,
				   { ANNOT_PMU_STARTED, "started" },
				   { ANNOT_PMU_STOPPED, "stopped" },
				   { ANNOT_PMU_THROTTLED, "throttled" },
				   { ANNOT_PMU_UNTHROTTLED, "unthrottled" },
				   { ANNOT_PMU_FAILED, "failed" },
				   { ANNOT_PMU_LOST_SAMPLES, "lost samples" },
				   { ANNOT_PMU_LIMIT_REACHED, "limit reached" }),
		  __entry->value)
);

/*
 * annot_config: the configuration. It is written once in each recording, when it begins, and once
 * for each event of the set when the set is put to use. The text has `key=value` pairs with single
 * blanks between them, in any order. Readers skip unknown keys.
 *
 *	abi	ANNOT_ABI_VERSION
 *	module	version of the module
 *	cpus	number of /dev/annot/cpuN: one per possible CPU
 *
 * For an event of the set:
 *
 *	event	its index
 *	name	as asked for
 *	mode	sample or count
 *	type, config, config1, config2	as in struct perf_event_attr, in hexadecimal with 0x
 *	period	of a sampled event
 *	user, kernel	0 or 1
 *	asked	precise level that was requested
 *	precise	precise level that was obtained
 *	error	errno with which the kernel refused it, or 0
 *	shared	1: it takes turns with others on a counter (ANNOT_EVENT_SHARED)
 *
 * It is a plain TRACE_EVENT: enabling it alone does not turn annotation on. @taken is not recorded.
 * The assignment runs only if the ring buffer has room for the event, and sets @taken: so the
 * caller knows that the event was written.
 */
TRACE_EVENT(annot_config,

	TP_PROTO(const char *text, bool *taken),
	TP_ARGS(text, taken),

	TP_STRUCT__entry(
		__string(text,	text)
	),

	TP_fast_assign(
		annot_assign_str(text, text);
		*taken = true;
	),

	TP_printk("%s", __get_str(text))
);

#endif /* _TRACE_ANNOT_H */

/* Outside the guard again: expands all of the above, in the one file that requests it. */
#include <trace/define_trace.h>
