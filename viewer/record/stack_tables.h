/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The tables that the module has for walking stacks: one for each file that a process maps.
 */
#ifndef ANNOT_RECORD_STACK_TABLES_H
#define ANNOT_RECORD_STACK_TABLES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include <uapi/annot.h>

#include "record/log/perf_mmap.h"

struct stack_tables;

/* @ctl_fd: of the module's device, to which the tables belong. */
struct stack_tables *stack_tables_open(int ctl_fd);
void stack_tables_close(struct stack_tables *tables);

/* Makes the table of a file ahead of its first use. */
void stack_tables_add_file(struct stack_tables *tables, const char *path);

/*
 * The range of @mapping, with its table, which is made if the module does not have it yet. Without a
 * table, as of code that is in no file, the range has none: the module then follows frame pointers.
 */
struct annot_unwind_range stack_tables_range(struct stack_tables *tables,
					     const struct mapping *mapping);

/* Whether files have no table because their filesystem may be anybody's (careful_open.h). */
bool stack_tables_pass_over(const struct stack_tables *tables);

/* The first error with which the module refused a table; 0: none. */
int stack_tables_error(const struct stack_tables *tables);

#endif /* ANNOT_RECORD_STACK_TABLES_H */
