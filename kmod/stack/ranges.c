// SPDX-License-Identifier: GPL-2.0
#include <linux/atomic.h>
#include <linux/err.h>
#include <linux/overflow.h>
#include <linux/slab.h>
#include <linux/uaccess.h>

#include "compat.h"
#include "stack/memory.h"
#include "stack/ranges.h"
#include "stack/table.h"

static struct workqueue_struct *free_queue;
static atomic64_t last_generation;

static size_t ranges_bytes(u32 nr)
{
	return struct_size_t(struct annot_stack_ranges, ranges, nr);
}

static void ranges_free(struct annot_stack_ranges *ranges)
{
	u32 i;

	for (i = 0; i < ranges->nr; i++) {
		if (ranges->ranges[i].table)
			annot_stack_table_put(ranges->ranges[i].table);
	}
	annot_stack_memory_put(ranges, ranges_bytes(ranges->nr));
}

static void ranges_free_work(struct work_struct *work)
{
	ranges_free(container_of(to_rcu_work(work), struct annot_stack_ranges, free_work));
}

static bool range_is_valid(const struct annot_unwind_range *range, u64 lowest, u32 nr_tables)
{
	return range->start >= lowest && range->start < range->end && range->end <= TASK_SIZE_MAX &&
	       range->table <= nr_tables && !range->reserved;
}

static void ranges_add(struct annot_stack_ranges *ranges, const struct annot_unwind_range *asked,
		       struct annot_stack_table **tables)
{
	ranges->ranges[ranges->nr++] = (struct annot_stack_range){
		.start = asked->start,
		.end = asked->end,
		.base = asked->base,
		.table = asked->table ? annot_stack_table_get(tables[asked->table - 1]) : NULL,
	};
}

static int ranges_fill(struct annot_stack_ranges *ranges, const struct annot_unwind_range *asked,
		       u32 nr, struct annot_stack_table **tables, u32 nr_tables)
{
	u64 lowest = 0;
	u32 i;

	for (i = 0; i < nr; i++) {
		if (!range_is_valid(&asked[i], lowest, nr_tables))
			return -EINVAL;
		lowest = asked[i].end;
	}
	for (i = 0; i < nr; i++)
		ranges_add(ranges, &asked[i], tables);
	return 0;
}

struct annot_stack_ranges *annot_stack_ranges_make(const struct annot_unwind_ranges *asked,
						   struct annot_stack_table **tables, u32 nr_tables)
{
	struct annot_stack_ranges *ranges;
	struct annot_unwind_range *copy;
	int err;

	copy = memdup_user(u64_to_user_ptr(asked->ranges), array_size(asked->nr, sizeof(*copy)));
	if (IS_ERR(copy))
		return ERR_CAST(copy);
	ranges = annot_stack_memory_get(ranges_bytes(asked->nr));
	if (!IS_ERR(ranges)) {
		ranges->generation = atomic64_inc_return(&last_generation);
		refcount_set(&ranges->refs, 1);
		ranges->nr = 0;
		INIT_RCU_WORK(&ranges->free_work, ranges_free_work);
		err = ranges_fill(ranges, copy, asked->nr, tables, nr_tables);
		if (err) {
			annot_stack_memory_put(ranges, ranges_bytes(asked->nr));
			ranges = ERR_PTR(err);
		}
	}
	kfree(copy);
	return ranges;
}

struct annot_stack_ranges *annot_stack_ranges_get(struct annot_stack_ranges *ranges)
{
	refcount_inc(&ranges->refs);
	return ranges;
}

void annot_stack_ranges_put(struct annot_stack_ranges *ranges)
{
	if (refcount_dec_and_test(&ranges->refs))
		queue_rcu_work(free_queue, &ranges->free_work);
}

const struct annot_stack_range *annot_stack_ranges_find(const struct annot_stack_ranges *ranges,
							u64 address)
{
	u32 low = 0, high = ranges->nr;

	while (low < high) {
		u32 middle = low + (high - low) / 2;

		if (ranges->ranges[middle].end <= address)
			low = middle + 1;
		else
			high = middle;
	}
	if (low == ranges->nr || address < ranges->ranges[low].start)
		return NULL;
	return &ranges->ranges[low];
}

int annot_stack_ranges_init(void)
{
	free_queue = alloc_workqueue("annot_stack", ANNOT_WQ_PERCPU, 0);
	return free_queue ? 0 : -ENOMEM;
}

/* No process has ranges any more. */
void annot_stack_ranges_exit(void)
{
	rcu_barrier();
	destroy_workqueue(free_queue);
}
