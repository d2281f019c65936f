/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Whether annotations are recorded, and by which way programs are to make them.
 *
 * The events' callbacks (annot_recording_get() and the others) are declared in
 * trace/events/annot.h.
 */
#ifndef ANNOT_KMOD_RECORDING_H
#define ANNOT_KMOD_RECORDING_H

#include <linux/compiler.h>
#include <linux/types.h>

#include <uapi/annot.h>

extern u32 annot_recording_word;

/* ANNOT_RECORDING_*. One load: all that a write() costs without a recording. Any context. */
static inline u32 annot_recording_state(void)
{
	return READ_ONCE(annot_recording_word);
}

/* Whether records may go into rings. Any context. */
static inline bool annot_recording_is_by_rings(void)
{
	return annot_recording_state() == ANNOT_RECORDING_RINGS;
}

/* Whether annot_batch is enabled, with rings or without. Any context. */
bool annot_recording_has_batches(void);

/*
 * Counting of slices begins or ends: annotations cut slices, or do so no longer. Rings that are
 * open stay open; the caller closes them. Context: process; sleeps.
 */
void annot_recording_set_counting(bool counting);

/*
 * From now on @changed is called whenever the answers above may have changed, with a lock held; it
 * must not sleep. NULL: no callback.
 */
void annot_recording_set_listener(void (*changed)(void));

#endif /* ANNOT_KMOD_RECORDING_H */
