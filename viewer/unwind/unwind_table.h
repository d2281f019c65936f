/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The table of a binary, by which the module walks stacks through its code (struct annot_unwind_row).
 */
#ifndef ANNOT_UNWIND_UNWIND_TABLE_H
#define ANNOT_UNWIND_UNWIND_TABLE_H

#include <elfutils/libdw.h>
#include <stddef.h>
#include <stdint.h>

#include <uapi/annot.h>

struct unwind_table {
	uint64_t base; /* the address of the file from which the rows count */
	struct annot_unwind_row *rows; /* by ascending address; NULL: nothing is known */
	size_t nr;
	size_t capacity;
};

/*
 * Makes the table of @elf. It is empty for what is no binary of x86-64, and without .eh_frame: there
 * the module follows frame pointers.
 */
void unwind_table_make(struct unwind_table *table, Elf *elf);
void unwind_table_free(struct unwind_table *table);

#endif /* ANNOT_UNWIND_UNWIND_TABLE_H */
