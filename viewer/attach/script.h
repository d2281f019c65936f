/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The interpreters of scripts.
 */
#ifndef ANNOT_ATTACH_SCRIPT_H
#define ANNOT_ATTACH_SCRIPT_H

#include <limits.h>

/*
 * The file that execvp() executes for @script, which is no ELF file, into @interpreter: what "#!" names, past
 * env(1); without "#!", the shell. Returns 0, or -1: it is no script.
 */
int script_find_interpreter(const char *script, char interpreter[PATH_MAX]);

#endif /* ANNOT_ATTACH_SCRIPT_H */
