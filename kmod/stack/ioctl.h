/* SPDX-License-Identifier: GPL-2.0 */
/*
 * ANNOT_IOC_UNWIND_TABLE, ANNOT_IOC_UNWIND_RANGES. May sleep, as all here.
 */
#ifndef ANNOT_KMOD_STACK_IOCTL_H
#define ANNOT_KMOD_STACK_IOCTL_H

struct file;

int annot_stack_init(void);
void annot_stack_exit(void);

long annot_stack_ioctl_table(struct file *file, const void __user *argument);
long annot_stack_ioctl_ranges(struct file *file, const void __user *argument);

/* @file is closed: what belongs to it goes. */
void annot_stack_ioctl_release(struct file *file);

#endif /* ANNOT_KMOD_STACK_IOCTL_H */
