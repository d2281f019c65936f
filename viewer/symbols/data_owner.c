// SPDX-License-Identifier: GPL-2.0
#include "symbols/data_owner.h"

#include <stdlib.h>
#include <string.h>

#include "symbols/data/live_objects.h"
#include "symbols/data/sampled_block.h"
#include "symbols/data/thread_locals.h"
#include "util/xalloc.h"

struct data_owners {
	const struct model *model;
	struct symbols *symbols;
	uint32_t *objects; /* of each sample 1 + the row of its object; NULL: there are none */
	uint32_t unknown; /* a word, as string id */
};

static const char *const words[NR_OWNER_KINDS] = {
	[OWNER_UNKNOWN] = "unknown",   [OWNER_OBJECT] = "object",
	[OWNER_VARIABLE] = "variable", [OWNER_STACK] = "stack",
	[OWNER_HEAP] = "heap",	       [OWNER_FILE] = "file",
	[OWNER_KERNEL] = "kernel",     [OWNER_THREAD_LOCAL] = "thread-local",
};

const char *data_owner_word(enum data_owner_kind kind)
{
	return words[kind];
}

struct data_owners *data_owners_new(const struct model *model, struct symbols *symbols)
{
	struct data_owners *owners = xcalloc(1, sizeof(*owners));

	*owners = (struct data_owners){
		.model = model,
		.symbols = symbols,
		.objects = live_objects_of_samples(model, LIVE_ALL),
		.unknown = trace_intern(model->trace, "[unknown]"),
	};
	return owners;
}

void data_owners_free(struct data_owners *owners)
{
	if (!owners)
		return;
	free(owners->objects);
	free(owners);
}

/* By the name of what is mapped there, which is that of a file, or the kernel's word in brackets. */
static enum data_owner_kind kind_of_mapping(const struct data_owners *owners, uint32_t name)
{
	static const struct {
		const char *name;
		enum data_owner_kind kind;
	} kinds[] = {
		{ "[heap]", OWNER_HEAP },
		{ "[stack]", OWNER_STACK },
		{ "[kernel]", OWNER_KERNEL },
		{ "[hidden]", OWNER_KERNEL },
	};
	const char *text = trace_string(owners->model->trace, name);

	for (size_t i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++) {
		if (!strcmp(text, kinds[i].name))
			return kinds[i].kind;
	}
	return *text == '[' || *text == '/' ? OWNER_UNKNOWN : OWNER_FILE;
}

/* Of all threads, the variable is one; unless threads access those of others, which is to be seen. */
static uint32_t name_of_thread_local(const struct data_owners *owners, size_t sample,
				     const struct symbol_location *place)
{
	struct trace *trace = owners->model->trace;
	uint32_t name = place->is_variable ? place->symbol : place->object;
	uint32_t thread = owners->model->samples.thread[sample];
	char *text;

	if (thread != MODEL_NO_THREAD && owners->model->threads[thread].tid == place->owner_tid)
		return name;
	text = xasprintf("%s" THREAD_LOCAL_OF, trace_string(trace, name), place->owner_tid);
	name = trace_intern(trace, text);
	free(text);
	return name;
}

static struct data_owner owner_of_thread_local(const struct data_owners *owners, size_t sample,
					       const struct symbol_location *place)
{
	return (struct data_owner){
		.kind = OWNER_THREAD_LOCAL,
		.name = name_of_thread_local(owners, sample, place),
		.file = place->is_variable ? place->object : TRACE_NO_STRING,
		.offset = place->offset,
	};
}

static struct data_owner owner_by_symbol(const struct data_owners *owners, size_t sample)
{
	struct symbol_location place = symbols_of_data(owners->symbols, sample, false);
	struct data_owner owner = {
		.kind = OWNER_VARIABLE,
		.name = place.symbol,
		.file = place.object,
		.offset = place.offset,
	};

	if (place.owner_tid)
		return owner_of_thread_local(owners, sample, &place);
	if (place.is_variable)
		return owner;
	owner.kind = kind_of_mapping(owners, place.object);
	owner.name = owner.kind == OWNER_UNKNOWN ? owners->unknown : place.object;
	owner.file = TRACE_NO_STRING;
	owner.offset = owners->model->samples.addr[sample];
	return owner;
}

struct data_owner data_owner_of(const struct data_owners *owners, size_t sample)
{
	const struct data_object_table *objects = &owners->model->data_objects;
	uint32_t found = owners->objects ? owners->objects[sample] : 0;

	if (!found || objects->owner_tid[found - 1])
		return owner_by_symbol(owners, sample);
	return (struct data_owner){
		.kind = OWNER_OBJECT,
		.name = objects->name[found - 1],
		.file = TRACE_NO_STRING,
		.offset = owners->model->samples.addr[sample] - objects->address[found - 1],
		.row = found - 1,
		.one_of = sampled_block_one_of(
			trace_string(owners->model->trace, objects->name[found - 1])),
	};
}

bool data_owner_place(const struct data_owners *owners, size_t sample,
		      const struct data_owner *owner, struct symbol_location *place)
{
	if (owner->kind == OWNER_OBJECT)
		*place = symbols_of_object(owners->symbols, owner->row,
					   owners->model->samples.addr[sample], true);
	else if (owner->kind == OWNER_VARIABLE || owner->kind == OWNER_THREAD_LOCAL)
		*place = symbols_of_data(owners->symbols, sample, true);
	else
		return false;
	return true;
}
