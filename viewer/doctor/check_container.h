/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Checks what a container forbids its programs. Each function fills in an empty @verdict.
 */
#ifndef ANNOT_DOCTOR_CHECK_CONTAINER_H
#define ANNOT_DOCTOR_CHECK_CONTAINER_H

#include "doctor/machine.h"
#include "doctor/verdict.h"

void doctor_check_container(const struct machine *machine, struct verdict *verdict);
void doctor_check_seccomp(const struct machine *machine, struct verdict *verdict);
void doctor_check_sysfs(const struct machine *machine, struct verdict *verdict);

#endif /* ANNOT_DOCTOR_CHECK_CONTAINER_H */
