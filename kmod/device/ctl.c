// SPDX-License-Identifier: GPL-2.0
/*
 * /dev/annot/ctl: read() gives the state as text, mmap() the control page, ioctl() sets the
 * events that are measured and the tables by which stacks are walked. Both end when the file is
 * closed.
 */
#include <linux/fs.h>
#include <linux/mm.h>
#include <linux/module.h>

#include <uapi/annot.h>

#include "compat.h"
#include "device/control.h"
#include "device/ctl.h"
#include "pmu/pmu.h"
#include "pmu/ioctl.h"
#include "ftrace/recording.h"
#include "stack/ioctl.h"
#include "version.h"

static ssize_t annot_ctl_read(struct file *file, char __user *to, size_t length, loff_t *pos)
{
	char text[128];
	int bytes;

	bytes = scnprintf(text, sizeof(text),
			  "abi %d\nmodule %s\nrecording %d\ncounters %u\nthrottled_ns %llu\n",
			  ANNOT_ABI_VERSION, ANNOT_MODULE_VERSION, !!annot_recording_state(),
			  annot_pmu_nr_counters(), annot_pmu_throttled_ns());
	return simple_read_from_buffer(to, length, pos, text, bytes);
}

/*
 * Mapped as the rings are, and for the same reasons (ring.c): nobody can pin the page. The mapping
 * is exactly one page.
 */
static int annot_ctl_mmap(struct file *file, struct vm_area_struct *vma)
{
	unsigned long pfn;

	if (vma->vm_flags & VM_WRITE)
		return -EPERM;
	if (vma->vm_flags & VM_EXEC || vma->vm_pgoff || vma_pages(vma) != 1)
		return -EINVAL;
	/* mprotect() may not make it writable or executable later. */
	annot_vm_flags_clear(vma, VM_MAYWRITE | VM_MAYEXEC);
	annot_vm_flags_set(vma, VM_PFNMAP | VM_IO | VM_DONTEXPAND | VM_DONTDUMP);
	pfn = page_to_pfn(virt_to_page(annot_control_page()));
	return vmf_insert_pfn(vma, vma->vm_start, pfn) & VM_FAULT_ERROR ? -ENOMEM : 0;
}

static long annot_ctl_ioctl(struct file *file, unsigned int command, unsigned long argument)
{
	const void __user *from = (const void __user *)argument;

	switch (command) {
	case ANNOT_IOC_EVENTS:
		return annot_pmu_ioctl_events(file, from);
	case ANNOT_IOC_UNWIND_TABLE:
		return annot_stack_ioctl_table(file, from);
	case ANNOT_IOC_UNWIND_RANGES:
		return annot_stack_ioctl_ranges(file, from);
	default:
		return -ENOTTY;
	}
}

static int annot_ctl_release(struct inode *inode, struct file *file)
{
	annot_pmu_ioctl_release(file);
	annot_stack_ioctl_release(file);
	return 0;
}

const struct file_operations annot_ctl_fops = {
	.owner = THIS_MODULE,
	.read = annot_ctl_read,
	.mmap = annot_ctl_mmap,
	.unlocked_ioctl = annot_ctl_ioctl,
	.compat_ioctl = compat_ptr_ioctl,
	.release = annot_ctl_release,
	.llseek = default_llseek,
};
