// SPDX-License-Identifier: GPL-2.0
/*
 * All tables belong to one open file of /dev/annot/ctl.
 */
#include <linux/capability.h>
#include <linux/err.h>
#include <linux/fs.h>
#include <linux/mutex.h>
#include <linux/uaccess.h>

#include <uapi/annot.h>

#include "stack/intern.h"
#include "stack/ioctl.h"
#include "stack/processes.h"
#include "stack/ranges.h"
#include "stack/scratch.h"
#include "stack/table.h"

/* Guards what is below, and who begins and ends the numbering of stacks. */
static DEFINE_MUTEX(stack_lock);
static const struct file *owner;
static struct annot_stack_table *tables[ANNOT_UNWIND_TABLES_MAX];
static u32 nr_tables;

static int stacks_begin(void)
{
	int err = annot_stacks_begin();

	if (err)
		return err;
	err = annot_stack_scratch_begin();
	if (err)
		goto no_scratch;
	err = annot_stack_processes_begin();
	if (err)
		goto no_processes;
	return 0;

no_processes:
	annot_stack_scratch_end();
no_scratch:
	annot_stacks_end();
	return err;
}

/* @file owns the tables, or nobody did. */
static int owner_take(const struct file *file)
{
	int err;

	if (owner)
		return owner == file ? 0 : -EBUSY;
	err = stacks_begin();
	if (!err)
		owner = file;
	return err;
}

static long table_add(struct annot_stack_table *table)
{
	if (nr_tables == ANNOT_UNWIND_TABLES_MAX)
		return -ENOSPC;
	tables[nr_tables++] = table;
	return nr_tables;
}

long annot_stack_ioctl_table(struct file *file, const void __user *argument)
{
	struct annot_unwind_table asked;
	struct annot_stack_table *table;
	long ret;

	if (!perfmon_capable())
		return -EPERM;
	if (copy_from_user(&asked, argument, sizeof(asked)))
		return -EFAULT;
	table = annot_stack_table_make(&asked);
	if (IS_ERR(table))
		return PTR_ERR(table);
	mutex_lock(&stack_lock);
	ret = owner_take(file);
	if (!ret)
		ret = table_add(table);
	mutex_unlock(&stack_lock);
	if (ret < 0)
		annot_stack_table_put(table);
	return ret;
}

static long ranges_use(const struct annot_unwind_ranges *asked)
{
	struct annot_stack_ranges *ranges = NULL;

	if (asked->nr) {
		ranges = annot_stack_ranges_make(asked, tables, nr_tables);
		if (IS_ERR(ranges))
			return PTR_ERR(ranges);
	}
	return annot_stack_processes_set(asked->tgid, ranges);
}

long annot_stack_ioctl_ranges(struct file *file, const void __user *argument)
{
	struct annot_unwind_ranges asked;
	long ret;

	if (!perfmon_capable())
		return -EPERM;
	if (copy_from_user(&asked, argument, sizeof(asked)))
		return -EFAULT;
	if (asked.nr > ANNOT_UNWIND_RANGES_MAX || asked.tgid <= 0)
		return -EINVAL;
	mutex_lock(&stack_lock);
	ret = owner_take(file);
	if (!ret)
		ret = ranges_use(&asked);
	mutex_unlock(&stack_lock);
	return ret;
}

void annot_stack_ioctl_release(struct file *file)
{
	mutex_lock(&stack_lock);
	if (owner == file) {
		annot_stack_processes_end();
		while (nr_tables)
			annot_stack_table_put(tables[--nr_tables]);
		/* It waits for all that walk. */
		annot_stacks_end();
		annot_stack_scratch_end();
		owner = NULL;
	}
	mutex_unlock(&stack_lock);
}

int annot_stack_init(void)
{
	return annot_stack_ranges_init();
}

/* No file is open any more: nothing is left but what RCU waits for. */
void annot_stack_exit(void)
{
	annot_stack_ranges_exit();
}
