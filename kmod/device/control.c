// SPDX-License-Identifier: GPL-2.0
/*
 * The control page, which user space maps read-only.
 *
 * Events may be enabled before annot_control_init() and after annot_control_exit(): they exist for
 * as long as the text of the module does. So the recording word is kept beside the page.
 */
#include <linux/compiler.h>
#include <linux/gfp.h>
#include <linux/mutex.h>

#include <uapi/annot.h>

#include "device/control.h"

/* Guards both. Innermost: no lock is taken under it. */
static DEFINE_MUTEX(control_lock);
static struct annot_control *control; /* NULL outside init..exit */
static u32 control_recording;

void annot_control_set_recording(u32 recording)
{
	mutex_lock(&control_lock);
	control_recording = recording;
	if (control)
		WRITE_ONCE(control->recording, recording);
	mutex_unlock(&control_lock);
}

void annot_control_lose_clock(void)
{
	WRITE_ONCE(control->clock, ANNOT_CLOCK_NONE);
}

void *annot_control_page(void)
{
	return control;
}

int annot_control_init(u32 clock)
{
	struct annot_control *page = (void *)get_zeroed_page(GFP_KERNEL);

	if (!page)
		return -ENOMEM;
	page->version = ANNOT_ABI_VERSION;
	page->oldest_version = ANNOT_ABI_OLDEST_VERSION;
	page->clock = clock;
	page->record_bytes = sizeof(struct annot_record);
	page->ring_bytes = ANNOT_RING_BYTES;
	page->features = ANNOT_FEATURE_CALLS | ANNOT_FEATURE_STACKS;
	if (page->clock != ANNOT_CLOCK_NONE)
		page->features |= ANNOT_FEATURE_RINGS;
	if (IS_ENABLED(CONFIG_PERF_EVENTS))
		page->features |= ANNOT_FEATURE_EVENTS;

	mutex_lock(&control_lock);
	page->recording = control_recording;
	control = page;
	mutex_unlock(&control_lock);
	return 0;
}

void annot_control_exit(void)
{
	struct annot_control *page;

	mutex_lock(&control_lock);
	page = control;
	control = NULL;
	mutex_unlock(&control_lock);
	free_page((unsigned long)page);
}
