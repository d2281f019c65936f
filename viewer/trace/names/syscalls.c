// SPDX-License-Identifier: GPL-2.0
#include "trace/names/syscalls.h"

#include <stddef.h>
#include <string.h>

static const struct syscall syscalls[] = {
#define SYSCALL(name, x86_64, i386, generic, nr_arguments) \
	{ #name, { x86_64, i386, generic }, nr_arguments },
#include "trace/names/syscalls.def"
};

static const struct {
	const char *name;
	enum syscall_machine machine;
} machines[] = {
	{ "x86_64", SYSCALLS_X86_64 },	 { "i386", SYSCALLS_I386 }, { "i486", SYSCALLS_I386 },
	{ "i586", SYSCALLS_I386 },	 { "i686", SYSCALLS_I386 }, { "aarch64", SYSCALLS_GENERIC },
	{ "riscv64", SYSCALLS_GENERIC },
};

enum syscall_machine syscall_machine_of(const char *machine)
{
	for (size_t i = 0; i < sizeof(machines) / sizeof(machines[0]); i++) {
		if (!strcmp(machines[i].name, machine))
			return machines[i].machine;
	}
	return SYSCALLS_UNKNOWN;
}

const struct syscall *syscall_find(enum syscall_machine machine, int64_t number)
{
	if (machine == SYSCALLS_UNKNOWN || number < 0)
		return NULL;
	for (size_t i = 0; i < sizeof(syscalls) / sizeof(syscalls[0]); i++) {
		if (syscalls[i].numbers[machine] == number)
			return &syscalls[i];
	}
	return NULL;
}
