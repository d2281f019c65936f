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

#include <uapi/annot.h>
#include <trace/events/annot.h>

#include "annot.h"
#include "ring.h"

/* How many of begin, end, mark, counter and batch are enabled. */
unsigned int annot_nr_enabled_events;

static struct annot_control *control; /* NULL outside init..exit */

/* Guards both. Innermost, but for the lock of annot_hooks_update(). */
static DEFINE_MUTEX(recording_lock);

static void publish(void)
{
	if (control)
		WRITE_ONCE(control->recording, annot_is_recording());
	annot_hooks_update();
}

int annot_recording_get(void)
{
	mutex_lock(&recording_lock);
	WRITE_ONCE(annot_nr_enabled_events, annot_nr_enabled_events + 1);
	publish();
	mutex_unlock(&recording_lock);
	return 0;
}

void annot_recording_put(void)
{
	mutex_lock(&recording_lock);
	WRITE_ONCE(annot_nr_enabled_events, annot_nr_enabled_events - 1);
	publish();
	mutex_unlock(&recording_lock);
}

struct page *annot_control_page(void)
{
	return virt_to_page(control);
}

int annot_recording_init(void)
{
	struct annot_control *page = (void *)get_zeroed_page(GFP_KERNEL);

	if (!page)
		return -ENOMEM;
	page->version = ANNOT_ABI_VERSION;
	page->clock = annot_clock_kind();
	page->record_bytes = sizeof(struct annot_record);
	page->ring_bytes = annot_ring_bytes();

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
