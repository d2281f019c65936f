// SPDX-License-Identifier: GPL-2.0
#include "model/table_rows.h"

#include <stdlib.h>
#include <string.h>

#include "util/spill/spill.h"
#include "util/xalloc.h"

size_t column_capacity(size_t nr)
{
	size_t capacity = 4;

	if (nr > COLUMN_STEP)
		return (nr + COLUMN_STEP - 1) / COLUMN_STEP * COLUMN_STEP;
	while (capacity < nr)
		capacity *= 2;
	return capacity;
}

void *column_grow(void *array, size_t nr, size_t element_bytes)
{
	return xrealloc_array(array, column_capacity(nr + 1), element_bytes);
}

void *table_grow_array(void *array, size_t nr, size_t element_bytes)
{
	return spill_resize(array, nr, column_capacity(nr + 1), element_bytes);
}

/* state_table_grow() ...: all columns of a table that is full. */
#define TABLE(name, ...)                                               \
	static RARE void name##_table_grow(struct name##_table *table) \
	{
#define COLUMN(name, field, ...) GROW(table, field);
#define WIDE_COLUMN(name, field, type, width, ...) \
	table->field = table_grow_array(table->field, table->nr, table->width * sizeof(type));
#define TABLE_END(name) }
#include "model/tables.def"

/* state_table_set() ...: row @at of a table that has room for it. */
#define TABLE(name, ...)                                                           \
	static inline void name##_table_set(struct name##_table *table, size_t at, \
					    const struct name##_row *row)          \
	{
#define COLUMN(name, field, ...) table->field[at] = row->field;
#define TABLE_END(name) }
#include "model/tables.def"

/* state_table_move() ...: row @from becomes row @to. */
#define TABLE(name, ...)                                                                         \
	static inline void name##_table_move(struct name##_table *table, size_t to, size_t from) \
	{
#define COLUMN(name, field, ...) table->field[to] = table->field[from];
#define TABLE_END(name) }
#include "model/tables.def"

void state_table_add(struct state_table *states, uint64_t start_ns, enum thread_state state,
		     int cpu, bool migrated)
{
	size_t at = states->nr;

	if (column_is_full(at))
		state_table_grow(states);
	states->start_ns[at] = start_ns;
	states->state[at] = (uint8_t)state;
	states->cpu[at] = (int16_t)cpu;
	states->migrated[at] = migrated;
	states->nr++;
}

void state_table_close(struct state_table *states, uint64_t end_ns)
{
	if (column_is_full(states->nr))
		GROW(states, start_ns);
	states->start_ns[states->nr] = end_ns;
}

size_t span_table_add(struct span_table *spans, uint64_t start_ns, uint64_t drained_ns,
		      const struct trace_event *begin, size_t depth)
{
	size_t at = spans->nr;

	if (column_is_full(at))
		span_table_grow(spans);
	spans->start_ns[at] = start_ns;
	spans->end_ns[at] = UINT64_MAX;
	spans->name[at] = begin->annot.name;
	spans->kind[at] = (uint8_t)begin->annot.span_kind;
	spans->depth[at] = depth < UINT8_MAX ? (uint8_t)depth : UINT8_MAX;
	spans->flags[at] = begin->annot.has_value ? SPAN_HAS_VALUE : 0;
	spans->value[at] = begin->annot.has_value ? begin->annot.value : 0;
	spans->drained_ns[at] = drained_ns;
	spans->nr++;
	return at;
}

size_t kernel_slice_table_add(struct kernel_slice_table *slices, const struct kernel_slice_row *row)
{
	size_t at = slices->nr;

	if (at >= slices->room && column_is_full(at))
		kernel_slice_table_grow(slices);
	kernel_slice_table_set(slices, at, row);
	slices->nr++;
	return at;
}

void kernel_slice_table_keep(struct kernel_slice_table *slices, const size_t *rows, size_t nr)
{
	size_t nr_before = slices->nr;

	for (size_t i = 0; i < nr; i++)
		kernel_slice_table_move(slices, i, rows[i]);
	if (nr_before > slices->room)
		slices->room = nr_before;
	slices->nr = nr;
}

void mark_table_add(struct mark_table *marks, uint64_t time_ns, uint64_t drained_ns,
		    const struct trace_event *event)
{
	size_t at = marks->nr;

	if (column_is_full(at))
		mark_table_grow(marks);
	marks->time_ns[at] = time_ns;
	marks->name[at] = event->annot.name;
	marks->is_counter[at] = event->kind == TRACE_COUNTER;
	marks->has_value[at] = event->annot.has_value;
	marks->value[at] = event->annot.has_value ? event->annot.value : 0;
	marks->drained_ns[at] = drained_ns;
	marks->nr++;
}

void slice_table_add(struct slice_table *slices, const struct slice_row *row)
{
	size_t at = slices->nr;

	if (at >= slices->room && column_is_full(at))
		slice_table_grow(slices);
	slice_table_set(slices, at, row);
	slices->nr++;
}

void slice_table_empty(struct slice_table *slices)
{
	if (slices->nr > slices->room)
		slices->room = slices->nr;
	slices->nr = 0;
}

void gap_table_add(struct gap_table *gaps, uint64_t start_ns, uint64_t end_ns, uint64_t nr_events,
		   enum gap_kind kind)
{
	size_t at = gaps->nr;

	if (column_is_full(at))
		gap_table_grow(gaps);
	gaps->start_ns[at] = start_ns;
	gaps->end_ns[at] = end_ns;
	gaps->nr_events[at] = nr_events;
	gaps->kind[at] = (uint8_t)kind;
	gaps->nr++;
}

void interrupt_table_add(struct interrupt_table *interrupts, const struct interrupt_row *row)
{
	if (column_is_full(interrupts->nr))
		interrupt_table_grow(interrupts);
	interrupt_table_set(interrupts, interrupts->nr, row);
	interrupts->nr++;
}

void idle_table_add(struct idle_table *idle, const struct idle_row *row)
{
	if (column_is_full(idle->nr))
		idle_table_grow(idle);
	idle_table_set(idle, idle->nr, row);
	idle->nr++;
}

void frequency_table_add(struct frequency_table *frequencies, const struct frequency_row *row)
{
	if (column_is_full(frequencies->nr))
		frequency_table_grow(frequencies);
	frequency_table_set(frequencies, frequencies->nr, row);
	frequencies->nr++;
}

void block_io_table_add(struct block_io_table *block_io, const struct block_io_row *row)
{
	if (column_is_full(block_io->nr))
		block_io_table_grow(block_io);
	block_io_table_set(block_io, block_io->nr, row);
	block_io->nr++;
}

void uncore_reading_table_add(struct uncore_reading_table *readings,
			      const struct uncore_reading_row *row)
{
	if (column_is_full(readings->nr))
		uncore_reading_table_grow(readings);
	uncore_reading_table_set(readings, readings->nr, row);
	readings->nr++;
}

void timed_sleep_table_add(struct timed_sleep_table *sleeps, const struct timed_sleep_row *row)
{
	if (column_is_full(sleeps->nr))
		timed_sleep_table_grow(sleeps);
	timed_sleep_table_set(sleeps, sleeps->nr, row);
	sleeps->nr++;
}

void migration_table_add(struct migration_table *migrations, uint64_t left_ns, uint64_t time_ns,
			 uint32_t thread, int from_cpu, int to_cpu)
{
	size_t at = migrations->nr;

	if (column_is_full(at))
		migration_table_grow(migrations);
	migrations->time_ns[at] = time_ns;
	migrations->left_ns[at] = left_ns;
	migrations->thread[at] = thread;
	migrations->from_cpu[at] = (int16_t)from_cpu;
	migrations->to_cpu[at] = (int16_t)to_cpu;
	migrations->nr++;
}

void message_table_add(struct message_table *messages, const struct message_row *row)
{
	if (column_is_full(messages->nr))
		message_table_grow(messages);
	message_table_set(messages, messages->nr, row);
	messages->nr++;
}

void wakeup_table_add(struct wakeup_table *wakeups, uint64_t time_ns, uint32_t waker,
		      uint32_t wakee, int cpu)
{
	size_t at = wakeups->nr;

	if (at >= wakeups->room && column_is_full(at))
		wakeup_table_grow(wakeups);
	wakeups->time_ns[at] = time_ns;
	wakeups->waker[at] = waker;
	wakeups->wakee[at] = wakee;
	wakeups->cpu[at] = (int16_t)cpu;
	wakeups->nr++;
}

void wakeup_table_empty(struct wakeup_table *wakeups)
{
	if (wakeups->nr > wakeups->room)
		wakeups->room = wakeups->nr;
	wakeups->nr = 0;
}

/* first_reg has an element more than there are samples. */
static void add_registers(struct sample_table *samples, const uint64_t *regs, uint32_t nr)
{
	size_t at = samples->nr, end;

	if (!at) {
		samples->first_reg = table_grow_array(samples->first_reg, 0,
						      sizeof(*samples->first_reg));
		samples->first_reg[0] = 0;
	} else if (column_is_full(at + 1)) {
		samples->first_reg = table_grow_array(samples->first_reg, at + 1,
						      sizeof(*samples->first_reg));
	}
	end = samples->first_reg[at];
	for (uint32_t i = 0; i < nr; i++, end++) {
		if (column_is_full(end))
			samples->regs = table_grow_array(samples->regs, end,
							 sizeof(*samples->regs));
		samples->regs[end] = regs[i];
	}
	samples->first_reg[at + 1] = end;
}

void sample_table_add(struct sample_table *samples, uint64_t time_ns, uint32_t thread,
		      uint8_t pmu_event, const struct trace_event *sample)
{
	size_t at = samples->nr;

	if (column_is_full(at))
		sample_table_grow(samples);
	samples->time_ns[at] = time_ns;
	samples->thread[at] = thread;
	samples->cpu[at] = (int16_t)sample->cpu;
	samples->event[at] = pmu_event;
	samples->has[at] = sample->sample.has;
	samples->precise[at] = sample->sample.precise;
	samples->period[at] = sample->sample.period;
	samples->ip[at] = sample->sample.ip;
	samples->addr[at] = sample->sample.addr;
	samples->weight[at] = sample->sample.weight;
	samples->data_src[at] = sample->sample.data_src;
	samples->stack[at] = sample->sample.stack;
	add_registers(samples, sample->sample.regs, sample->sample.nr_regs);
	samples->nr++;
}

uint64_t *slice_count_table_add(struct slice_count_table *counts, uint64_t start_ns,
				uint64_t end_ns, uint32_t thread, int cpu)
{
	size_t at = counts->nr, row_bytes = counts->nr_counters * sizeof(*counts->counts);
	uint64_t *row;

	if (column_is_full(at))
		slice_count_table_grow(counts);
	counts->start_ns[at] = start_ns;
	counts->end_ns[at] = end_ns;
	counts->thread[at] = thread;
	counts->cpu[at] = (int16_t)cpu;
	counts->invalid[at] = (uint32_t)((1ull << counts->nr_counters) - 1);
	row = counts->counts + at * counts->nr_counters;
	memset(row, 0, row_bytes);
	counts->nr++;
	return row;
}

void slice_count_table_widen(struct slice_count_table *counts)
{
	uint32_t width = counts->nr_counters++;
	uint64_t *wider;

	if (!counts->nr)
		return;
	wider = spill_zeroed(column_capacity(counts->nr), (width + 1) * sizeof(*wider));
	for (size_t i = 0; i < counts->nr; i++) {
		memcpy(wider + i * (width + 1), counts->counts + i * width, width * sizeof(*wider));
		counts->invalid[i] |= 1u << width;
	}
	spill_free(counts->counts);
	counts->counts = wider;
}

void pmu_gap_table_add(struct pmu_gap_table *gaps, uint64_t start_ns, uint64_t end_ns, int cpu,
		       uint8_t pmu_event, uint8_t state)
{
	size_t at = gaps->nr;

	if (column_is_full(at))
		pmu_gap_table_grow(gaps);
	gaps->start_ns[at] = start_ns;
	gaps->end_ns[at] = end_ns;
	gaps->cpu[at] = (int16_t)cpu;
	gaps->event[at] = pmu_event;
	gaps->state[at] = state;
	gaps->nr++;
}

void cause_table_add(struct cause_table *causes, uint64_t start_ns, uint32_t cause, uint32_t frames)
{
	size_t at = causes->nr;

	if (column_is_full(at))
		cause_table_grow(causes);
	causes->start_ns[at] = start_ns;
	causes->cause[at] = cause;
	causes->frames[at] = frames;
	causes->system_call[at] = TRACE_NO_STRING;
	causes->object[at] = TRACE_NO_STRING;
	causes->object_id[at] = 0;
	causes->holder[at] = MODEL_NO_THREAD;
	causes->nr++;
}

void stack_point_table_add(struct stack_point_table *points, const struct stack_point_row *row)
{
	if (column_is_full(points->nr))
		stack_point_table_grow(points);
	stack_point_table_set(points, points->nr, row);
	points->nr++;
}

void waker_stack_table_add(struct waker_stack_table *stacks, uint64_t time_ns, uint32_t stack)
{
	if (column_is_full(stacks->nr))
		waker_stack_table_grow(stacks);
	stacks->time_ns[stacks->nr] = time_ns;
	stacks->stack[stacks->nr] = stack;
	stacks->nr++;
}

uint32_t frame_table_add(struct frame_table *frames, const struct frame_row *row)
{
	if (column_is_full(frames->nr))
		frame_table_grow(frames);
	frame_table_set(frames, frames->nr, row);
	return (uint32_t)frames->nr++;
}

void event_table_add(struct event_table *events, const struct event_row *row)
{
	if (column_is_full(events->nr))
		event_table_grow(events);
	event_table_set(events, events->nr, row);
	events->nr++;
}

void data_object_table_add(struct data_object_table *objects, const struct data_object_row *row)
{
	if (column_is_full(objects->nr))
		data_object_table_grow(objects);
	data_object_table_set(objects, objects->nr, row);
	objects->nr++;
}

void page_reading_table_add(struct page_reading_table *readings, const struct page_reading_row *row)
{
	if (column_is_full(readings->nr))
		page_reading_table_grow(readings);
	page_reading_table_set(readings, readings->nr, row);
	readings->nr++;
}

void note_table_add(struct note_table *notes, uint64_t time_ns, uint32_t thread,
		    const struct trace_event *mark, const struct span_table *spans, size_t span)
{
	size_t at = notes->nr;

	if (column_is_full(at))
		note_table_grow(notes);
	notes->time_ns[at] = time_ns;
	notes->thread[at] = thread;
	notes->name[at] = mark->annot.name;
	notes->value[at] = mark->annot.value;
	notes->span_name[at] = span == SIZE_MAX ? TRACE_NO_STRING : spans->name[span];
	notes->span_start_ns[at] = span == SIZE_MAX ? time_ns : spans->start_ns[span];
	notes->nr++;
}

void mapping_table_add(struct mapping_table *mappings, uint64_t time_ns,
		       const struct trace_event *mapping)
{
	size_t at = mappings->nr;

	if (column_is_full(at))
		mapping_table_grow(mappings);
	mappings->time_ns[at] = time_ns;
	mappings->tgid[at] = mapping->mapping.tgid;
	mappings->start[at] = mapping->mapping.start;
	mappings->length[at] = mapping->mapping.length;
	mappings->offset_bytes[at] = mapping->mapping.offset_bytes;
	mappings->path[at] = mapping->mapping.path;
	mappings->build_id[at] = mapping->mapping.build_id;
	mappings->kind[at] = mapping->mapping.kind;
	mappings->nr++;
}
