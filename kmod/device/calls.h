/* SPDX-License-Identifier: GPL-2.0 */
/*
 * ANNOT_IOC_RECORD of /dev/annot/cpuN.
 */
#ifndef ANNOT_KMOD_CALLS_H
#define ANNOT_KMOD_CALLS_H

#include <linux/compiler.h>

/* @argument: a struct annot_record. Return: ANNOT_RECORD_TAKEN or an error. Context: process. */
long annot_calls_record(const void __user *argument);

#endif /* ANNOT_KMOD_CALLS_H */
