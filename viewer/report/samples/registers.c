// SPDX-License-Identifier: GPL-2.0
#include "report/samples/registers.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

static const char *const x86_names[] = {
	"ax", "bx", "cx", "dx", "si", "di",  "bp",  "sp",  "ip",  "flags", "cs",  "ss", "ds",
	"es", "fs", "gs", "r8", "r9", "r10", "r11", "r12", "r13", "r14",   "r15", NULL,
};

static const char *const arm64_names[] = {
	"x0",  "x1",  "x2",  "x3",  "x4",  "x5",  "x6",	 "x7",	"x8",  "x9",  "x10", "x11",
	"x12", "x13", "x14", "x15", "x16", "x17", "x18", "x19", "x20", "x21", "x22", "x23",
	"x24", "x25", "x26", "x27", "x28", "x29", "lr",	 "sp",	"pc",  NULL,
};

static const char *const riscv_names[] = {
	"pc", "ra", "sp", "gp", "tp",  "t0",  "t1", "t2", "s0", "s1", "a0",
	"a1", "a2", "a3", "a4", "a5",  "a6",  "a7", "s2", "s3", "s4", "s5",
	"s6", "s7", "s8", "s9", "s10", "s11", "t3", "t4", "t5", "t6", NULL,
};

static const char *const without_addresses[] = { "ip", "pc", "flags", "cs", "ss",
						 "ds", "es", "fs",    "gs", NULL };

static const struct {
	const char *machine;
	const char *const *names;
} machines[] = {
	{ "x86_64", x86_names },    { "i386", x86_names },	{ "i686", x86_names },
	{ "aarch64", arm64_names }, { "riscv64", riscv_names },
};

static const char *const *names_of(const char *machine)
{
	for (size_t i = 0; i < sizeof(machines) / sizeof(machines[0]); i++) {
		if (!strcmp(machines[i].machine, machine))
			return machines[i].names;
	}
	return NULL;
}

void register_name(const char *machine, size_t at, char name[REGISTER_NAME_BYTES])
{
	const char *const *names = names_of(machine);

	for (size_t i = 0; names && names[i]; i++) {
		if (i == at) {
			snprintf(name, REGISTER_NAME_BYTES, "%s", names[i]);
			return;
		}
	}
	snprintf(name, REGISTER_NAME_BYTES, "r%zu", at);
}

static bool is_listed(const char *const *names, const char *name)
{
	for (size_t i = 0; names[i]; i++) {
		if (!strcmp(names[i], name))
			return true;
	}
	return false;
}

uint64_t registers_of_addresses(const char *machine)
{
	const char *const *names = names_of(machine);
	uint64_t bits = 0;

	if (!names)
		return UINT64_MAX;
	for (size_t i = 0; names[i]; i++) {
		if (!is_listed(without_addresses, names[i]))
			bits |= 1ull << i;
	}
	return bits;
}
