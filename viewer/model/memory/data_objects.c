// SPDX-License-Identifier: GPL-2.0
#include "model/memory/data_objects.h"

#include <stdlib.h>

#include "model/builder_state.h"
#include "model/table_rows.h"
#include "model/annotations/thread_local_name.h"
#include "util/pair_table.h"
#include "util/xalloc.h"

enum change_kind {
	CHANGE_SPACE, /* a fork or an exec */
	CHANGE_END,
	CHANGE_BEGIN,
};

/* What happens to the objects of a process. */
struct change {
	uint64_t time_ns;
	size_t order; /* among changes at one time */
	enum change_kind kind;
	uint32_t thread;
	uint32_t parent; /* of a fork; else MODEL_NO_THREAD */
	uint32_t name;
	uint32_t recorded;
	uint64_t address;
	uint64_t bytes;
	bool is_thread_local;
};

struct change_list {
	size_t nr;
	size_t capacity;
	struct change *changes;
};

/* Rows of objects of one process are in a list. Each is a row's number + 1; 0: none. */
struct neighbours {
	size_t next;
	size_t previous;
};

/* The objects that have not ended. */
struct live_objects {
	struct pair_table processes; /* tgid, 0 */
	size_t nr_processes; /* of @first that are used */
	size_t capacity_processes;
	size_t *first; /* by number in @processes: the first of its list */
	struct pair_table halves; /* a process, and half_of() an address */
	struct pair_table addresses; /* a number in @halves, and the lower half */
	size_t nr_addresses; /* of @rows that are used */
	size_t capacity_addresses;
	size_t *rows; /* by number in @addresses: what lives there, as a row's number + 1 */
	size_t nr; /* of @neighbours that are used: all rows of the table */
	size_t capacity;
	struct neighbours *neighbours; /* by row */
};

void data_objects_feed(struct model_builder *builder, uint64_t time_ns, uint32_t thread,
		       const struct trace_event *mark, const struct team_name *name)
{
	struct object_build *build = &builder->objects;

	ARRAY_MAKE_ROOM(build->notes, build->nr, build->capacity);
	build->notes[build->nr++] = (struct object_note){
		.time_ns = time_ns,
		.value = (uint64_t)mark->annot.value,
		.thread = thread,
		.name = name->shown,
		.recorded = name->recorded,
		.kind = name->kind,
	};
}

static bool is_begin(enum team_name_kind kind)
{
	return kind == TEAM_NAME_OBJECT || kind == TEAM_NAME_THREAD_LOCAL;
}

/* 0: it is not told. */
static uint64_t bytes_of_thread_local(const struct trace *trace, uint32_t name)
{
	struct thread_local_name parsed;

	return thread_local_name_parse(trace_string(trace, name), &parsed) ? parsed.bytes : 0;
}

static void add_change(struct change_list *list, struct change change)
{
	change.order = list->nr;
	ARRAY_MAKE_ROOM(list->changes, list->nr, list->capacity);
	list->changes[list->nr++] = change;
}

/* @bytes: the size that the note's thread told last; 0: none, or it was of an object before this one. */
static void add_note(struct change_list *list, const struct trace *trace,
		     const struct object_note *note, uint64_t *bytes)
{
	struct change change = {
		.time_ns = note->time_ns,
		.kind = is_begin(note->kind) ? CHANGE_BEGIN : CHANGE_END,
		.thread = note->thread,
		.parent = MODEL_NO_THREAD,
		.name = note->name,
		.recorded = note->recorded,
		.address = note->value,
		.is_thread_local = note->kind >= TEAM_NAME_THREAD_LOCAL,
	};

	if (note->kind == TEAM_NAME_OBJECT_BYTES) {
		*bytes = note->value;
		return;
	}
	if (note->kind == TEAM_NAME_OBJECT) {
		change.bytes = *bytes;
		*bytes = 0;
	} else if (note->kind == TEAM_NAME_THREAD_LOCAL) {
		change.bytes = bytes_of_thread_local(trace, note->name);
	}
	if (change.kind == CHANGE_BEGIN &&
	    (!change.bytes || change.bytes - 1 > UINT64_MAX - change.address))
		return;
	add_change(list, change);
}

static int compare_changes(const void *a, const void *b)
{
	const struct change *first = a, *second = b;

	if (first->time_ns != second->time_ns)
		return first->time_ns < second->time_ns ? -1 : 1;
	return first->order < second->order ? -1 : first->order > second->order;
}

static struct change_list gather_changes(const struct model_builder *builder)
{
	const struct mapping_build *mappings = &builder->mappings;
	const struct object_build *build = &builder->objects;
	uint64_t *bytes = xcalloc(builder->model->nr_threads, sizeof(*bytes));
	struct change_list list = { 0 };

	for (size_t i = 0; i < mappings->nr_starts; i++)
		add_change(&list, (struct change){ .time_ns = mappings->starts[i].time_ns,
						   .kind = CHANGE_SPACE,
						   .thread = mappings->starts[i].thread,
						   .parent = mappings->starts[i].parent });
	for (size_t i = 0; i < build->nr; i++)
		add_note(&list, builder->model->trace, &build->notes[i],
			 &bytes[build->notes[i].thread]);
	free(bytes);
	if (list.nr)
		qsort(list.changes, list.nr, sizeof(*list.changes), compare_changes);
	return list;
}

static int32_t process_of(const struct model *model, uint32_t thread)
{
	const struct thread *row = &model->threads[thread];

	return row->tgid ? row->tgid : row->tid;
}

static size_t *first_of_process(struct live_objects *live, int32_t tgid)
{
	size_t process = pair_table_number(&live->processes, (uint32_t)tgid, 0);

	if (process == live->nr_processes) {
		ARRAY_MAKE_ROOM(live->first, live->nr_processes, live->capacity_processes);
		live->first[live->nr_processes++] = 0;
	}
	return &live->first[process];
}

/* The upper half of an address, and of which kind it is: addresses of processes leave the first bit free. */
static uint32_t half_of(uint64_t address, bool is_thread_local)
{
	return (uint32_t)(address >> 32) ^ (is_thread_local ? UINT32_C(1) << 31 : 0);
}

/* What lives there, as a row's number + 1. */
static size_t *row_at(struct live_objects *live, int32_t tgid, uint64_t address,
		      bool is_thread_local)
{
	size_t half = pair_table_number(&live->halves, (uint32_t)tgid,
					half_of(address, is_thread_local));
	size_t number = pair_table_number(&live->addresses, (uint32_t)half, (uint32_t)address);

	if (number == live->nr_addresses) {
		ARRAY_MAKE_ROOM(live->rows, live->nr_addresses, live->capacity_addresses);
		live->rows[live->nr_addresses++] = 0;
	}
	return &live->rows[number];
}

static void begin_object(struct data_object_table *objects, struct live_objects *live,
			 const struct data_object_row *row)
{
	size_t *first = first_of_process(live, row->tgid), number = objects->nr + 1;

	data_object_table_add(objects, row);
	ARRAY_MAKE_ROOM(live->neighbours, live->nr, live->capacity);
	live->neighbours[live->nr++] = (struct neighbours){ .next = *first };
	if (*first)
		live->neighbours[*first - 1].previous = number;
	*first = number;
	*row_at(live, row->tgid, row->address, row->owner_tid) = number;
}

/* @number: its row's + 1. */
static void end_object(struct data_object_table *objects, struct live_objects *live,
		       uint64_t time_ns, size_t number)
{
	struct neighbours own = live->neighbours[number - 1];
	int32_t tgid = objects->tgid[number - 1];

	objects->end_ns[number - 1] = time_ns;
	*row_at(live, tgid, objects->address[number - 1], objects->owner_tid[number - 1]) = 0;
	if (own.next)
		live->neighbours[own.next - 1].previous = own.previous;
	if (own.previous)
		live->neighbours[own.previous - 1].next = own.next;
	else
		*first_of_process(live, tgid) = own.next;
}

static void end_all(struct data_object_table *objects, struct live_objects *live, uint64_t time_ns,
		    int32_t tgid)
{
	size_t number;

	while ((number = *first_of_process(live, tgid)))
		end_object(objects, live, time_ns, number);
}

static void end_at(struct data_object_table *objects, struct live_objects *live, int32_t tgid,
		   const struct change *change)
{
	size_t number = *row_at(live, tgid, change->address, change->is_thread_local);

	if (number)
		end_object(objects, live, change->time_ns, number);
}

/* To a process, of which @child is the first thread, when @parent forks. */
static void copy_objects(struct model *model, struct live_objects *live, uint64_t time_ns,
			 uint32_t parent, uint32_t child)
{
	struct data_object_table *objects = &model->data_objects;
	int32_t from = process_of(model, parent), to = process_of(model, child);

	for (size_t number = *first_of_process(live, from); number && from != to;
	     number = live->neighbours[number - 1].next) {
		size_t row = number - 1;
		int32_t owner_tid = objects->owner_tid[row];

		if (owner_tid && owner_tid == model->threads[parent].tid)
			owner_tid = model->threads[child].tid;
		begin_object(objects, live,
			     &(struct data_object_row){ time_ns, objects->end_ns[row], to,
							objects->name[row], objects->address[row],
							objects->bytes[row], owner_tid,
							objects->recorded[row] });
	}
}

static void make_change(struct model *model, struct live_objects *live, const struct change *change)
{
	struct data_object_table *objects = &model->data_objects;
	int32_t tgid = process_of(model, change->thread);

	if (change->kind == CHANGE_SPACE)
		end_all(objects, live, change->time_ns, tgid);
	else
		end_at(objects, live, tgid, change);
	if (change->kind == CHANGE_SPACE && change->parent != MODEL_NO_THREAD)
		copy_objects(model, live, change->time_ns, change->parent, change->thread);
	if (change->kind == CHANGE_BEGIN)
		begin_object(objects, live,
			     &(struct data_object_row){
				     change->time_ns, UINT64_MAX, tgid, change->name,
				     change->address, change->bytes,
				     change->is_thread_local ? model->threads[change->thread].tid :
							       0,
				     change->recorded });
}

static void free_live(struct live_objects *live)
{
	pair_table_free(&live->processes);
	pair_table_free(&live->halves);
	pair_table_free(&live->addresses);
	free(live->first);
	free(live->rows);
	free(live->neighbours);
}

void data_objects_finish(struct model_builder *builder)
{
	struct live_objects live = { 0 };
	struct change_list list;

	if (builder->objects.nr) {
		list = gather_changes(builder);
		for (size_t i = 0; i < list.nr; i++)
			make_change(builder->model, &live, &list.changes[i]);
		free(list.changes);
		free_live(&live);
	}
	free(builder->objects.notes);
}
