/* SPDX-License-Identifier: GPL-2.0 */
/*
 * mmap() of /dev/annot/cpuN.
 */
#ifndef ANNOT_KMOD_RING_H
#define ANNOT_KMOD_RING_H

#include <linux/fs.h>

int annot_ring_mmap(struct file *file, struct vm_area_struct *vma);

#endif /* ANNOT_KMOD_RING_H */
