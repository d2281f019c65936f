// SPDX-License-Identifier: GPL-2.0
/*
 * What a user may make the module hold: as much as the user may lock in memory, RLIMIT_MEMLOCK,
 * together with all else that the kernel counts so (perf's buffers, io_uring's). Whoever has
 * CAP_IPC_LOCK has no limit. Beside it, the allocations are charged to the memory cgroup.
 */
#include <linux/capability.h>
#include <linux/cred.h>
#include <linux/sched/signal.h>
#include <linux/sched/user.h>

#include "ring.h"

int annot_pages_charge(struct user_struct *user, unsigned long nr)
{
	unsigned long limit = rlimit(RLIMIT_MEMLOCK) >> PAGE_SHIFT;
	unsigned long used;

	used = atomic_long_add_return(nr, &user->locked_vm);
	if (used <= limit || capable(CAP_IPC_LOCK))
		return 0;
	annot_pages_uncharge(user, nr);
	return -ENOMEM;
}

void annot_pages_uncharge(struct user_struct *user, unsigned long nr)
{
	atomic_long_sub(nr, &user->locked_vm);
}

int annot_account_charge(struct annot_account *account, size_t bytes)
{
	unsigned long pages = DIV_ROUND_UP(account->bytes + bytes, PAGE_SIZE);
	int err = 0;

	if (pages > account->pages)
		err = annot_pages_charge(account->user, pages - account->pages);
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
	annot_pages_uncharge(account->user, account->pages);
	free_uid(account->user);
}
