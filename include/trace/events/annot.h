/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The wire format of annot: what annotations look like in the ftrace buffer, in a trace.dat and
 * in the output of `trace-cmd report`.
 *
 * This file is data, not code: the kernel's trace macros read it several times, each time as
 * something else (a struct, a function that fills it, the text of the file
 * /sys/kernel/tracing/events/annot/<event>/format). That `format` text is stored in each trace.dat,
 * so a trace explains itself: any reader that knows ftrace finds our fields by their names.
 *
 * Hence the rules of growth:
 *  - readers go by field name, never by offset, and pass over fields that they do not know;
 *  - a field, once published, keeps its name, its type's signedness and its meaning;
 *  - new fields are added to an event, and new events to the system, but nothing is taken away;
 *  - numbers with a meaning (kind) get new values, old values are not used again;
 *  - annot_config carries the version (abi=) of all this.
 *
 * Who annotates is told by no field but by the header that ftrace gives each event (common_pid,
 * the thread's id): it is what the kernel knows, and cannot be forged.
 */

/*
 * The system: the directory below events/, and the part before the colon in `annot:annot_begin`.
 * It stands outside of the include guard since it must be set anew at each reading.
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
 * The nanoseconds from @ticks, of the clock of annot_record.ticks, to now; 0 for 0 ticks. For
 * assignments: they run when the event has just got its own time stamp.
 */
u64 annot_clock_age_ns(u64 ticks);

struct annot_batch_record;
struct annot_batch_counts;

/* Writes ANNOT_BATCH_WORDS words for each record: how long ago it was, value, what. */
void annot_events_fill_batch(u64 *words, const struct annot_batch_record *records, u32 nr);

#define ANNOT_BATCH_WORDS 3

/*
 * An event's callbacks: the kernel calls the first before the tracepoint's first listener (an
 * ftrace instance, perf, BPF) is connected, the second after the last one has gone. That is how
 * recording switches annotation on in every process, and nothing else need be told.
 */
int annot_recording_get(void);
void annot_recording_put(void);
int annot_recording_get_batches(void); /* of annot_batch */
void annot_recording_put_batches(void);

struct annot_counts;
struct annot_sample_data;

/*
 * TRACE_EVENT_FN(name, prototype, arguments, struct, assignment, text, callbacks) makes
 * trace_<name>(arguments). While the event is disabled, a call to it is a no-op instruction.
 *
 * annot_begin: a span begins. It lasts to the annot_end that closes it, and spans nest: the
 * begins and ends of one thread pair up as brackets do.
 */
TRACE_EVENT_FN(annot_begin,

	/* What trace_annot_begin() takes, and then the bare names of the same, in order. */
	TP_PROTO(const char *name, u8 kind, bool has_value, s64 value, s32 tgid, u64 ticks),
	TP_ARGS(name, kind, has_value, value, tgid, ticks),

	/*
	 * What stands in the ring buffer, after the 8 bytes of header that each event has.
	 * __field() is a plain member. __string() is a member of 32 bits, of type __data_loc
	 * (low half: offset from the event's start, high half: bytes with the NUL), and the
	 * string itself behind the struct, as long as it needs to be. The order is chosen so
	 * that alignment leaves no holes.
	 *
	 * ago_ns	the span began this long before the event's own time. While this event is
	 *		recorded annotations are system calls, and become events at once: 0. It is
	 *		there for readers of both forms, see annot_batch.
	 * value	what the program gave, e.g. a trip count; means nothing without has_value
	 * tgid		the process (common_pid is the thread)
	 * name		of what is being done; 1 to 255 bytes, no control characters, any encoding
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
	 * Runs with the place in the ring buffer already reserved: copy, and nothing else. It does
	 * not run when the buffer is switched off or a filter on the process says no.
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
	 * How ftrace and trace-cmd print it. The text is part of `format`, and libtraceevent
	 * interprets it when a file is read: only what both understand may stand here (no function
	 * calls; constants must be macros, since names of enums mean nothing outside of C).
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
 * annot_end: the innermost open span of the thread ends. An end without a begin closes a span that
 * began before the recording did.
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
 * annot_batch: a run of annotations of one thread, in one event that costs little more than one of
 * the above would. Enabling it asks for annotations as the others do. They go through rings in the
 * memory of the program, and become an event when the thread leaves its CPU, or the ring is full;
 * but while any of the others is enabled, in whichever recording, each is a batch of its own. While
 * slices are counted, the kernel gathers them.
 *
 *	tgid	the process
 *	table	whose name ids these are: an id means one name in a table, in the whole trace
 *	nr	how many annotations
 *	records	of each, ANNOT_BATCH_WORDS words, oldest first:
 *		 - nanoseconds that it was before the event's own time, as ago_ns above
 *		 - value (an s64), which means nothing without ANNOT_RECORD_HAS_VALUE
 *		 - name id << 32 | operation (ANNOT_OP_*) << 8 | flags (ANNOT_RECORD_HAS_VALUE)
 *	counts	of each record, oldest first: nr_counts of what was counted on this CPU until then,
 *		since the record before, or since the slice began or was cut last; as an
 *		annot_slice_counts of ANNOT_ENDED_BY_END ahead of the record would tell it. Empty
 *		where slices are not counted, or that is not recorded
 *	nr_counts, invalid	as nr and invalid there, of all records
 *
 * __dynamic_array() is an array behind the struct, of as many elements as its last argument says.
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
 * annot_name: what an id in batches means. A thread of the process tells it before the first batch
 * that uses the id, and again from time to time while it is used, since a ring buffer may forget
 * its beginning. @taken as in annot_config.
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
 * annot_lost: annotations of the process that could not be taken as they stood, in any of its
 * rings, since the last such event of the process. It is told when one of its threads next asks
 * for its ring to be drained, writes, or ends.
 *
 *	nr	how many; of a bad head 1, for nobody knows
 *	reason	ANNOT_LOST_*; ANNOT_LOST_AT_EXEC in the name of the program that the process has
 *		gone on to
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
 * annot_sample: an event of the PMU has happened `period` times more on this CPU, the last time
 * here. Enabling it starts sampling what ANNOT_IOC_EVENTS asked for. It is written from the
 * counter's overflow interrupt (an NMI on x86), so the thread is who was interrupted.
 *
 *	ip	of the instruction: the very one, if precise is 2 or 3; else some way behind
 *	addr	of the data that it accessed
 *	weight	its latency in cycles
 *	data_src where the data came from: PERF_MEM_* of perf_event_open(2)
 *	period	how many of the event this sample stands for
 *	event	index into the set; annot_config says which (event=)
 *	precise	as obtained, 0 to 3
 *	has	ANNOT_SAMPLE_*: which of the above count; absent is not zero
 *	regs	with ANNOT_SAMPLE_HAS_REGISTERS: the general registers, in perf's order for this
 *		architecture (asm/perf_regs.h) from the first on; empty otherwise
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
		__entry->event = sample->event;
		__entry->precise = sample->precise;
		__entry->has = sample->has;
	),

	TP_printk("event=%u ip=%llx addr=%llx weight=%llu data_src=%llx period=%llu precise=%u has=%s",
		  __entry->event, __entry->ip, __entry->addr, __entry->weight, __entry->data_src,
		  __entry->period, __entry->precise,
		  __print_flags(__entry->has, "|",
				{ ANNOT_SAMPLE_HAS_ADDR, "addr" },
				{ ANNOT_SAMPLE_HAS_WEIGHT, "weight" },
				{ ANNOT_SAMPLE_HAS_DATA_SRC, "data_src" },
				{ ANNOT_SAMPLE_HAS_REGISTERS, "regs" },
				{ ANNOT_SAMPLE_USER, "user" },
				{ ANNOT_SAMPLE_HIDDEN, "hidden" }))
);

/*
 * annot_slice_counts: what the slice that ends now on this CPU counted. It stands before the
 * scheduler's own event of the switch, and speaks of the thread that leaves (common_pid), the idle
 * thread too; a slice that counted nothing has none. Enabling it starts counting. When counting
 * stops, each CPU's running thread gets one for its slice until then, which no switch follows.
 *
 * Spans that are written to /dev/annot/cpuN, one by one, cut the slice: there is one behind each
 * begin and one before each end, even if nothing was counted since the one before. Those that come
 * by ANNOT_IOC_RECORD cut it, too; what was counted until then stands in their annot_batch, where
 * all who record slices record that.
 *
 *	nr	how many counts
 *	invalid	bit i is set: counter i did not run all the time of the slice
 *	ended_by ANNOT_ENDED_BY_*: what ends the time that was counted
 *	counts	of the counted events, in their order in the set; 0 and invalid if it was refused
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
				   { ANNOT_ENDED_BY_END, "end" }),
		  __print_array(__get_dynamic_array(counts), __entry->nr, 8))
);

/*
 * annot_pmu_state: something happened to an event of the set on this CPU: what is missing is said.
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
 * annot_config: what was recorded, and with what; once in each recording, when it begins, and one
 * for each event of the set whenever a set is put to use. The text is `key=value` pairs with
 * single blanks between them, in any order; unknown keys are passed over.
 *
 *	abi	ANNOT_ABI_VERSION
 *	module	version of the module
 *	cpus	number of /dev/annot/cpuN: one per possible CPU
 *
 * Of an event of the set:
 *
 *	event	its index
 *	name	as asked for
 *	mode	sample or count
 *	type, config, config1, config2	as in struct perf_event_attr, in hexadecimal with 0x
 *	period	of a sampled event
 *	user, kernel	0 or 1
 *	asked	precise level that was asked for
 *	precise	and what was got
 *	error	errno with which the kernel refused it, or 0
 *
 * It is a plain TRACE_EVENT: enabling it alone does not ask for annotations. @taken is not
 * recorded: since the assignment runs only when the ring buffer has room for the event, setting it
 * tells the caller that the event got in.
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

/* Outside of the guard again: unfolds all of the above, in the one file that asks for it. */
#include <trace/define_trace.h>
