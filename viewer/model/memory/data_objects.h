/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Memory that programs name: annot_object(). It is told in notes: "@object_bytes", with the size, and then
 * "@object NAME" of the same thread, with the address; "@object_end", with the address, ends it. Notes of
 * several CPUs come into the trace in another order than they were made. So the builder collects them, and
 * combines them after the last event.
 *
 * Attached programs also tell, in "@thread_local BYTES BUILDID PATH" with an address, where a thread has the thread-local
 * variables of a file, until "@thread_local_end". That is an object of the thread's own. It and one that the program names
 * may have the same address.
 *
 * An object whose size is not in the trace is left out. One with the address of another one takes its place.
 * An exec ends all of its process; a fork copies those of the parent, and what the forking thread owned is the child's.
 */
#ifndef ANNOT_MODEL_DATA_OBJECTS_H
#define ANNOT_MODEL_DATA_OBJECTS_H

#include "model/annotations/team_names.h"
#include "model/model.h"

struct model_builder;

struct object_note {
	uint64_t time_ns;
	uint64_t value;
	uint32_t thread;
	uint32_t name; /* of the object; string id */
	uint32_t recorded; /* as of struct team_name */
	enum team_name_kind kind; /* TEAM_NAME_OBJECT, ... */
};

struct object_build {
	size_t nr;
	size_t capacity;
	struct object_note *notes; /* of each thread in its order */
};

/* @name->kind is that of such a note. */
void data_objects_feed(struct model_builder *builder, uint64_t time_ns, uint32_t thread,
		       const struct trace_event *mark, const struct team_name *name);

/* Call when the process of each thread is known, before mappings_finish(). */
void data_objects_finish(struct model_builder *builder);

#endif /* ANNOT_MODEL_DATA_OBJECTS_H */
