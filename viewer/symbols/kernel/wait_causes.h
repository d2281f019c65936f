/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What a thread waits for, by the functions of the kernel that it sleeps in: "futex", "pipe read", "disk".
 *
 * The innermost function that the table knows decides. Where it is one that several things are waited for with, as
 * io_schedule, the functions around it tell which: a page fault or a system call. What no function of the table is
 * in is named after its system call, or its innermost function that does not just sleep.
 *
 * The table has the names of Linux 6.1 to 7.2.
 */
#ifndef ANNOT_SYMBOLS_WAIT_CAUSES_H
#define ANNOT_SYMBOLS_WAIT_CAUSES_H

#include <stddef.h>

/*
 * @functions: the stack's @nr functions, the innermost first, without what a compiler appends (".isra.0"). free() the
 * cause. Returns NULL if the stack tells none.
 */
char *wait_cause_of(const char *const *functions, size_t nr);

#endif /* ANNOT_SYMBOLS_WAIT_CAUSES_H */
