/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The device files: /dev/annot/ctl and /dev/annot/cpuN.
 */
#ifndef ANNOT_KMOD_DEVICE_H
#define ANNOT_KMOD_DEVICE_H

#include <linux/fs.h>

/* @ctl, @cpu: what can be done with the files. */
int annot_devices_create(const struct file_operations *ctl, const struct file_operations *cpu);
void annot_devices_destroy(void);

/* The N of the /dev/annot/cpuN with this inode. */
unsigned int annot_device_cpu(const struct inode *inode);

#endif /* ANNOT_KMOD_DEVICE_H */
