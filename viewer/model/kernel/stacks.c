// SPDX-License-Identifier: GPL-2.0
#include "model/kernel/stacks.h"

#include <stdlib.h>
#include <string.h>

#include "model/builder_state.h"
#include "model/memory/mappings.h"
#include "model/table_rows.h"
#include "model/threads/threads.h"
#include "util/pair_table.h"
#include "util/xalloc.h"

static void note_use(struct stack_build *build, uint32_t stack, uint32_t thread, uint64_t time_ns)
{
	size_t before = build->capacity;

	if (stack >= before) {
		build->capacity = grown_capacity(before, (size_t)stack + 1);
		build->uses = xrealloc_array(build->uses, build->capacity, sizeof(*build->uses));
		memset(build->uses + before, 0, (build->capacity - before) * sizeof(*build->uses));
	}
	if (!build->uses[stack].is_used)
		build->uses[stack] = (struct stack_use){ true, thread, time_ns };
}

/* Two stacks of one event, in the program and in the kernel, are one point. */
static void add_point(struct stack_point_table *points, const struct stack_point_row *row)
{
	size_t last = points->nr - 1;

	if (!points->nr || points->time_ns[last] < row->time_ns) {
		stack_point_table_add(points, row);
		return;
	}
	if (points->time_ns[last] > row->time_ns)
		return;
	if (row->user)
		points->user[last] = row->user;
	if (row->kernel)
		points->kernel[last] = row->kernel;
}

void stacks_feed(struct model_builder *builder, const struct trace_event *event)
{
	const struct cpu_build *cpu = &builder->cpus[event->cpu];
	uint32_t thread = tid_table_get(&builder->tids, event->tid);
	struct stack_point_row row = { .time_ns = builder->now_ns };

	if (thread == MODEL_NO_THREAD || !event->stack.id)
		return;
	if (cpu->named_tid == event->tid)
		row.time_ns = cpu->named_ns;
	if (event->kind == TRACE_USER_STACK)
		row.user = event->stack.id;
	else
		row.kernel = event->stack.id;
	note_use(&builder->stacks, event->stack.id, thread, row.time_ns);
	add_point(&builder->model->threads[thread].stack_points, &row);
}

void stacks_add_user(struct model_builder *builder, uint32_t thread, uint64_t time_ns,
		     uint32_t stack)
{
	const struct stack_point_row row = { .time_ns = time_ns, .user = stack };

	if (thread == MODEL_NO_THREAD || !stack)
		return;
	note_use(&builder->stacks, stack, thread, time_ns);
	add_point(&builder->model->threads[thread].stack_points, &row);
}

void stacks_feed_sample(struct model_builder *builder, const struct trace_event *event)
{
	stacks_add_user(builder, tid_table_get(&builder->tids, event->tid), builder->now_ns,
			event->sample.stack);
}

void stacks_feed_waker(struct model_builder *builder, const struct trace_event *event)
{
	uint32_t waker = tid_table_get(&builder->tids, event->tid), wakee;

	if (!event->waker.stack || waker == MODEL_NO_THREAD ||
	    !tid_is_valid(event->waker.wakee_tid))
		return;
	wakee = thread_get(builder, event->waker.wakee_tid);
	note_use(&builder->stacks, event->waker.stack, waker, builder->now_ns);
	waker_stack_table_add(&builder->model->threads[wakee].waker_stacks, builder->now_ns,
			      event->waker.stack);
}

/* Frames that are equal, with equal callers, are one row. */
struct frame_tree {
	struct model *model;
	struct pair_table addresses; /* halves of an address */
	struct pair_table places; /* address and mapping */
	struct pair_table nodes; /* caller and place */
	size_t rows_capacity;
	uint32_t *rows; /* of each node; 0: it has none yet */
};

static size_t find_mapping(const struct model *model, const struct stack_use *use,
			   const struct trace_stack *stack, uint64_t address)
{
	return stack->is_kernel ? SIZE_MAX :
				  model_find_mapping(model, use->thread, use->time_ns, address);
}

static struct frame_row make_frame(const struct model *model, const struct trace_stack *stack,
				   uint64_t address, size_t mapping)
{
	const struct mapping_table *mappings = &model->mappings;
	struct frame_row row = { .address = address, .flags = stack->is_kernel ? FRAME_KERNEL : 0 };

	if (mapping == SIZE_MAX)
		return row;
	row.path = mappings->path[mapping];
	row.build_id = mappings->build_id[mapping];
	row.map_start = mappings->start[mapping];
	row.map_offset_bytes = mappings->offset_bytes[mapping];
	return row;
}

/* The row of a caller; a new one, if it is the first there. */
static uint32_t need_row(struct frame_tree *tree, const struct frame_row *row, size_t mapping)
{
	size_t address = pair_table_number(&tree->addresses, (uint32_t)(row->address >> 32),
					   (uint32_t)row->address);
	size_t place = pair_table_number(&tree->places, (uint32_t)address, (uint32_t)(mapping + 1));
	size_t node = pair_table_number(&tree->nodes, row->parent, (uint32_t)place);
	size_t before = tree->rows_capacity;

	if (node >= before) {
		tree->rows_capacity = grown_capacity(before, node + 1);
		tree->rows = xrealloc_array(tree->rows, tree->rows_capacity, sizeof(*tree->rows));
		memset(tree->rows + before, 0,
		       (tree->rows_capacity - before) * sizeof(*tree->rows));
	}
	if (!tree->rows[node])
		tree->rows[node] = frame_table_add(&tree->model->frames, row);
	return tree->rows[node];
}

static void set_row(struct frame_table *frames, size_t at, const struct frame_row *row)
{
	frames->parent[at] = row->parent;
	frames->flags[at] = row->flags;
	frames->address[at] = row->address;
	frames->path[at] = row->path;
	frames->build_id[at] = row->build_id;
	frames->map_start[at] = row->map_start;
	frames->map_offset_bytes[at] = row->map_offset_bytes;
}

/* A return address lies behind the call, which may be the last thing in its function. */
static uint64_t address_of(const struct trace_stack *stack, size_t frame)
{
	bool returns = frame || stack->is_kernel;

	return stack->ips[frame] - (returns && stack->ips[frame]);
}

static void add_stack(struct frame_tree *tree, uint32_t id, const struct stack_use *use)
{
	const struct trace_stack stack = trace_stack(tree->model->trace, id);
	uint32_t parent = 0;

	for (size_t i = stack.nr; i-- > 0;) {
		uint64_t address = address_of(&stack, i);
		size_t mapping = find_mapping(tree->model, use, &stack, address);
		struct frame_row row = make_frame(tree->model, &stack, address, mapping);

		row.parent = parent;
		if (i) {
			parent = need_row(tree, &row, mapping);
			continue;
		}
		row.flags |= stack.is_whole ? FRAME_WHOLE : 0;
		set_row(&tree->model->frames, id, &row);
	}
}

void stacks_finish(struct model_builder *builder)
{
	struct frame_tree tree = { .model = builder->model };
	const struct stack_build *build = &builder->stacks;
	uint32_t nr = builder->model->trace ? trace_nr_stacks(builder->model->trace) : 0;

	for (uint32_t id = 0; id < nr; id++)
		frame_table_add(&builder->model->frames, &(struct frame_row){ 0 });
	for (uint32_t id = 1; id < nr && id < build->capacity; id++) {
		if (build->uses[id].is_used)
			add_stack(&tree, id, &build->uses[id]);
	}
	pair_table_free(&tree.addresses);
	pair_table_free(&tree.places);
	pair_table_free(&tree.nodes);
	free(tree.rows);
	free(builder->stacks.uses);
}
