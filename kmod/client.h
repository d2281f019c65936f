/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What the module keeps of a process that has rings or names: its client. A client has the names
 * that its records refer to, and a ring for each CPU of which the process has mapped one.
 */
#ifndef ANNOT_KMOD_CLIENT_H
#define ANNOT_KMOD_CLIENT_H

#include <linux/atomic.h>
#include <linux/refcount.h>
#include <linux/types.h>
#include <linux/workqueue.h>

#include <uapi/annot.h>

#include "account.h"
#include "ftrace/events.h"
#include "names.h"

struct annot_client;
struct mm_struct;
struct signal_struct;

/*
 * The ring of one process on one CPU.
 *
 * @client:	the ring holds a reference
 * @cpu:	whose ring it is
 * @nr_vmas:	number of mappings; more than one only while mremap() is being refused
 * @shared:	the memory that user space has mapped: a page that begins with struct annot_ring,
 *		then the records. Nothing in it is to be trusted. Only the page tables of the
 *		mapping refer to it: once they are gone, user space cannot reach it in any way.
 * @tail:	how many bytes have been taken, counted as annot_ring.head counts them
 * @granted:	how far user space may write: the value that annot_ring.limit was set to
 * @drained_at:	nothing that is now in the ring was written before these ticks
 * @dropped:	how much of annot_ring.dropped is in the trace
 * @is_closing:	the ring was closed while its writer may have been in the middle of a record.
 *		That record may still come, and goes to all who record since then.
 *
 * The fields from @tail on are used on @cpu with interrupts off, and nowhere else. While @cpu is
 * offline they are used under the lock of CPU hotplug.
 */
struct annot_cpu_ring {
	struct annot_client *client;
	unsigned int cpu;
	atomic_t nr_vmas;
	struct annot_ring *shared;
	u64 tail;
	u64 granted;
	u64 drained_at;
	u64 dropped;
	bool is_closing;
	struct rcu_work free_work;
};

/*
 * A process that has rings or names, as long as it runs one program: exec() ends the client.
 *
 * @signal:	whose client it is: what the threads of a process share. The kernel keeps it until
 *		the last thread is gone. It is compared, and followed for the caller's own process
 *		only.
 * @mm:		the memory of the program, in which the rings are mapped; used as @signal. exec()
 *		makes another one while the process still has this.
 * @exec_id:	task_struct.self_exec_id of the program's threads
 * @refs:	one for being findable, and one for each ring
 * @nr_rings:	number of mapped rings
 * @lost:	by ANNOT_LOST_*: number of lost records that are not in the trace yet
 * @rings:	by CPU; read under RCU
 */
struct annot_client {
	struct hlist_node node;
	struct signal_struct *signal;
	struct mm_struct *mm;
	u64 exec_id;
	refcount_t refs;
	atomic_t nr_rings;
	atomic_t lost[ANNOT_NR_LOST_REASONS];
	struct annot_account account;
	struct annot_names names;
	struct rcu_work free_work;
	struct annot_cpu_ring *rings[];
};

/* Frees clients and rings, after RCU's grace period. */
extern struct workqueue_struct *annot_client_free_queue;

int annot_clients_init(void);
void annot_clients_exit(void);

/*
 * The client of the calling process, made if there is none, or an error pointer. It stays for as
 * long as the caller neither exits nor executes another program. Context: process.
 */
struct annot_client *annot_client_get_own(void);

/* Or NULL. Valid under RCU; of the caller's own process, valid as annot_client_get_own()'s. */
struct annot_client *annot_client_find(struct signal_struct *signal);

/* The process has ended, or runs another program from now on. Context: any but NMI. */
void annot_client_forget(struct signal_struct *signal);

/* Whether the calling thread is the last of a process with a client without a mapped ring. */
bool annot_client_is_over(void);

void annot_client_put(struct annot_client *client);

/* Calls @use with up to @max clients at a time, until it had all that there are. May sleep. */
void annot_clients_visit(unsigned int max,
			 void (*use)(struct annot_client **clients, unsigned int nr));

#endif /* ANNOT_KMOD_CLIENT_H */
