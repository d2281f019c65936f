// SPDX-License-Identifier: GPL-2.0
#include "symbols/debug_info/type_layout.h"

#include <dwarf.h>
#include <string.h>

#define MOST_NAMES 64 /* of one type: those of typedefs, each as const, volatile, ... */
#define MOST_DEPTH 16
#define MOST_BITS (1u << 16) /* of a bit field */

static bool is_other_name(int tag)
{
	switch (tag) {
	case DW_TAG_typedef:
	case DW_TAG_const_type:
	case DW_TAG_volatile_type:
	case DW_TAG_restrict_type:
	case DW_TAG_atomic_type:
	case DW_TAG_immutable_type:
	case DW_TAG_packed_type:
	case DW_TAG_shared_type:
		return true;
	default:
		return false;
	}
}

static bool follow(Dwarf_Die *die, unsigned int attribute, Dwarf_Die *to)
{
	Dwarf_Attribute reference;

	return dwarf_attr_integrate(die, attribute, &reference) &&
	       dwarf_formref_die(&reference, to);
}

bool type_of(Dwarf_Die *die, Dwarf_Die *type)
{
	Dwarf_Die at = *die;

	for (int i = 0; i < MOST_NAMES; i++) {
		if (!follow(&at, DW_AT_type, type))
			return false;
		if (!is_other_name(dwarf_tag(type)))
			break;
		at = *type;
	}
	/* With -fdebug-types-section it stands in a unit of its own. */
	if (dwarf_hasattr(type, DW_AT_signature)) {
		at = *type;
		return follow(&at, DW_AT_signature, type);
	}
	return !is_other_name(dwarf_tag(type));
}

static bool find_number(Dwarf_Die *die, unsigned int attribute, uint64_t *number)
{
	Dwarf_Attribute found;
	Dwarf_Word word;

	if (dwarf_formudata(dwarf_attr_integrate(die, attribute, &found), &word))
		return false;
	*number = word;
	return true;
}

static int language_of(Dwarf_Die *die)
{
	Dwarf_Die unit;

	return dwarf_diecu(die, &unit, NULL, NULL) ? dwarf_srclang(&unit) : -1;
}

static uint64_t default_lower_bound(Dwarf_Die *array)
{
	Dwarf_Sword bound;

	return dwarf_default_lower_bound(language_of(array), &bound) ? 0 : (uint64_t)bound;
}

static struct array_dimension dimension_of(Dwarf_Die *array, Dwarf_Die *range)
{
	struct array_dimension dimension = { .count = TYPE_ENDLESS };
	uint64_t lower, upper;

	if (!find_number(range, DW_AT_lower_bound, &lower))
		lower = default_lower_bound(array);
	dimension.lower_bound = (int64_t)lower;
	if (find_number(range, DW_AT_count, &dimension.count) ||
	    !find_number(range, DW_AT_upper_bound, &upper))
		return dimension;
	/* Of no elements, the upper bound is less than the lower one. */
	dimension.count = (int64_t)upper < (int64_t)lower ? 0 : upper - lower + 1;
	return dimension;
}

/* Returns false if there are too many, or indices are no numbers. */
static bool find_dimensions(Dwarf_Die *array, struct array_layout *layout)
{
	Dwarf_Die range;
	int failed = dwarf_child(array, &range);

	for (layout->nr = 0; !failed; failed = dwarf_siblingof(&range, &range)) {
		if (dwarf_tag(&range) != DW_TAG_subrange_type ||
		    dwarf_hasattr(&range, DW_AT_byte_stride) || layout->nr == TYPE_MOST_DIMENSIONS)
			return false;
		layout->dimensions[layout->nr++] = dimension_of(array, &range);
	}
	return layout->nr > 0;
}

static bool is_fortran(int language)
{
	return language == DW_LANG_Fortran77 || language == DW_LANG_Fortran90 ||
	       language == DW_LANG_Fortran95 || language == DW_LANG_Fortran03 ||
	       language == DW_LANG_Fortran08;
}

/* Others are descriptors, or have gaps. */
static bool is_plain(Dwarf_Die *array)
{
	return !dwarf_hasattr(array, DW_AT_data_location) &&
	       !dwarf_hasattr(array, DW_AT_byte_stride) && !dwarf_hasattr(array, DW_AT_bit_stride);
}

/* Compilers do not tell it but by the language. */
static bool is_by_columns(Dwarf_Die *array)
{
	uint64_t ordering;

	if (find_number(array, DW_AT_ordering, &ordering))
		return ordering == DW_ORD_col_major;
	return is_fortran(language_of(array));
}

/* From the innermost dimension to the outermost one, whose count may be unknown. */
static bool set_strides(struct array_layout *layout)
{
	uint64_t bytes = layout->element_bytes;

	for (size_t i = 0; i < layout->nr; i++) {
		struct array_dimension *dimension =
			&layout->dimensions[layout->outermost ? i : layout->nr - 1 - i];

		if (!bytes)
			return false;
		dimension->stride_bytes = bytes;
		if (i + 1 < layout->nr && __builtin_mul_overflow(bytes, dimension->count, &bytes))
			return false;
	}
	return true;
}

static uint64_t bytes_of(Dwarf_Die *type, int depth);

static bool find_array(Dwarf_Die *array, struct array_layout *layout, int depth)
{
	Dwarf_Die element;

	if (!is_plain(array) || !find_dimensions(array, layout) || !type_of(array, &element))
		return false;
	layout->outermost = is_by_columns(array) ? layout->nr - 1 : 0;
	layout->element_bytes = bytes_of(&element, depth + 1);
	return layout->element_bytes != TYPE_ENDLESS && set_strides(layout);
}

bool type_find_array(Dwarf_Die *array, struct array_layout *layout)
{
	return find_array(array, layout, 0);
}

static uint64_t bytes_of_array(Dwarf_Die *array, int depth)
{
	const struct array_dimension *outermost;
	struct array_layout layout;
	uint64_t bytes;

	if (!find_array(array, &layout, depth))
		return 0;
	outermost = &layout.dimensions[layout.outermost];
	if (outermost->count == TYPE_ENDLESS)
		return TYPE_ENDLESS;
	return __builtin_mul_overflow(outermost->count, outermost->stride_bytes, &bytes) ? 0 :
											   bytes;
}

/* clang does not tell how large pointers are. */
static uint64_t bytes_of_pointer(Dwarf_Die *type)
{
	uint8_t address_bytes = 0;
	Dwarf_Die unit;

	dwarf_diecu(type, &unit, &address_bytes, NULL);
	return address_bytes;
}

/* Nor does gcc of those to members, which the C++ ABI tells. */
static uint64_t bytes_of_member_pointer(Dwarf_Die *type)
{
	Dwarf_Die member;
	bool is_function = type_of(type, &member) && dwarf_tag(&member) == DW_TAG_subroutine_type;

	return bytes_of_pointer(type) * (is_function ? 2 : 1);
}

static uint64_t bytes_of(Dwarf_Die *type, int depth)
{
	uint64_t bytes = 0;

	if (depth > MOST_DEPTH)
		return 0;
	if (find_number(type, DW_AT_byte_size, &bytes))
		return bytes;
	switch (dwarf_tag(type)) {
	case DW_TAG_array_type:
		return bytes_of_array(type, depth);
	case DW_TAG_pointer_type:
	case DW_TAG_reference_type:
	case DW_TAG_rvalue_reference_type:
		return bytes_of_pointer(type);
	case DW_TAG_ptr_to_member_type:
		return bytes_of_member_pointer(type);
	default:
		return 0;
	}
}

uint64_t type_bytes(Dwarf_Die *type)
{
	return bytes_of(type, 0);
}

/* As a number, or as what is to be added to the address of the structure. */
static bool find_byte_offset(Dwarf_Die *member, uint64_t *offset_bytes)
{
	Dwarf_Attribute location;
	Dwarf_Op *operations;
	size_t nr;

	*offset_bytes = 0;
	if (!dwarf_attr(member, DW_AT_data_member_location, &location) ||
	    find_number(member, DW_AT_data_member_location, offset_bytes))
		return true;
	if (dwarf_getlocation(&location, &operations, &nr) || nr != 1 ||
	    operations->atom != DW_OP_plus_uconst)
		return false;
	*offset_bytes = operations->number;
	return true;
}

static bool is_little_endian(Dwarf_Die *die)
{
	const char *ident = elf_getident(dwarf_getelf(dwarf_cu_getdwarf(die->cu)), NULL);

	return ident && ident[EI_DATA] == ELFDATA2LSB;
}

/*
 * The first bit of a bit field in its structure. Until DWARF 3 it is counted from the upper end of the integer that it
 * is part of.
 */
static bool find_first_bit(Dwarf_Die *member, uint64_t bits, uint64_t bytes, uint64_t *first)
{
	uint64_t offset_bytes, above;

	if (find_number(member, DW_AT_data_bit_offset, first))
		return true;
	if (!find_byte_offset(member, &offset_bytes) || offset_bytes > UINT64_MAX / 16)
		return false;
	*first = offset_bytes * 8;
	if (!find_number(member, DW_AT_bit_offset, &above))
		return true;
	if (bytes > MOST_BITS || above > bytes * 8 || bits > bytes * 8 - above)
		return false;
	*first += is_little_endian(member) ? bytes * 8 - above - bits : above;
	return true;
}

static bool find_bit_field(Dwarf_Die *member, uint64_t bits, uint64_t bytes,
			   struct byte_range *range)
{
	uint64_t first;

	if (bits > MOST_BITS || !find_first_bit(member, bits, bytes, &first))
		return false;
	range->start = first / 8;
	range->bytes = (first % 8 + bits + 7) / 8;
	return true;
}

bool type_find_member(Dwarf_Die *member, struct byte_range *range)
{
	uint64_t bits, bytes = 0;
	Dwarf_Die type;

	if (!find_number(member, DW_AT_byte_size, &bytes) && type_of(member, &type))
		bytes = type_bytes(&type);
	if (find_number(member, DW_AT_bit_size, &bits))
		return find_bit_field(member, bits, bytes, range);
	range->bytes = bytes;
	return bytes && find_byte_offset(member, &range->start);
}
