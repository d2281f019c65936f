// SPDX-License-Identifier: GPL-2.0
/*
 * The switch: ftrace itself. When one of our events is enabled, by any tool, its tracepoint calls
 * annot_recording_get(). When the last one is disabled, recording ends. User space sees the state
 * in the control page.
 *
 * The calls come with the mutex of the tracepoints held. They may come before the module's init
 * and after its exit: the events exist for as long as the text of the module does.
 */
#include <linux/mutex.h>

#include <trace/events/annot.h>

#include "device/control.h"
#include "ftrace/recording.h"

/* The values that user space sees. */
u32 annot_recording_word;

/* How many of annot_batch, and of the four events of single annotations, are enabled. */
static unsigned int nr_batched;
static unsigned int nr_single;

static bool is_counting; /* annotations are to cut slices */
static void (*recording_listener)(void);

/* Guards all of these. The control page's lock and the listener's are taken under it. */
static DEFINE_MUTEX(recording_lock);

static u32 recording_compute(void)
{
	if (nr_single)
		return ANNOT_RECORDING_WRITES;
	if (!nr_batched)
		return ANNOT_RECORDING_OFF;
	return is_counting ? ANNOT_RECORDING_CALLS : ANNOT_RECORDING_RINGS;
}

static void recording_publish(void)
{
	WRITE_ONCE(annot_recording_word, recording_compute());
	annot_control_set_recording(annot_recording_word);
	if (recording_listener)
		recording_listener();
}

static void recording_add(unsigned int *nr, int by)
{
	mutex_lock(&recording_lock);
	*nr += by;
	recording_publish();
	mutex_unlock(&recording_lock);
}

int annot_recording_get(void)
{
	recording_add(&nr_single, 1);
	return 0;
}

void annot_recording_put(void)
{
	recording_add(&nr_single, -1);
}

int annot_recording_get_batches(void)
{
	recording_add(&nr_batched, 1);
	return 0;
}

void annot_recording_put_batches(void)
{
	recording_add(&nr_batched, -1);
}

void annot_recording_set_counting(bool counting)
{
	mutex_lock(&recording_lock);
	is_counting = counting;
	recording_publish();
	mutex_unlock(&recording_lock);
}

bool annot_recording_has_batches(void)
{
	return READ_ONCE(nr_batched);
}

void annot_recording_set_listener(void (*changed)(void))
{
	mutex_lock(&recording_lock);
	recording_listener = changed;
	mutex_unlock(&recording_lock);
}
