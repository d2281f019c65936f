/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The numbers of system calls -> their names, by the machine of the trace.
 */
#ifndef ANNOT_TRACE_NAMES_SYSCALLS_H
#define ANNOT_TRACE_NAMES_SYSCALLS_H

#include <stdint.h>

#define SYSCALL_MAX_ARGUMENTS 6

struct syscall {
	const char *name;
	int16_t numbers[3]; /* by machine; -1: not there */
	uint8_t nr_arguments;
};

/* Which numbers hold: SYSCALLS_UNKNOWN is a machine that the table does not have. */
enum syscall_machine {
	SYSCALLS_X86_64,
	SYSCALLS_I386,
	SYSCALLS_GENERIC, /* arm64, riscv64 */
	SYSCALLS_UNKNOWN,
};

/* @machine is what uname(2) says there. */
enum syscall_machine syscall_machine_of(const char *machine);

/* NULL: the table does not have it. */
const struct syscall *syscall_find(enum syscall_machine machine, int64_t number);

#endif /* ANNOT_TRACE_NAMES_SYSCALLS_H */
