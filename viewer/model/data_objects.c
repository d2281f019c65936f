// SPDX-License-Identifier: GPL-2.0
#include "model/data_objects.h"

#include <stdlib.h>

#include "model/builder_state.h"
#include "model/table_rows.h"
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
	uint64_t address;
	uint64_t bytes;
};

struct change_list {
	size_t nr;
	size_t capacity;
	struct change *changes;
};

/* The rows of objects that have not ended. */
struct live_objects {
	size_t nr;
	size_t capacity;
	size_t *rows;
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
		.kind = name->kind,
	};
}

static void add_change(struct change_list *list, struct change change)
{
	change.order = list->nr;
	ARRAY_MAKE_ROOM(list->changes, list->nr, list->capacity);
	list->changes[list->nr++] = change;
}

/* @bytes: the size that the note's thread told last; 0: none, or it was of an object before this one. */
static void add_note(struct change_list *list, const struct object_note *note, uint64_t *bytes)
{
	struct change change = {
		.time_ns = note->time_ns,
		.kind = note->kind == TEAM_NAME_OBJECT ? CHANGE_BEGIN : CHANGE_END,
		.thread = note->thread,
		.parent = MODEL_NO_THREAD,
		.name = note->name,
		.address = note->value,
	};

	if (note->kind == TEAM_NAME_OBJECT_BYTES) {
		*bytes = note->value;
		return;
	}
	if (note->kind == TEAM_NAME_OBJECT) {
		change.bytes = *bytes;
		*bytes = 0;
		if (!change.bytes || change.bytes - 1 > UINT64_MAX - change.address)
			return;
	}
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
		add_note(&list, &build->notes[i], &bytes[build->notes[i].thread]);
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

static void begin_object(struct data_object_table *objects, struct live_objects *live,
			 const struct data_object_row *row)
{
	ARRAY_MAKE_ROOM(live->rows, live->nr, live->capacity);
	live->rows[live->nr++] = objects->nr;
	data_object_table_add(objects, row);
}

/* Of @tgid: all, or the one at *@address. */
static void end_objects(struct data_object_table *objects, struct live_objects *live,
			uint64_t time_ns, int32_t tgid, const uint64_t *address)
{
	size_t nr = 0;

	for (size_t i = 0; i < live->nr; i++) {
		size_t row = live->rows[i];

		if (objects->tgid[row] == tgid && (!address || objects->address[row] == *address))
			objects->end_ns[row] = time_ns;
		else
			live->rows[nr++] = row;
	}
	live->nr = nr;
}

static void copy_objects(struct data_object_table *objects, struct live_objects *live,
			 uint64_t time_ns, int32_t from, int32_t to)
{
	size_t nr = live->nr;

	for (size_t i = 0; i < nr; i++) {
		size_t row = live->rows[i];

		if (objects->tgid[row] == from)
			begin_object(objects, live,
				     &(struct data_object_row){
					     time_ns, objects->end_ns[row], to, objects->name[row],
					     objects->address[row], objects->bytes[row] });
	}
}

static void make_change(struct model *model, struct live_objects *live, const struct change *change)
{
	struct data_object_table *objects = &model->data_objects;
	int32_t tgid = process_of(model, change->thread);

	end_objects(objects, live, change->time_ns, tgid,
		    change->kind == CHANGE_SPACE ? NULL : &change->address);
	if (change->kind == CHANGE_SPACE && change->parent != MODEL_NO_THREAD)
		copy_objects(objects, live, change->time_ns, process_of(model, change->parent),
			     tgid);
	if (change->kind == CHANGE_BEGIN)
		begin_object(objects, live,
			     &(struct data_object_row){ change->time_ns, UINT64_MAX, tgid,
							change->name, change->address,
							change->bytes });
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
		free(live.rows);
	}
	free(builder->objects.notes);
}
