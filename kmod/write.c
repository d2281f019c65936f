// SPDX-License-Identifier: GPL-2.0
/*
 * write() to /dev/annot/cpuN: text lines become events, all of them or none.
 *
 * Whose they are and where it ran is what the kernel knows of the writer, not what the text or
 * the file's number says. That there is one file a CPU keeps the writers apart.
 */
#include <linux/fs.h>
#include <linux/mm.h>
#include <linux/sched.h>
#include <linux/slab.h>
#include <linux/uio.h>

#include "annot.h"
#include "parse.h"
#include "ring.h"

/* Holds the longest line, if it is not padded; a write up to this size allocates nothing. */
#define SMALL_WRITE_BYTES 544

/* Batches need the name's id, which the process is given as if it had asked for it. */
static void emit_in_batch(const struct annot_item *item)
{
	struct annot_client *client = annot_client_get_own();
	struct annot_name_entry *entry = NULL;

	if (!IS_ERR(client) && item->name)
		entry = annot_name_add(client, item->name, strlen(item->name));
	if (IS_ERR(client) || IS_ERR(entry))
		annot_emit_lost(1, ANNOT_LOST_BAD_NAME, current->tgid);
	else
		annot_emit_in_batch(client, entry, item);
}

/* One recording may want the one form, another the other. */
static void emit(const struct annot_line *line)
{
	struct annot_item item = {
		.value = line->value,
		.name = line->op == ANNOT_OP_END ? NULL : line->name,
		.op = line->op,
		.has_value = line->has_value,
	};

	annot_emit(&item);
	if (annot_wants_batches())
		emit_in_batch(&item);
}

/* What is counted between the two is the span's alone, but for the ways into and out of here. */
static void emit_and_count(const struct annot_line *line)
{
	if (line->op == ANNOT_OP_END)
		annot_slice_cut(ANNOT_COUNTED_TO_END);
	emit(line);
	if (line->op == ANNOT_OP_BEGIN || line->op == ANNOT_OP_WAIT_BEGIN)
		annot_slice_cut(ANNOT_COUNTED_TO_BEGIN);
}

static int apply(const char *text, size_t length)
{
	struct annot_line line;
	long nr_lines = annot_parse_text(text, length, &line);

	if (nr_lines < 0)
		return nr_lines;
	if (READ_ONCE(annot_config_due))
		annot_config_emit_due();
	/* What the thread has in its ring came before. */
	annot_drain_own();
	annot_drain_tell_lost();
	if (nr_lines == 1) {
		emit_and_count(&line);
		return 0;
	}
	while (nr_lines--) {
		long consumed = annot_parse_line(text, length, &line);

		emit_and_count(&line);
		text += consumed;
		length -= consumed;
		cond_resched();
	}
	return 0;
}

static ssize_t apply_iter(struct iov_iter *from, size_t length, char *text)
{
	int err;

	if (!copy_from_iter_full(text, length, from))
		return -EFAULT;
	err = apply(text, length);
	return err ? err : length;
}

static ssize_t apply_large(struct iov_iter *from, size_t length)
{
	char *text = kvmalloc(length, ANNOT_GFP_USER);
	ssize_t ret;

	if (!text)
		return -ENOMEM;
	ret = apply_iter(from, length, text);
	kvfree(text);
	return ret;
}

/* The pieces of a writev() are one text. */
ssize_t annot_cpu_write_iter(struct kiocb *iocb, struct iov_iter *from)
{
	size_t length = iov_iter_count(from);
	char small[SMALL_WRITE_BYTES];

	/* Not what a thread of the kernel writes for somebody: nobody knows for whom. */
	if (current->flags & PF_KTHREAD)
		return -EINVAL;
	if (!annot_is_recording())
		return length;
	if (length > ANNOT_WRITE_MAX_BYTES)
		return -EMSGSIZE;
	if (length > sizeof(small))
		return apply_large(from, length);
	return apply_iter(from, length, small);
}
