// SPDX-License-Identifier: GPL-2.0
/*
 * The switch: ftrace itself. Enabling one of our events, by whatever tool, makes its tracepoint
 * call annot_recording_get(); the last one disabled turns recording off again. User space sees it
 * in the control page.
 *
 * The calls come with the tracepoints' mutex held, and may come before annot_recording_init() and
 * after annot_recording_exit(): the events exist for as long as the module's text does.
 */
#include <linux/gfp.h>
#include <linux/mm.h>
#include <linux/mutex.h>

#include <trace/events/annot.h>

#include "annot.h"
#include "ring.h"

/* What user space is told. */
unsigned int annot_recording_word;

static struct annot_control *control; /* NULL outside init..exit */

/* Of annot_batch, and of the events that tell annotations one by one, how many are enabled. */
static unsigned int nr_batched;
static unsigned int nr_single;

/* Annotations are to cut slices. */
static bool is_counting;

/* Guards all of these. Innermost, but for the lock of annot_hooks_update(). */
static DEFINE_MUTEX(recording_lock);

static u32 word_now(void)
{
	if (nr_single)
		return ANNOT_RECORDING_WRITES;
	if (!nr_batched)
		return ANNOT_RECORDING_OFF;
	return is_counting ? ANNOT_RECORDING_CALLS : ANNOT_RECORDING_RINGS;
}

static void publish(void)
{
	WRITE_ONCE(annot_recording_word, word_now());
	if (control)
		WRITE_ONCE(control->recording, annot_recording_word);
	annot_hooks_update();
}

static int change(unsigned int *nr, int by)
{
	mutex_lock(&recording_lock);
	*nr += by;
	publish();
	mutex_unlock(&recording_lock);
	return 0;
}

int annot_recording_get(void)
{
	return change(&nr_single, 1);
}

void annot_recording_put(void)
{
	change(&nr_single, -1);
}

int annot_recording_get_batches(void)
{
	return change(&nr_batched, 1);
}

void annot_recording_put_batches(void)
{
	change(&nr_batched, -1);
}

void annot_recording_set_counting(bool counting)
{
	mutex_lock(&recording_lock);
	is_counting = counting;
	publish();
	mutex_unlock(&recording_lock);
	if (counting)
		annot_drain_close_everywhere();
}

bool annot_recording_has_batches(void)
{
	return READ_ONCE(nr_batched);
}

void annot_recording_lose_clock(void)
{
	WRITE_ONCE(control->clock, ANNOT_CLOCK_NONE);
}

void *annot_control_page(void)
{
	return control;
}

int annot_recording_init(void)
{
	struct annot_control *page = (void *)get_zeroed_page(GFP_KERNEL);

	if (!page)
		return -ENOMEM;
	page->version = ANNOT_ABI_VERSION;
	page->oldest_version = ANNOT_ABI_OLDEST_VERSION;
	page->clock = annot_clock_kind();
	page->record_bytes = sizeof(struct annot_record);
	page->ring_bytes = ANNOT_RING_BYTES;
	page->features = ANNOT_FEATURE_CALLS;
	if (page->clock != ANNOT_CLOCK_NONE)
		page->features |= ANNOT_FEATURE_RINGS;
	if (IS_ENABLED(CONFIG_PERF_EVENTS))
		page->features |= ANNOT_FEATURE_EVENTS;

	mutex_lock(&recording_lock);
	control = page;
	publish();
	mutex_unlock(&recording_lock);
	return 0;
}

void annot_recording_exit(void)
{
	struct annot_control *page;

	mutex_lock(&recording_lock);
	page = control;
	control = NULL;
	mutex_unlock(&recording_lock);
	free_page((unsigned long)page);
}
