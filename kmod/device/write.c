// SPDX-License-Identifier: GPL-2.0
/*
 * write() to /dev/annot/cpuN: text lines become events, all of them or none.
 *
 * The thread and the CPU of the events are those of the writer, as the kernel knows them. Neither
 * the text nor the number of the file says them. There is one file for each CPU so that writers
 * do not contend for one.
 */
#include <linux/fs.h>
#include <linux/mm.h>
#include <linux/sched.h>
#include <linux/slab.h>
#include <linux/uio.h>

#include "account.h"
#include "call_batch.h"
#include "client.h"
#include "ftrace/config.h"
#include "drain.h"
#include "ftrace/events.h"
#include "names.h"
#include "device/parse.h"
#include "pmu/slice.h"
#include "ftrace/recording.h"
#include "device/write.h"

/* Holds the longest line without padding. A write up to this size allocates nothing. */
#define SMALL_WRITE_BYTES 544

/* A batch needs the number of the name: it is registered as by ANNOT_IOC_NAME. */
static void write_emit_batch(const struct annot_item *item)
{
	struct annot_client *client = annot_client_get_own();
	struct annot_name_entry *entry = NULL;

	if (!IS_ERR(client) && item->name)
		entry = annot_names_add(&client->names, item->name, strlen(item->name));
	if (IS_ERR(client) || IS_ERR(entry))
		annot_events_emit_lost(1, ANNOT_LOST_BAD_NAME, current->tgid);
	else
		annot_call_batch_emit_one(client, entry, item);
}

/* One recording may want single annotations, another one batches. */
static void write_emit(const struct annot_line *line)
{
	struct annot_item item = {
		.value = line->value,
		.name = line->op == ANNOT_OP_END ? NULL : line->name,
		.op = line->op,
		.has_value = line->has_value,
	};

	annot_events_emit_item(&item);
	if (annot_events_want_batches())
		write_emit_batch(&item);
}

/* The counts between the two cuts are the span's alone, apart from the system calls themselves. */
static void write_emit_counted(const struct annot_line *line)
{
	if (line->op == ANNOT_OP_END)
		annot_pmu_slice_cut(ANNOT_ENDED_BY_END);
	write_emit(line);
	if (line->op == ANNOT_OP_BEGIN || line->op == ANNOT_OP_WAIT_BEGIN)
		annot_pmu_slice_cut(ANNOT_ENDED_BY_BEGIN);
}

static int write_apply(const char *text, size_t length)
{
	struct annot_line line;
	long nr_lines = annot_parse_text(text, length, &line);

	if (nr_lines < 0)
		return nr_lines;
	if (READ_ONCE(annot_config_due))
		annot_config_emit_due();
	/* The records in the ring of the thread are earlier. */
	annot_drain_own();
	annot_drain_emit_lost();
	if (nr_lines == 1) {
		write_emit_counted(&line);
		return 0;
	}
	while (nr_lines--) {
		long consumed = annot_parse_line(text, length, &line);

		write_emit_counted(&line);
		text += consumed;
		length -= consumed;
		cond_resched();
	}
	return 0;
}

static ssize_t write_apply_iter(struct iov_iter *from, size_t length, char *text)
{
	int err;

	if (!copy_from_iter_full(text, length, from))
		return -EFAULT;
	err = write_apply(text, length);
	return err ? err : length;
}

static ssize_t write_apply_large(struct iov_iter *from, size_t length)
{
	char *text = kvmalloc(length, ANNOT_GFP_USER);
	ssize_t ret;

	if (!text)
		return -ENOMEM;
	ret = write_apply_iter(from, length, text);
	kvfree(text);
	return ret;
}

/* The pieces of a writev() are one text. */
ssize_t annot_write_iter(struct kiocb *iocb, struct iov_iter *from)
{
	size_t length = iov_iter_count(from);
	char small[SMALL_WRITE_BYTES];

	/* A kernel thread writes for a process that is not known here. */
	if (current->flags & PF_KTHREAD)
		return -EINVAL;
	if (!annot_recording_state())
		return length;
	if (length > ANNOT_WRITE_MAX_BYTES)
		return -EMSGSIZE;
	if (length > sizeof(small))
		return write_apply_large(from, length);
	return write_apply_iter(from, length, small);
}
