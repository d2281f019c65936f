// SPDX-License-Identifier: GPL-2.0
/*
 * /dev/annot/cpuN: its ioctl()s. write() and mmap() have files of their own.
 */
#include <linux/fs.h>
#include <linux/module.h>
#include <linux/sched.h>
#include <linux/uaccess.h>

#include <uapi/annot.h>

#include "device/calls.h"
#include "client.h"
#include "ftrace/config.h"
#include "device/cpu.h"
#include "drain.h"
#include "names.h"
#include "ftrace/recording.h"
#include "device/ring.h"
#include "device/write.h"

static long cpu_ioctl_name(const void __user *argument)
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
	entry = annot_names_add(&client->names, text, name.length_bytes);
	if (IS_ERR(entry))
		return PTR_ERR(entry);
	/* Even if batches are not recorded yet: later, the process may not come here again. */
	annot_names_emit(&client->names, entry);
	return entry->id;
}

static long annot_cpu_ioctl(struct file *file, unsigned int command, unsigned long argument)
{
	/* A filter by PID may let in only threads that use rings alone. */
	if (READ_ONCE(annot_config_due))
		annot_config_emit_due();
	if (current->flags & PF_KTHREAD)
		return -EINVAL;
	switch (command) {
	case ANNOT_IOC_RECORD:
		return annot_calls_record((const void __user *)argument);
	case ANNOT_IOC_NAME:
		return cpu_ioctl_name((const void __user *)argument);
	case ANNOT_IOC_DRAIN:
		return annot_drain_and_open();
	default:
		return -ENOTTY;
	}
}

const struct file_operations annot_cpu_fops = {
	.owner = THIS_MODULE,
	/* Without a position: threads that share the file do not wait for each other. */
	.open = stream_open,
	.write_iter = annot_write_iter,
	.mmap = annot_ring_mmap,
	.unlocked_ioctl = annot_cpu_ioctl,
	.compat_ioctl = compat_ptr_ioctl,
};
