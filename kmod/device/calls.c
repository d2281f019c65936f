// SPDX-License-Identifier: GPL-2.0
/*
 * ANNOT_IOC_RECORD: one annotation by a system call. Programs annotate so while slices are counted.
 * The call is kept short, because its own cost stands between two counts.
 *
 * The record is copied once, then checked. Whatever it holds, the call adds one annotation of the
 * calling thread, with a name that this process has registered.
 */
#include <linux/irqflags.h>
#include <linux/sched.h>
#include <linux/uaccess.h>

#include <uapi/annot.h>

#include "call_batch.h"
#include "device/calls.h"
#include "client.h"
#include "drain.h"
#include "ftrace/events.h"
#include "ftrace/instances.h"
#include "names.h"
#include "pmu/slice.h"
#include "ftrace/recording.h"

static bool op_begins_span(u8 op)
{
	return op == ANNOT_OP_BEGIN || op == ANNOT_OP_WAIT_BEGIN || op == ANNOT_OP_NEXT;
}

static bool op_ends_span(u8 op)
{
	return op == ANNOT_OP_END || op == ANNOT_OP_NEXT;
}

/* Interrupts are off, so that no switch comes between reading the counts and storing them. */
static void calls_emit_with_counts(struct annot_client *client, struct annot_name_entry *entry,
				   struct annot_item *item)
{
	struct annot_counts counts;
	unsigned long flags;

	local_irq_save(flags);
	annot_drain_before_call(client);
	annot_pmu_slice_take(&counts);
	annot_call_batch_add(client, entry, item, &counts);
	local_irq_restore(flags);
}

/* One recording may want single annotations, another one batches. */
static void calls_emit_apart(struct annot_client *client, struct annot_name_entry *entry,
			     const struct annot_item *item)
{
	annot_drain_own();
	if (op_ends_span(item->op))
		annot_pmu_slice_cut(ANNOT_ENDED_BY_END);
	annot_events_emit_item(item);
	if (annot_events_want_batches())
		annot_call_batch_emit_one(client, entry, item);
	if (op_begins_span(item->op))
		annot_pmu_slice_cut(ANNOT_ENDED_BY_BEGIN);
}

static bool calls_are_for_batches_alone(void)
{
	u32 recording = annot_recording_state();

	return (recording == ANNOT_RECORDING_CALLS || recording == ANNOT_RECORDING_RINGS) &&
	       !annot_instances_want_counts_apart();
}

static long calls_take(const struct annot_record *record)
{
	struct annot_client *client = annot_client_get_own();
	struct annot_name_entry *entry = NULL;
	struct annot_item item = {
		.op = record->op,
		.has_value = record->flags & ANNOT_RECORD_HAS_VALUE ||
			     record->op == ANNOT_OP_COUNTER,
	};

	if (IS_ERR(client))
		return PTR_ERR(client);
	if (item.op != ANNOT_OP_END) {
		entry = annot_names_find(&client->names, record->name);
		if (!entry)
			return -EINVAL;
		annot_names_emit(&client->names, entry);
		item.name = entry->text;
	}
	if (item.has_value)
		item.value = record->value;
	if (calls_are_for_batches_alone())
		calls_emit_with_counts(client, entry, &item);
	else
		calls_emit_apart(client, entry, &item);
	return ANNOT_RECORD_TAKEN;
}

static bool record_is_valid(const struct annot_record *record)
{
	return !record->ticks && record->op <= ANNOT_OP_NEXT &&
	       !(record->flags & ~ANNOT_RECORD_HAS_VALUE) && !record->reserved &&
	       !record->reserved2;
}

long annot_calls_record(const void __user *argument)
{
	struct annot_record record;

	if (copy_from_user(&record, argument, sizeof(record)))
		return -EFAULT;
	if (!record_is_valid(&record))
		return -EINVAL;
	if (!annot_recording_state())
		return ANNOT_RECORD_TAKEN;
	return calls_take(&record);
}
