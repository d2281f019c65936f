/* SPDX-License-Identifier: GPL-2.0 */
/*
 * exec() on kernels whose scheduler does not announce it.
 */
#ifndef ANNOT_KMOD_EXEC_H
#define ANNOT_KMOD_EXEC_H

/*
 * From init to exit, the rings of a program are drained before it executes another one. Init comes
 * when no other step of loading the module can fail: a task in exec() may run code of the module.
 */
void annot_exec_init(void);
void annot_exec_exit(void);

#endif /* ANNOT_KMOD_EXEC_H */
