/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The file operations of /dev/annot/ctl.
 */
#ifndef ANNOT_KMOD_CTL_H
#define ANNOT_KMOD_CTL_H

#include <linux/fs.h>

extern const struct file_operations annot_ctl_fops;

#endif /* ANNOT_KMOD_CTL_H */
