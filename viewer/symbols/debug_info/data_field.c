// SPDX-License-Identifier: GPL-2.0
#include "symbols/debug_info/data_field.h"

#include <dwarf.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "symbols/debug_info/type_layout.h"

#define MOST_DEPTH 32
/* Members that are looked at. Without a limit, a damaged file could ask for each path through its types. */
#define MOST_STEPS (1u << 16)

struct position {
	uint64_t in_type;
	uint64_t in_named; /* from where that begins which the path names */
};

struct field_walk {
	unsigned int nr_steps;
	int depth;
	bool is_endless; /* a limit was met: no file that a compiler made has such types */
	size_t length; /* of the path */
	char path[DATA_FIELD_BYTES];
	struct data_element element;
	uint64_t in_element; /* the offset */
	bool has_end;
	struct data_field end; /* of the first walk that did not lead to a scalar */
};

static bool enter_type(struct field_walk *walk, Dwarf_Die *type, struct position at);

/* Nothing more is known of what is there. Returns false: no scalar was found. */
static bool end_walk(struct field_walk *walk, struct position at)
{
	if (walk->has_end)
		return false;
	walk->has_end = true;
	memcpy(walk->end.path, walk->path, walk->length + 1);
	walk->end.offset = at.in_named;
	return false;
}

static void cut_path(struct field_walk *walk, size_t length)
{
	walk->length = length;
	walk->path[length] = '\0';
}

/* Returns false if there is no room; the path stays as it is. */
static bool __attribute__((format(printf, 2, 3)))
append(struct field_walk *walk, const char *format, ...)
{
	size_t room = sizeof(walk->path) - walk->length;
	va_list arguments;
	int bytes;

	va_start(arguments, format);
	bytes = vsnprintf(walk->path + walk->length, room, format, arguments);
	va_end(arguments);
	if (bytes < 0 || (size_t)bytes >= room) {
		cut_path(walk, walk->length);
		return false;
	}
	walk->length += (size_t)bytes;
	return true;
}

static bool enter_type_of(struct field_walk *walk, Dwarf_Die *die, struct position at)
{
	Dwarf_Die type;
	bool found;

	walk->is_endless |= walk->depth == MOST_DEPTH;
	if (walk->is_endless || !type_of(die, &type))
		return end_walk(walk, at);
	walk->depth++;
	found = enter_type(walk, &type, at);
	walk->depth--;
	return found;
}

/* Base classes, and structures without a name, have their members where they stand themselves. */
static bool enter_member(struct field_walk *walk, Dwarf_Die *member, uint64_t start,
			 struct position at)
{
	const char *name = dwarf_tag(member) == DW_TAG_member ? dwarf_diename(member) : NULL;
	size_t length = walk->length;
	bool found;

	at.in_type -= start;
	if (name && *name) {
		if (!append(walk, ".%s", name))
			return false;
		at.in_named = at.in_type;
	}
	found = enter_type_of(walk, member, at);
	if (!found)
		cut_path(walk, length);
	return found;
}

/* Static members stand elsewhere, though debug information has them here. */
static bool is_within(Dwarf_Die *member)
{
	int tag = dwarf_tag(member);

	return tag == DW_TAG_inheritance ||
	       (tag == DW_TAG_member && !dwarf_hasattr(member, DW_AT_external) &&
		!dwarf_hasattr(member, DW_AT_declaration));
}

static bool holds(struct byte_range range, uint64_t offset)
{
	return offset >= range.start && offset - range.start < range.bytes;
}

static bool enter_members(struct field_walk *walk, Dwarf_Die *type, struct position at)
{
	Dwarf_Die member;
	int failed = dwarf_child(type, &member);

	for (; !failed; failed = dwarf_siblingof(&member, &member)) {
		struct byte_range range;

		walk->is_endless |= walk->nr_steps++ == MOST_STEPS;
		if (walk->is_endless)
			return false;
		if (is_within(&member) && type_find_member(&member, &range) &&
		    holds(range, at.in_type) && enter_member(walk, &member, range.start, at))
			return true;
	}
	return end_walk(walk, at);
}

/* Returns false if the offset is behind the end, or the path is too long. */
static bool append_index(struct field_walk *walk, const struct array_layout *layout, size_t at,
			 uint64_t offset)
{
	const struct array_dimension *dimension = &layout->dimensions[at];
	uint64_t index = offset / dimension->stride_bytes;

	if (at != layout->outermost)
		index %= dimension->count;
	return index < dimension->count &&
	       append(walk, "[%" PRId64 "]", (int64_t)((uint64_t)dimension->lower_bound + index));
}

static bool is_structure(Dwarf_Die *type)
{
	int tag = dwarf_tag(type);

	return tag == DW_TAG_structure_type || tag == DW_TAG_class_type || tag == DW_TAG_union_type;
}

/* An element of @type in an array whose name the path's first @path_bytes are. */
static void note_element(struct field_walk *walk, Dwarf_Die *type, uint64_t bytes,
			 uint64_t in_element, size_t path_bytes)
{
	if (walk->element.bytes || !is_structure(type))
		return;
	walk->in_element = in_element;
	walk->element = (struct data_element){ .bytes = bytes, .path_bytes = path_bytes };
}

static bool enter_array(struct field_walk *walk, Dwarf_Die *array, struct position at)
{
	struct array_layout layout;
	size_t length = walk->length;
	Dwarf_Die type;
	uint64_t offset;
	bool found;

	if (!type_find_array(array, &layout))
		return end_walk(walk, at);
	for (size_t i = 0; i < layout.nr; i++) {
		if (!append_index(walk, &layout, i, at.in_type)) {
			cut_path(walk, length);
			return end_walk(walk, at);
		}
	}
	offset = at.in_type % layout.element_bytes;
	if (type_of(array, &type))
		note_element(walk, &type, layout.element_bytes, offset, length);
	found = enter_type_of(walk, array, (struct position){ offset, offset });
	if (!found)
		cut_path(walk, length);
	return found;
}

static bool is_scalar(int tag)
{
	switch (tag) {
	case DW_TAG_base_type:
	case DW_TAG_enumeration_type:
	case DW_TAG_pointer_type:
	case DW_TAG_reference_type:
	case DW_TAG_rvalue_reference_type:
	case DW_TAG_ptr_to_member_type:
	case DW_TAG_unspecified_type:
	case DW_TAG_string_type:
		return true;
	default:
		return false;
	}
}

static bool enter_scalar(struct field_walk *walk, Dwarf_Die *type, struct position at)
{
	if (!is_scalar(dwarf_tag(type)) || at.in_type >= type_bytes(type))
		return end_walk(walk, at);
	walk->element.start = walk->in_element - at.in_type;
	walk->element.scalar_bytes = type_bytes(type);
	return true;
}

static bool enter_type(struct field_walk *walk, Dwarf_Die *type, struct position at)
{
	if (is_structure(type))
		return enter_members(walk, type, at);
	if (dwarf_tag(type) == DW_TAG_array_type)
		return enter_array(walk, type, at);
	return enter_scalar(walk, type, at);
}

/* What the walk came to; @found: a scalar. */
static bool finish_walk(const struct field_walk *walk, bool found, struct data_field *field)
{
	if (found) {
		memcpy(field->path, walk->path, walk->length + 1);
		field->offset = 0;
		field->element = walk->element;
		return true;
	}
	*field = walk->end;
	return !walk->is_endless && *walk->end.path;
}

bool data_field_find(Dwarf_Die *variable, uint64_t offset, struct data_field *field)
{
	struct field_walk walk = { .path = "" };
	bool found = enter_type_of(&walk, variable, (struct position){ offset, offset });

	return finish_walk(&walk, found, field);
}

bool data_field_find_in_block(Dwarf_Die *type, uint64_t block_bytes, uint64_t offset,
			      struct data_field *field)
{
	struct field_walk walk = { .path = "" };
	uint64_t bytes = type_bytes(type), in_element;
	bool found;

	if (!bytes || bytes == TYPE_ENDLESS || block_bytes % bytes || offset >= block_bytes)
		return false;
	in_element = offset % bytes;
	if (block_bytes > bytes) {
		append(&walk, "[%" PRIu64 "]", offset / bytes);
		note_element(&walk, type, bytes, in_element, 0);
	}
	found = enter_type(&walk, type, (struct position){ in_element, in_element });
	return finish_walk(&walk, found, field);
}
