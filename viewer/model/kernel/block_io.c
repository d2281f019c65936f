// SPDX-License-Identifier: GPL-2.0
#include "model/kernel/block_io.h"

#include <stdlib.h>

#include "model/table_rows.h"
#include "model/threads/threads.h"
#include "util/xalloc.h"

#define SECTOR_BYTES 512u
/* More are never in flight; if completions are missing, the first that are found make room. */
#define MOST_OPEN 4096

static struct open_block_io *find_open(struct block_build *block, const struct trace_event *event)
{
	/* Of requests in flight, most are completed soon. */
	for (size_t i = block->nr; i-- > 0;) {
		if (block->open[i].sector == event->block.sector &&
		    block->open[i].dev == event->block.dev)
			return &block->open[i];
	}
	return NULL;
}

/* The place of a device among the model's; MODEL_MOST_BLOCK_DEVICES: it is one too many. */
static size_t need_device(struct model *model, uint32_t name)
{
	size_t at = 0;

	while (at < model->nr_block_devices && model->block_devices[at].name != name)
		at++;
	if (at < model->nr_block_devices || at == MODEL_MOST_BLOCK_DEVICES)
		return at;
	if (column_is_full(at))
		model->block_devices = column_grow(model->block_devices, at,
						   sizeof(*model->block_devices));
	model->block_devices[model->nr_block_devices++] = (struct block_device){ .name = name };
	return at;
}

static size_t note_begin(struct model *model, uint32_t name)
{
	size_t at = need_device(model, name);
	struct block_device *device;

	if (at == MODEL_MOST_BLOCK_DEVICES)
		return at;
	device = &model->block_devices[at];
	if (++device->in_flight > device->most_in_flight)
		device->most_in_flight = device->in_flight;
	return at;
}

static void forget_request(struct model_builder *builder, struct open_block_io *open)
{
	struct block_build *block = &builder->block;

	if (open->device < MODEL_MOST_BLOCK_DEVICES)
		builder->model->block_devices[open->device].in_flight--;
	*open = block->open[--block->nr];
}

static void end_request(struct model_builder *builder, struct open_block_io *open, uint64_t end_ns,
			uint8_t flags)
{
	open->row.end_ns = end_ns;
	open->row.flags |= flags;
	block_io_table_add(&builder->model->block_io, &open->row);
	forget_request(builder, open);
}

static uint64_t bytes_of(const struct trace_event *event)
{
	return (uint64_t)event->block.nr_sectors * SECTOR_BYTES;
}

static void feed_issue(struct model_builder *builder, const struct trace_event *event)
{
	struct block_build *block = &builder->block;
	struct open_block_io *open = find_open(block, event);

	/* It is issued behind being queued, or again. */
	if (open && open->nr_losses == block->nr_losses) {
		open->row.bytes = bytes_of(event);
		return;
	}
	if (open || block->nr == MOST_OPEN)
		end_request(builder, open ? open : block->open, builder->now_ns, BLOCK_OPEN_END);
	ARRAY_MAKE_ROOM(block->open, block->nr, block->capacity);
	block->open[block->nr++] = (struct open_block_io){
		.dev = event->block.dev,
		.sector = event->block.sector,
		.nr_losses = block->nr_losses,
		.device = note_begin(builder->model, event->block.device),
		.row = {
			.start_ns = builder->now_ns,
			.device = event->block.device,
			.bytes = bytes_of(event),
			.thread = thread_get(builder, event->tid),
			.cpu = (int16_t)event->cpu,
			.op = event->block.op,
		},
	};
}

void block_io_feed(struct model_builder *builder, const struct trace_event *event)
{
	struct open_block_io *open;

	if (event->kind == TRACE_BLOCK_ISSUE) {
		feed_issue(builder, event);
		return;
	}
	open = find_open(&builder->block, event);
	if (!open)
		return;
	if (event->kind == TRACE_BLOCK_MERGE)
		forget_request(builder, open);
	else
		end_request(builder, open, builder->now_ns, event->block.failed ? BLOCK_FAILED : 0);
}

void block_io_lose(struct model_builder *builder)
{
	builder->block.nr_losses++;
}

void block_io_finish(struct model_builder *builder)
{
	struct block_build *block = &builder->block;

	while (block->nr)
		end_request(builder, &block->open[0], builder->now_ns, BLOCK_OPEN_END);
	free(block->open);
	*block = (struct block_build){ 0 };
}
