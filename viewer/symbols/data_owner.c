// SPDX-License-Identifier: GPL-2.0
#include "symbols/data_owner.h"

#include <stdlib.h>
#include <string.h>

#include "symbols/live_objects.h"
#include "util/xalloc.h"

struct data_owners {
	const struct model *model;
	struct symbols *symbols;
	uint32_t *objects; /* of each sample 1 + the row of its object; NULL: there are none */
	uint32_t unknown; /* a word, as string id */
};

static const char *const words[NR_OWNER_KINDS] = {
	[OWNER_UNKNOWN] = "unknown", [OWNER_OBJECT] = "object", [OWNER_VARIABLE] = "variable",
	[OWNER_STACK] = "stack",     [OWNER_HEAP] = "heap",	[OWNER_FILE] = "file",
	[OWNER_KERNEL] = "kernel",
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
		.objects = live_objects_of_samples(model),
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

static struct data_owner owner_by_symbol(const struct data_owners *owners, size_t sample)
{
	struct symbol_location place = symbols_of_data(owners->symbols, sample, false);
	struct data_owner owner = {
		.kind = OWNER_VARIABLE,
		.name = place.symbol,
		.file = place.object,
		.offset = place.offset,
	};

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

	if (!found)
		return owner_by_symbol(owners, sample);
	return (struct data_owner){
		.kind = OWNER_OBJECT,
		.name = objects->name[found - 1],
		.file = TRACE_NO_STRING,
		.offset = owners->model->samples.addr[sample] - objects->address[found - 1],
	};
}
