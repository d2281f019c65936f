/* SPDX-License-Identifier: GPL-2.0 */
#ifndef ANNOT_DOCTOR_HYPERVISOR_H
#define ANNOT_DOCTOR_HYPERVISOR_H

#include <stdbool.h>
#include <stddef.h>

#include "doctor/machine.h"

/* Whether the machine is virtual. @name, of @size bytes: what it calls itself, or "" if only the CPU shows it. */
bool machine_is_virtual(const struct machine *machine, char *name, size_t size);

#endif /* ANNOT_DOCTOR_HYPERVISOR_H */
