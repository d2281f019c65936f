/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Where the kernels that we build for differ.
 */
#ifndef ANNOT_COMPAT_H
#define ANNOT_COMPAT_H

#include <linux/mm.h>
#include <linux/version.h>

/* class->devnode() takes a const device since 6.2. */
#if LINUX_VERSION_CODE < KERNEL_VERSION(6, 2, 0)
#define annot_devnode_device struct device
#else
#define annot_devnode_device const struct device
#endif

/* vm_flags is written through helpers since 6.3. */
static inline void annot_vm_flags_clear(struct vm_area_struct *vma, unsigned long flags)
{
#if LINUX_VERSION_CODE < KERNEL_VERSION(6, 3, 0)
	vma->vm_flags &= ~flags;
#else
	vm_flags_clear(vma, flags);
#endif
}

static inline void annot_vm_flags_set(struct vm_area_struct *vma, unsigned long flags)
{
#if LINUX_VERSION_CODE < KERNEL_VERSION(6, 3, 0)
	vma->vm_flags |= flags;
#else
	vm_flags_set(vma, flags);
#endif
}

#endif /* ANNOT_COMPAT_H */
