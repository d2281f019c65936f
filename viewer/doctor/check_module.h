/* SPDX-License-Identifier: GPL-2.0 */
/*
 * annot.ko: is it loaded, installed and loadable, and does the kernel demand a signature? Each function fills a @verdict that was empty.
 */
#ifndef ANNOT_DOCTOR_CHECK_MODULE_H
#define ANNOT_DOCTOR_CHECK_MODULE_H

#include "doctor/machine.h"
#include "doctor/verdict.h"

void doctor_check_module(const struct machine *machine, struct verdict *verdict);
void doctor_check_signing(const struct machine *machine, struct verdict *verdict);
void doctor_check_lockdown(const struct machine *machine, struct verdict *verdict);

#endif /* ANNOT_DOCTOR_CHECK_MODULE_H */
