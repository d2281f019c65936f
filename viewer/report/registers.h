/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Names of the general registers, in the order that perf records them (asm/perf_regs.h).
 */
#ifndef ANNOT_REGISTERS_H
#define ANNOT_REGISTERS_H

#include <stddef.h>

#define REGISTER_NAME_BYTES 16

/* Of a machine that is not known here: "r0", "r1", ... */
void register_name(const char *machine, size_t at, char name[REGISTER_NAME_BYTES]);

#endif /* ANNOT_REGISTERS_H */
