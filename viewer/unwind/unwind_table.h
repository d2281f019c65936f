/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The table of a binary, by which the module walks stacks through its code (struct annot_unwind_row).
 */
#ifndef ANNOT_UNWIND_UNWIND_TABLE_H
#define ANNOT_UNWIND_UNWIND_TABLE_H

#include <elfutils/libdw.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <uapi/annot.h>

/* A part of the file that is mapped as code. */
struct unwind_segment {
	uint64_t offset_bytes;
	uint64_t bytes;
	uint64_t address;
};

struct unwind_table {
	uint64_t base; /* the address of the file from which the rows count */
	struct unwind_segment *segments;
	size_t nr_segments;
	struct annot_unwind_row *rows; /* by ascending address; NULL: nothing is known */
	size_t nr;
	size_t capacity;
};

/*
 * Makes the table of @elf. It is empty for what is no binary of x86-64, arm64 or riscv64, and
 * without .eh_frame: there the module follows frame pointers.
 */
void unwind_table_make(struct unwind_table *table, Elf *elf);
/*
 * Where the table's base is in a process that maps the file's code from @offset_bytes on at @start.
 * Returns false if there is no code.
 */
bool unwind_table_mapped_base(const struct unwind_table *table, uint64_t start,
			      uint64_t offset_bytes, uint64_t *base);

void unwind_table_free(struct unwind_table *table);

#endif /* ANNOT_UNWIND_UNWIND_TABLE_H */
