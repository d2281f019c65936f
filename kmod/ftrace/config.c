// SPDX-License-Identifier: GPL-2.0
/*
 * What annot_config says in each recording: one event for the module, before its annotations, and
 * one for each event that is measured.
 *
 * Enabling the event is not yet recording. trace-cmd enables events first, while the ring buffer
 * still refuses everything, and switches the buffer on later, unseen by the module. So the texts
 * are noted as due, and are tried again until the buffer has taken them: by a work item, and before
 * the first annotation. The latter is needed because a filter (set_event_pid) may let in the
 * annotating thread and keep out the work item.
 *
 * Each recording (each ftrace instance) enables the event through a trace_event_file of its own.
 * It is valid until the event is disabled.
 */
#include <linux/cpumask.h>
#include <linux/jiffies.h>
#include <linux/list.h>
#include <linux/mutex.h>
#include <linux/slab.h>
#include <linux/workqueue.h>

#include <uapi/annot.h>

#include "ftrace/config.h"
#include "ftrace/events.h"
#include "version.h"

#define FIRST_RETRY_MS 1
#define OFTEN_RETRY_MS 20 /* while the recorder is likely to be starting */
#define OFTEN_JIFFIES (2 * HZ)
#define LAST_RETRY_MS 8000

/* A recording. It gets the module's text, then one for each event of the set. */
struct config_recording {
	struct list_head node;
	struct trace_event_file *file;
	u32 nr_texts_emitted; /* number of texts that it has got */
	bool wants_events; /* the set was put to use since, or before it began */
};

bool annot_config_due;

static char module_text[64];

static struct workqueue_struct *retry_queue;
static void config_retry(struct work_struct *work);
static DECLARE_DEFERRABLE_WORK(retry_work, config_retry);

/* Guards all below. Taken under the event mutex; nothing but the ring buffer is called under it. */
static DEFINE_MUTEX(config_lock);
static LIST_HEAD(recordings);
static const struct annot_config_text *event_texts;
static u32 nr_event_texts;
static int retry_ms;
static unsigned long often_until;
static bool is_closed = true; /* outside init..exit no work may be queued */

/* NULL: the recording has got all. */
static const char *recording_next_text(const struct config_recording *recording)
{
	if (!recording->nr_texts_emitted)
		return module_text;
	if (recording->wants_events && recording->nr_texts_emitted <= nr_event_texts)
		return event_texts[recording->nr_texts_emitted - 1].text;
	return NULL;
}

static void config_note_due(void)
{
	struct config_recording *recording;
	bool due = false;

	list_for_each_entry(recording, &recordings, node)
		due |= !!recording_next_text(recording);
	WRITE_ONCE(annot_config_due, due);
}

static void config_emit_due(void)
{
	struct config_recording *recording;
	const char *text;

	list_for_each_entry(recording, &recordings, node) {
		while ((text = recording_next_text(recording)) &&
		       annot_events_emit_config(recording->file, text))
			recording->nr_texts_emitted++;
	}
	config_note_due();
}

/* A buffer may stay off for days. The first annotation emits what is due as well. */
static int config_longest_wait_ms(void)
{
	return time_before(jiffies, often_until) ? OFTEN_RETRY_MS : LAST_RETRY_MS;
}

static void config_retry(struct work_struct *work)
{
	mutex_lock(&config_lock);
	config_emit_due();
	if (annot_config_due && !is_closed) {
		queue_delayed_work(retry_queue, &retry_work, msecs_to_jiffies(retry_ms));
		retry_ms = min(retry_ms * 2, config_longest_wait_ms());
	}
	mutex_unlock(&config_lock);
}

/* Something may be due. */
static void config_retry_soon(void)
{
	config_note_due();
	if (!annot_config_due || is_closed)
		return;
	retry_ms = FIRST_RETRY_MS;
	often_until = jiffies + OFTEN_JIFFIES;
	mod_delayed_work(retry_queue, &retry_work, 0);
}

void annot_config_emit_due(void)
{
	if (!mutex_trylock(&config_lock))
		return;
	config_emit_due();
	mutex_unlock(&config_lock);
}

void annot_config_set_events(const struct annot_config_text *texts, u32 nr)
{
	struct config_recording *recording;

	mutex_lock(&config_lock);
	event_texts = texts;
	nr_event_texts = nr;
	list_for_each_entry(recording, &recordings, node) {
		recording->nr_texts_emitted = min(recording->nr_texts_emitted, 1U);
		recording->wants_events = false;
	}
	config_note_due();
	mutex_unlock(&config_lock);
}

void annot_config_use_events(void)
{
	struct config_recording *recording;

	mutex_lock(&config_lock);
	list_for_each_entry(recording, &recordings, node)
		recording->wants_events = true;
	config_retry_soon();
	mutex_unlock(&config_lock);
}

static int config_add_recording(struct trace_event_file *file)
{
	struct config_recording *recording = kzalloc(sizeof(*recording), GFP_KERNEL);

	if (!recording)
		return -ENOMEM;
	recording->file = file;
	recording->wants_events = true;

	mutex_lock(&config_lock);
	list_add_tail(&recording->node, &recordings);
	config_retry_soon();
	mutex_unlock(&config_lock);
	return 0;
}

static void config_remove_recording(struct trace_event_file *file)
{
	struct config_recording *recording, *next;

	mutex_lock(&config_lock);
	list_for_each_entry_safe(recording, next, &recordings, node) {
		if (recording->file == file) {
			list_del(&recording->node);
			kfree(recording);
		}
	}
	config_note_due();
	mutex_unlock(&config_lock);
}

/*
 * Called with the event mutex held. As the callbacks in recording.c, it is also called after
 * annot_config_exit().
 */
static int config_event_reg(struct trace_event_call *call, enum trace_reg type, void *data)
{
	int err;

	if (type == TRACE_REG_UNREGISTER)
		config_remove_recording(data);
	err = trace_event_reg(call, type, data);
	if (!err && type == TRACE_REG_REGISTER) {
		err = config_add_recording(data);
		if (err)
			trace_event_reg(call, TRACE_REG_UNREGISTER, data);
	}
	return err;
}

int annot_config_init(void)
{
	retry_queue = alloc_workqueue("annot_config", WQ_UNBOUND, 1);
	if (!retry_queue)
		return -ENOMEM;
	snprintf(module_text, sizeof(module_text), "abi=%d module=%s cpus=%u", ANNOT_ABI_VERSION,
		 ANNOT_MODULE_VERSION, num_possible_cpus());
	mutex_lock(&config_lock);
	is_closed = false;
	mutex_unlock(&config_lock);
	annot_events_set_config_callback(config_event_reg);
	return 0;
}

void annot_config_exit(void)
{
	mutex_lock(&config_lock);
	is_closed = true;
	mutex_unlock(&config_lock);
	cancel_delayed_work_sync(&retry_work);
	destroy_workqueue(retry_queue);
}
