// SPDX-License-Identifier: GPL-2.0
/*
 * A user may make the module hold as much memory as the user may lock: RLIMIT_MEMLOCK, together
 * with everything else that the kernel counts there (the buffers of perf and io_uring). A process
 * with CAP_IPC_LOCK has no limit. The allocations are also charged to the memory cgroup.
 */
#include <linux/capability.h>
#include <linux/cred.h>
#include <linux/sched/signal.h>
#include <linux/sched/user.h>

#include "account.h"

int annot_account_charge_pages(struct user_struct *user, unsigned long nr)
{
	unsigned long limit = rlimit(RLIMIT_MEMLOCK) >> PAGE_SHIFT;
	unsigned long used;

	used = atomic_long_add_return(nr, &user->locked_vm);
	if (used <= limit || capable(CAP_IPC_LOCK))
		return 0;
	annot_account_uncharge_pages(user, nr);
	return -ENOMEM;
}

void annot_account_uncharge_pages(struct user_struct *user, unsigned long nr)
{
	atomic_long_sub(nr, &user->locked_vm);
}

int annot_account_charge(struct annot_account *account, size_t bytes)
{
	unsigned long pages = DIV_ROUND_UP(account->bytes + bytes, PAGE_SIZE);
	int err = 0;

	if (pages > account->pages)
		err = annot_account_charge_pages(account->user, pages - account->pages);
	if (err)
		return err;
	account->bytes += bytes;
	account->pages = max(pages, account->pages);
	return 0;
}

void annot_account_open(struct annot_account *account)
{
	account->user = get_uid(current_user());
	account->bytes = 0;
	account->pages = 0;
}

void annot_account_close(struct annot_account *account)
{
	annot_account_uncharge_pages(account->user, account->pages);
	free_uid(account->user);
}
