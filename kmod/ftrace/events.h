/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The trace events. The functions that emit speak of the current task, and each event goes to
 * whoever has enabled it.
 */
#ifndef ANNOT_KMOD_EVENTS_H
#define ANNOT_KMOD_EVENTS_H

#include <linux/trace_events.h>
#include <linux/types.h>

#include <uapi/annot.h>

#define ANNOT_NR_LOST_REASONS (ANNOT_LOST_DROPPED + 1)

/* As text, a batch fits into the buffer that the kernel has for one line. */
#define ANNOT_BATCH_MAX_RECORDS 64

/**
 * struct annot_item - an annotation on its way to its event
 * @ticks:	its time, or 0: now
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

/* An annotation on its way to annot_batch; @what is encoded as in the event. */
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

/* annot_batch_record.what. @id: the number of the item's name, or 0. */
static inline u64 annot_batch_what(const struct annot_item *item, u32 id)
{
	return (u64)id << 32 | item->op << 8 | (item->has_value ? ANNOT_RECORD_HAS_VALUE : 0);
}

/* What was counted up to each record of a batch: @nr counts for each; @invalid is of all. */
struct annot_batch_counts {
	u32 nr;
	u32 invalid;
	const u64 *counts;
};

/**
 * struct annot_counts - what was counted of a slice
 * @nr:		how many counts; 0: nothing is counted on this CPU
 * @invalid:	bit i is set: counter i did not run all the time
 * @counts:	of the counted events, in their order in the set
 */
struct annot_counts {
	u32 nr;
	u32 invalid;
	u64 counts[ANNOT_EVENTS_MAX];
};

/* The fields of annot_sample. */
struct annot_sample_data {
	u64 ip;
	u64 addr;
	u64 weight;
	u64 data_src;
	u64 period;
	const u64 *regs;
	u32 nr_regs;
	u32 stack;
	u8 event;
	u8 precise;
	u8 has;
};

#define ANNOT_BLOCKED_NAME_BYTES 48 /* with the NUL */

/* The fields of annot_blocked. */
struct annot_blocked {
	u64 args[3];
	u64 object;
	const char *name;
	s32 nr;
	s32 holder;
	u32 detail;
	u32 stack;
	u8 what;
	u8 flags;
};

/* The fields of annot_stack. */
struct annot_stack_data {
	const u64 *ips;
	s32 tgid;
	u8 nr;
	u8 kind;
	u8 complete;
};

/* Whether a recording takes batches. Any context. */
bool annot_events_want_batches(void);

void annot_events_emit_item(const struct annot_item *item);
void annot_events_emit_batch(const struct annot_batch *batch);

/* A batch of the current process; @counts stand in it for those who record counts. */
void annot_events_emit_counted(u32 table, u32 nr, const struct annot_batch_record *records,
			       const struct annot_batch_counts *counts);
void annot_events_emit_lost(u32 nr, u32 reason, s32 tgid);

/* Sets @taken if a ring buffer has taken the event. */
void annot_events_emit_name(u32 table, u32 id, const char *name, bool *taken);

/* Context: any, NMIs too. */
void annot_events_emit_sample(const struct annot_sample_data *sample);
void annot_events_emit_slice_counts(const struct annot_counts *counts, u8 ended_by);

void annot_events_emit_blocked(const struct annot_blocked *blocked);

/* The current thread, in the stack of that number, wakes up @pid. */
void annot_events_emit_waking(s32 pid, u32 stack);

/* Whether somebody records annot_stack. Context: any, NMIs too, as the next one. */
bool annot_events_want_stacks(void);

/* Return: whether a ring buffer has taken the event. */
bool annot_events_emit_stack(u32 id, const struct annot_stack_data *stack);

/* Context: any, NMIs too. Return: whether a ring buffer has taken the event. */
bool annot_events_emit_pmu_state(u8 event, u8 state, u64 value);

/* Emits annot_config into this one recording. Return: whether its ring buffer took the event. */
bool annot_events_emit_config(struct trace_event_file *file, const char *text);

/* What the kernel calls when a recording enables or disables an event (trace_event_class.reg). */
typedef int annot_events_reg_fn(struct trace_event_call *call, enum trace_reg type, void *data);

/**
 * struct annot_events_callbacks - by kind of event
 * @singles:	annot_begin, annot_end, annot_mark, annot_counter
 * @batches:	annot_batch
 * @names:	annot_name
 * @samples:	annot_sample
 * @counts:	annot_slice_counts
 * @blocked:	annot_blocked
 * @wakings:	annot_waking
 * @stacks:	annot_stack
 */
struct annot_events_callbacks {
	annot_events_reg_fn *singles;
	annot_events_reg_fn *batches;
	annot_events_reg_fn *names;
	annot_events_reg_fn *samples;
	annot_events_reg_fn *counts;
	annot_events_reg_fn *blocked;
	annot_events_reg_fn *wakings;
	annot_events_reg_fn *stacks;
};

void annot_events_set_callbacks(const struct annot_events_callbacks *callbacks);
void annot_events_set_config_callback(annot_events_reg_fn *config);

/*
 * From the next listener on, annot_batch goes only to those instances that take batches. Does
 * nothing while the event is enabled. Context: with the event mutex held.
 */
void annot_events_filter_batches(void);

/*
 * From now on, opening our events through perf takes CAP_PERFMON.
 * Return: 0, or -EBUSY: another program opened one before, unchecked.
 */
int annot_events_guard_perf(void);

#endif /* ANNOT_KMOD_EVENTS_H */
