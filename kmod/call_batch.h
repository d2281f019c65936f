/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Batches of annotations that came by system calls: they wait on their CPU, as records wait in a
 * ring.
 */
#ifndef ANNOT_KMOD_CALL_BATCH_H
#define ANNOT_KMOD_CALL_BATCH_H

#include "client.h"
#include "ftrace/events.h"

int annot_call_batch_init(void);
void annot_call_batch_exit(void);

/* Emits what the current thread has waiting on this CPU. Context: interrupts off. */
void annot_call_batch_flush(void);

/*
 * Adds @item of the current thread, with what was counted up to it, and gives it its time.
 * @entry: its name, or NULL. Context: of the process, interrupts off.
 */
void annot_call_batch_add(const struct annot_client *client, struct annot_name_entry *entry,
			  struct annot_item *item, const struct annot_counts *counts);

/* Emits a batch of this one. Context: of the process. */
void annot_call_batch_emit_one(struct annot_client *client, struct annot_name_entry *entry,
			       const struct annot_item *item);

#endif /* ANNOT_KMOD_CALL_BATCH_H */
