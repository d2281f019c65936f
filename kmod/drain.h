/* SPDX-License-Identifier: GPL-2.0 */
/*
 * From the rings into the trace.
 */
#ifndef ANNOT_KMOD_DRAIN_H
#define ANNOT_KMOD_DRAIN_H

#include "client.h"

struct task_struct;

/* Number of records that a ring holds at most, however large a page is. */
#define ANNOT_RING_RECORDS_MAX 128

int annot_drain_init(void);
void annot_drain_exit(void);

/* Takes the ring of @task. Context: the sched_switch tracepoint; @task is being switched away. */
void annot_drain_outgoing(struct task_struct *task);

/* Takes all rings. Context: process; sleeps. */
void annot_drain_everywhere(void);

/*
 * Closes all rings: each process comes to the kernel for its next annotation. What the rings hold
 * goes into the trace if batches are recorded, or else nowhere. Context: process; sleeps.
 */
void annot_drain_close_everywhere(void);

/* Takes the current thread's ring. Context: a task. */
void annot_drain_own(void);

/* As above, for a caller that knows its @client. Context: a task, interrupts off. */
void annot_drain_before_call(struct annot_client *client);

/* Takes the current thread's ring, then opens it. Return: ANNOT_DRAIN_*. Context: a task. */
long annot_drain_and_open(void);

/* The ring's last mapping is gone. Context: process. */
void annot_drain_unmapped(struct annot_cpu_ring *ring);

/* Emits annot_lost for what the current process has lost. Context: a task. */
void annot_drain_emit_lost(void);

/*
 * Counts what the rings of the current process still hold as lost. Context: the task in exec(),
 * once it has its new memory.
 */
void annot_drain_give_up(void);

/*
 * If the calling thread is the last of its process and no ring is mapped any more: tells what was
 * lost, and forgets the client. Context: a task.
 */
void annot_drain_end_client(void);

#endif /* ANNOT_KMOD_DRAIN_H */
