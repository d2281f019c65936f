// SPDX-License-Identifier: GPL-2.0
#include "model/kernel/interrupt_nest.h"

#include <stdlib.h>

#include "util/xalloc.h"

void interrupt_nest_free(struct interrupt_nest *nest)
{
	free(nest->rows);
	*nest = (struct interrupt_nest){ 0 };
}

static struct interrupt_row *innermost(const struct interrupt_nest *nest)
{
	return nest->nr_open ? &nest->rows[nest->open[nest->nr_open - 1]] : NULL;
}

static void give_sign(const struct interrupt_nest *nest, uint64_t time_ns)
{
	struct interrupt_row *row = innermost(nest);

	if (row && row->end_ns < time_ns)
		row->end_ns = time_ns;
}

/* The innermost one ends with its last sign. */
static void cut_innermost(struct interrupt_nest *nest)
{
	struct interrupt_row *row = innermost(nest);

	row->flags |= INTERRUPT_OPEN_END;
	nest->nr_open--;
	give_sign(nest, row->end_ns);
}

void interrupt_nest_cut(struct interrupt_nest *nest)
{
	while (nest->nr_open)
		cut_innermost(nest);
}

static bool is_of_softirqs(enum trace_interrupt_kind kind)
{
	return kind == TRACE_SOFTIRQ || kind == TRACE_TASKLET;
}

static bool may_be_inside(enum trace_interrupt_kind outer, enum trace_interrupt_kind inner)
{
	return outer < inner && !(outer == TRACE_HARDIRQ && inner == TRACE_VECTOR);
}

void interrupt_nest_settle(struct interrupt_nest *nest, const struct trace_event *begin)
{
	/* The outermost one is of softirqs, if any is. */
	if (nest->nr_open && !begin->interrupt.in_softirq &&
	    is_of_softirqs(nest->rows[nest->open[0]].kind))
		interrupt_nest_cut(nest);
	while (nest->nr_open && !may_be_inside(innermost(nest)->kind, begin->interrupt.kind))
		cut_innermost(nest);
}

static bool any_takes_time(const struct interrupt_nest *nest)
{
	for (int i = 0; i < nest->nr_open; i++) {
		if (nest->rows[nest->open[i]].flags & INTERRUPT_STEALS)
			return true;
	}
	return false;
}

void interrupt_nest_begin(struct interrupt_nest *nest, const struct interrupt_row *row, uint64_t id,
			  bool takes_time)
{
	struct interrupt_row *own;

	give_sign(nest, row->start_ns);
	ARRAY_MAKE_ROOM(nest->rows, nest->nr, nest->capacity);
	own = &nest->rows[nest->nr];
	*own = *row;
	own->end_ns = row->start_ns;
	own->depth = (uint8_t)nest->nr_open;
	own->flags = takes_time && !any_takes_time(nest) ? INTERRUPT_STEALS : 0;
	nest->ids[nest->nr_open] = id;
	nest->open[nest->nr_open++] = nest->nr++;
}

/* Which of the open ones it ends, or -1. */
static int find_open(const struct interrupt_nest *nest, const struct trace_event *end)
{
	for (int i = nest->nr_open - 1; i >= 0; i--) {
		if (nest->rows[nest->open[i]].kind == end->interrupt.kind &&
		    nest->ids[i] == end->interrupt.id)
			return i;
	}
	return -1;
}

void interrupt_nest_end(struct interrupt_nest *nest, uint64_t time_ns,
			const struct trace_event *end)
{
	int at = find_open(nest, end);

	if (at < 0)
		return;
	while (nest->nr_open > at + 1)
		cut_innermost(nest);
	give_sign(nest, time_ns);
	nest->nr_open--;
	give_sign(nest, time_ns);
}
