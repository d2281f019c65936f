/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Which field of a variable, or of a block of memory of a type, stands at an offset of it, by the types of debug information.
 *
 * The walk goes into structures, base classes, unions and arrays, and ends at a scalar. Where several members hold the
 * offset, as in a union, the first is taken in which there is a scalar. Debug information may be damaged: then less is
 * told, or nothing.
 */
#ifndef ANNOT_SYMBOLS_DATA_FIELD_H
#define ANNOT_SYMBOLS_DATA_FIELD_H

#include <elfutils/libdw.h>
#include <stdbool.h>
#include <stdint.h>

#define DATA_FIELD_BYTES 512

/* The scalar as a part of an element of an array of structures; of the outermost array, if there are several. */
struct data_element {
	uint64_t bytes; /* from one element to the next; 0: it is in no such array */
	uint64_t start; /* of the scalar, in its element */
	uint64_t scalar_bytes;
	size_t path_bytes; /* so much of the path names the array: ".cells" of ".cells[3].v" */
};

struct data_field {
	char path
		[DATA_FIELD_BYTES]; /* behind the variable's name: "[1].hits"; "": it is a scalar */
	uint64_t offset; /* from where that begins, if it is in no scalar: in padding */
	struct data_element element;
};

/* Returns false if the types do not tell more than the variable. */
bool data_field_find(Dwarf_Die *variable, uint64_t offset, struct data_field *field);

/*
 * The same of a block of @block_bytes that holds one @type, or several one behind the other: "[7].x". Returns false if so many
 * bytes are no whole number of these.
 */
bool data_field_find_in_block(Dwarf_Die *type, uint64_t block_bytes, uint64_t offset,
			      struct data_field *field);

#endif /* ANNOT_SYMBOLS_DATA_FIELD_H */
