/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Limits: the memory that a user makes the module hold is charged to that user.
 */
#ifndef ANNOT_KMOD_ACCOUNT_H
#define ANNOT_KMOD_ACCOUNT_H

#include <linux/gfp.h>
#include <linux/types.h>

struct user_struct;

/*
 * Flags for memory that a process asks for. The memory is charged to the memory cgroup of the
 * process. If the cgroup is full, the allocation fails and no process is killed.
 */
#define ANNOT_GFP_USER (GFP_KERNEL_ACCOUNT | __GFP_RETRY_MAYFAIL | __GFP_NOWARN)

/* What is charged to a user for one client: whole pages for the sum of the bytes. */
struct annot_account {
	struct user_struct *user;
	size_t bytes;
	unsigned long pages;
};

/* Both charges return 0 or -ENOMEM. Context: the process that pays. */
int annot_account_charge_pages(struct user_struct *user, unsigned long nr);
void annot_account_uncharge_pages(struct user_struct *user, unsigned long nr);

void annot_account_open(struct annot_account *account);
int annot_account_charge(struct annot_account *account, size_t bytes);
void annot_account_close(struct annot_account *account);

#endif /* ANNOT_KMOD_ACCOUNT_H */
