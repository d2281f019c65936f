/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Sets of CPUs, as the kernel and command lines write them: "0-3,8".
 */
#ifndef ANNOT_UTIL_CPU_LIST_H
#define ANNOT_UTIL_CPU_LIST_H

#include <stdbool.h>

#define CPUS_MAX 8192 /* the kernel's own limit */

struct cpu_list {
	bool has[CPUS_MAX];
};

/* False: @text is no such list, or an empty one. */
bool cpu_list_parse(struct cpu_list *cpus, const char *text);

/* Those that are "online" now, or "present". False: the kernel does not tell. */
bool cpu_list_read(struct cpu_list *cpus, const char *which);

#endif /* ANNOT_UTIL_CPU_LIST_H */
