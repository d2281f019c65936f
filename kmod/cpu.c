// SPDX-License-Identifier: GPL-2.0
/*
 * /dev/annot/cpuN: its system calls but for write() and mmap(), which have files of their own.
 */
#include <linux/fs.h>
#include <linux/module.h>
#include <linux/sched.h>
#include <linux/uaccess.h>

#include <uapi/annot.h>

#include "annot.h"
#include "ring.h"

static long give_name(const void __user *argument)
{
	char text[ANNOT_NAME_MAX_BYTES];
	struct annot_name_entry *entry;
	struct annot_client *client;
	struct annot_name name;

	if (copy_from_user(&name, argument, sizeof(name)))
		return -EFAULT;
	if (name.length_bytes > sizeof(text) || name.reserved)
		return -EINVAL;
	if (copy_from_user(text, u64_to_user_ptr(name.text), name.length_bytes))
		return -EFAULT;
	client = annot_client_get_own();
	if (IS_ERR(client))
		return PTR_ERR(client);
	entry = annot_name_add(client, text, name.length_bytes);
	if (IS_ERR(entry))
		return PTR_ERR(entry);
	/* Even if batches are not wanted yet: when they are, nobody may look at it any more. */
	annot_name_tell(client, entry);
	return entry->id;
}

static long annot_cpu_ioctl(struct file *file, unsigned int command, unsigned long argument)
{
	/* A thread that only uses rings may be the only one that a filter lets in. */
	if (READ_ONCE(annot_config_due))
		annot_config_emit_due();
	if (current->flags & PF_KTHREAD)
		return -EINVAL;
	switch (command) {
	case ANNOT_IOC_RECORD:
		return annot_record_call((const void __user *)argument);
	case ANNOT_IOC_NAME:
		return give_name((const void __user *)argument);
	case ANNOT_IOC_DRAIN:
		return annot_drain_and_open();
	default:
		return -ENOTTY;
	}
}

const struct file_operations annot_cpu_fops = {
	.owner = THIS_MODULE,
	/* Without a position, threads that share the file do not wait for each other. */
	.open = stream_open,
	.write_iter = annot_cpu_write_iter,
	.mmap = annot_cpu_mmap,
	.unlocked_ioctl = annot_cpu_ioctl,
	.compat_ioctl = compat_ptr_ioctl,
};
