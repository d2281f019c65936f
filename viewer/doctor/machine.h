/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What doctor looks at: a tree of files, and what only system calls tell. Tests make both.
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
	const char *user; /* whose the process is; a name, or a number in digits */
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

/* Of this machine and process, but for buffer_kb and switches, which stay 0. */
void machine_read(struct machine *machine);

/* Has the process capability @number in its effective set? */
bool machine_capable(const struct machine *machine, int number);

bool machine_in_group(const struct machine *machine, gid_t gid);

bool machine_is_x86(const struct machine *machine);

/* Is annot.ko loaded? */
bool machine_has_module(const struct machine *machine);

/*
 * Where tracefs is mounted, or debugfs with its directory tracing, into @path, of PATH_MAX bytes.
 * @read_only, unless NULL, tells how.
 */
bool machine_tracing_dir(const struct machine *machine, char *path, bool *read_only);

#endif /* ANNOT_DOCTOR_MACHINE_H */
