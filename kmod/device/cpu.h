/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The file operations of /dev/annot/cpuN.
 */
#ifndef ANNOT_KMOD_CPU_H
#define ANNOT_KMOD_CPU_H

#include <linux/fs.h>

extern const struct file_operations annot_cpu_fops;

#endif /* ANNOT_KMOD_CPU_H */
