/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A file that was mapped: its symbols and lines, by elfutils' libdwfl. Debug information of its own
 * is found where the system has it installed; nothing is fetched from anywhere.
 *
 * Addresses are those that the file's own headers speak of.
 */
#ifndef ANNOT_SYMBOLS_OBJECT_H
#define ANNOT_SYMBOLS_OBJECT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct object;

/* How a part of the file was mapped. */
struct object_mapping {
	uint64_t start;
	uint64_t offset_bytes;
};

/*
 * @build_id (hexadecimal, or "" if it is not known) is the one that the file must have. What keeps
 * it from being used is told in one line; the object then knows nothing. Never NULL.
 */
struct object *object_open(const char *path, const char *build_id);
void object_close(struct object *object);

/* What is at the @address of a process is at which of the file; false: it is not of the file. */
bool object_address(const struct object *object, struct object_mapping mapping, uint64_t address,
		    uint64_t *file_address);

/* The first @bytes are its name, good until object_close(); NULL: no symbol is there. */
const char *object_symbol(const struct object *object, uint64_t file_address, size_t *bytes,
			  uint64_t *offset);

/* NULL: not known. @line counts from 1. */
const char *object_line(struct object *object, uint64_t file_address, int *line);

#endif /* ANNOT_SYMBOLS_OBJECT_H */
