/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The machine as doctor sees it: a tree of files, and results of system calls. Tests provide both.
 */
#ifndef ANNOT_DOCTOR_MACHINE_H
#define ANNOT_DOCTOR_MACHINE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "doctor/switch_counts.h"

#define MACHINE_MAX_GROUPS 64

struct machine {
	const char *root; /* before every path; "": this machine */
	const char *release; /* of the kernel: uname -r */
	const char *user; /* user of the process: a name, or a number in digits */
	uid_t euid;
	gid_t groups[MACHINE_MAX_GROUPS];
	size_t nr_groups;
	int nr_cpus;
	int cycles_error; /* of counting this process's cycles; 0: they can be counted */
	uint64_t memlock_bytes; /* RLIMIT_MEMLOCK */
	long page_bytes;
	long buffer_kb; /* that a recording asks for on each CPU */
	struct switch_counts switches;
};

/* Reads this machine and process, except buffer_kb and switches, which stay 0. */
void machine_read(struct machine *machine);

/* Whether the process has capability @number in its effective set. */
bool machine_capable(const struct machine *machine, int number);

bool machine_in_group(const struct machine *machine, gid_t gid);

bool machine_is_x86(const struct machine *machine);

/* Whether annot.ko is loaded. */
bool machine_has_module(const struct machine *machine);

/*
 * Writes the mount point of tracefs, or debugfs' directory tracing, to @path, of PATH_MAX bytes.
 * Sets @read_only, unless NULL.
 */
bool machine_tracing_dir(const struct machine *machine, char *path, bool *read_only);

#endif /* ANNOT_DOCTOR_MACHINE_H */
