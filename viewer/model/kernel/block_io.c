// SPDX-License-Identifier: GPL-2.0
#include "model/kernel/block_io.h"

#include <stdlib.h>

#include "model/table_rows.h"
#include "model/threads.h"
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

static void forget_request(struct block_build *block, struct open_block_io *open)
{
	*open = block->open[--block->nr];
}

static void end_request(struct model_builder *builder, struct open_block_io *open, uint64_t end_ns,
			uint8_t flags)
{
	open->row.end_ns = end_ns;
	open->row.flags |= flags;
	block_io_table_add(&builder->model->block_io, &open->row);
	forget_request(&builder->block, open);
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
		forget_request(&builder->block, open);
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
