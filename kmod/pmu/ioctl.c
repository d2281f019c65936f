// SPDX-License-Identifier: GPL-2.0
/*
 * ANNOT_IOC_EVENTS: the set of events, which belongs to an open file of /dev/annot/ctl.
 */
#include <linux/capability.h>
#include <linux/err.h>
#include <linux/fs.h>
#include <linux/slab.h>
#include <linux/string.h>
#include <linux/uaccess.h>

#include <uapi/annot.h>

#include "pmu/pmu.h"
#include "pmu/event.h"
#include "pmu/ioctl.h"
#include "pmu/set.h"

static int ioctl_check_events(const struct annot_event *asked, u32 nr)
{
	u32 i;
	int err;

	for (i = 0; i < nr; i++) {
		err = annot_pmu_event_check(&asked[i]);
		if (err)
			return err;
	}
	return 0;
}

static int ioctl_use_events(const struct file *file, const struct annot_events *head)
{
	size_t bytes = head->nr * sizeof(struct annot_event);
	void __user *to = u64_to_user_ptr(head->events);
	struct annot_event *asked = memdup_user(to, bytes);
	struct annot_pmu_set *set;
	int err;

	if (IS_ERR(asked))
		return PTR_ERR(asked);
	err = ioctl_check_events(asked, head->nr);
	if (err)
		goto out;
	set = annot_pmu_set_make(asked, head, file);
	if (IS_ERR(set)) {
		err = PTR_ERR(set);
		goto out;
	}
	/* The result is written back before the set is used: if that fails, nothing is used. */
	err = copy_to_user(to, asked, bytes) ? -EFAULT : annot_pmu_use_set(set, file);
	if (err)
		annot_pmu_set_free(set);
out:
	kfree(asked);
	return err;
}

long annot_pmu_ioctl_events(struct file *file, const void __user *argument)
{
	struct annot_events head;

	if (!perfmon_capable())
		return -EPERM;
	if (copy_from_user(&head, argument, sizeof(head)))
		return -EFAULT;
	if (head.nr > ANNOT_EVENTS_MAX || head.reserved || head.max_samples > S64_MAX)
		return -EINVAL;
	return head.nr ? ioctl_use_events(file, &head) : annot_pmu_use_set(NULL, file);
}

void annot_pmu_ioctl_release(struct file *file)
{
	annot_pmu_use_set(NULL, file);
}
