// SPDX-License-Identifier: GPL-2.0
/*
 * /dev/annot/ctl: read() gives the state as text, mmap() the control page; the set of events to be
 * measured comes by ioctl(), and goes with the file.
 */
#include <linux/fs.h>
#include <linux/mm.h>
#include <linux/module.h>

#include <uapi/annot.h>

#include "annot.h"
#include "compat.h"

static ssize_t annot_ctl_read(struct file *file, char __user *to, size_t length, loff_t *pos)
{
	char text[96];
	int bytes;

	bytes = scnprintf(text, sizeof(text), "abi %d\nmodule %s\nrecording %d\ncounters %u\n",
			  ANNOT_ABI_VERSION, ANNOT_MODULE_VERSION, annot_is_recording(),
			  annot_pmu_counters());
	return simple_read_from_buffer(to, length, pos, text, bytes);
}

static vm_fault_t control_fault(struct vm_fault *vmf)
{
	if (vmf->pgoff)
		return VM_FAULT_SIGBUS;
	vmf->page = annot_control_page();
	get_page(vmf->page);
	return 0;
}

static const struct vm_operations_struct control_vm_ops = {
	.fault = control_fault,
};

static int annot_ctl_mmap(struct file *file, struct vm_area_struct *vma)
{
	if (vma->vm_flags & VM_WRITE)
		return -EPERM;
	if (vma->vm_pgoff || vma_pages(vma) != 1)
		return -EINVAL;
	/* Nor may mprotect() make it writable later. */
	annot_vm_flags_clear(vma, VM_MAYWRITE);
	vma->vm_ops = &control_vm_ops;
	return 0;
}

static long annot_ctl_ioctl(struct file *file, unsigned int command, unsigned long argument)
{
	if (command != ANNOT_IOC_EVENTS)
		return -ENOTTY;
	return annot_events_set(file, (const void __user *)argument);
}

static int annot_ctl_release(struct inode *inode, struct file *file)
{
	annot_events_release(file);
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
