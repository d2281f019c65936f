/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Names of the general registers, in the order that perf records them (asm/perf_regs.h).
 */
#ifndef ANNOT_REGISTERS_H
#define ANNOT_REGISTERS_H

#include <stddef.h>
#include <stdint.h>

#define REGISTER_NAME_BYTES 16

/* Of a machine that is not known here: "r0", "r1", ... */
void register_name(const char *machine, size_t at, char name[REGISTER_NAME_BYTES]);

/* Bit i: register i may hold the address of data. Of a machine that is not known, all of them. */
uint64_t registers_of_addresses(const char *machine);

#endif /* ANNOT_REGISTERS_H */
