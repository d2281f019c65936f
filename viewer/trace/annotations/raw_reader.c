// SPDX-License-Identifier: GPL-2.0
#include "trace/annotations/raw_reader.h"

#include <stdlib.h>
#include <string.h>

#include "trace/annot_raw.h"
#include "trace/annotations/annotation_counts.h"
#include "util/hash.h"
#include "util/load.h"
#include "util/pair_table.h"
#include "util/xalloc.h"

#define TID_LIMIT (1 << 22) /* the kernel's PID_MAX_LIMIT */
#define DISPUTED (-1) /* two threads say that they are it */

/* What lies further from the event's own time is not a moment of the same clock. */
#define MAX_WRITE_NS 1000000000u

struct process {
	uint64_t key;
	uint32_t number; /* from 1 on; 0: a free slot */
};

struct raw_reader {
	struct annotation_names *annotation_names;
	struct trace_annotation_counts *counts;
	struct name_table *names; /* by the number of the process */
	struct process *processes; /* open addressing */
	size_t mask;
	uint32_t nr_processes;
	uint32_t *process_of_tid; /* as which a thread has written */
	size_t nr_tids;
	/* The thread that a process calls by a number; 0: not known. */
	struct pair_table called;
	int32_t *tid_of_called;
	size_t nr_called;
};

struct raw_reader *raw_reader_new(struct annotation_names *annotation_names,
				  struct trace_annotation_counts *counts)
{
	struct raw_reader *reader = xcalloc(1, sizeof(*reader));

	reader->annotation_names = annotation_names;
	reader->counts = counts;
	reader->names = name_table_new(annotation_names_strings(annotation_names));
	reader->mask = 63;
	reader->processes = xcalloc(reader->mask + 1, sizeof(*reader->processes));
	return reader;
}

void raw_reader_free(struct raw_reader *reader)
{
	if (!reader)
		return;
	name_table_free(reader->names);
	free(reader->processes);
	free(reader->process_of_tid);
	pair_table_free(&reader->called);
	free(reader->tid_of_called);
	free(reader);
}

/* The slot of @key, or the free one where it belongs. */
static struct process *find_slot(const struct raw_reader *reader, uint64_t key)
{
	size_t at = hash_slot(key, reader->mask);

	while (reader->processes[at].number && reader->processes[at].key != key)
		at = (at + 1) & reader->mask;
	return &reader->processes[at];
}

static void grow_reader(struct raw_reader *reader)
{
	struct process *before = reader->processes;
	size_t nr_slots = reader->mask + 1;

	reader->mask = nr_slots * 2 - 1;
	reader->processes = xcalloc(nr_slots * 2, sizeof(*reader->processes));
	for (size_t i = 0; i < nr_slots; i++) {
		if (before[i].number)
			*find_slot(reader, before[i].key) = before[i];
	}
	free(before);
}

static uint32_t process_number(struct raw_reader *reader, uint64_t key)
{
	struct process *slot = find_slot(reader, key);
	uint32_t number = slot->number;

	if (number)
		return number;
	number = ++reader->nr_processes;
	*slot = (struct process){ .key = key, .number = number };
	if (reader->nr_processes > reader->mask / 2)
		grow_reader(reader);
	return number;
}

static bool tid_can_be(int32_t tid)
{
	return tid > 0 && tid < TID_LIMIT;
}

static void remember_thread(struct raw_reader *reader, int32_t tid, uint32_t process)
{
	size_t nr = reader->nr_tids;

	if ((size_t)tid >= nr) {
		nr = grown_capacity(nr, (size_t)tid + 1);
		reader->process_of_tid = xrealloc_array(reader->process_of_tid, nr,
							sizeof(*reader->process_of_tid));
		memset(reader->process_of_tid + reader->nr_tids, 0,
		       (nr - reader->nr_tids) * sizeof(*reader->process_of_tid));
		reader->nr_tids = nr;
	}
	reader->process_of_tid[tid] = process;
}

void raw_reader_forget_thread(struct raw_reader *reader, int32_t tid)
{
	if (tid >= 0 && (size_t)tid < reader->nr_tids)
		reader->process_of_tid[tid] = 0;
}

static bool has_written(const struct raw_reader *reader, int32_t tid, uint32_t process)
{
	return (size_t)tid < reader->nr_tids && reader->process_of_tid[tid] == process;
}

static int32_t *thread_called(struct raw_reader *reader, uint32_t process, int32_t number)
{
	size_t at = pair_table_number(&reader->called, process, (uint32_t)number);
	size_t nr = reader->nr_called;

	if (at >= nr) {
		nr = grown_capacity(nr, at + 1);
		reader->tid_of_called = xrealloc_array(reader->tid_of_called, nr,
						       sizeof(*reader->tid_of_called));
		memset(reader->tid_of_called + reader->nr_called, 0,
		       (nr - reader->nr_called) * sizeof(*reader->tid_of_called));
		reader->nr_called = nr;
	}
	return &reader->tid_of_called[at];
}

/*
 * Thread @tid wrote as @process, and calls itself @number. If another live thread did so before,
 * the one whose tid is @number wins. If neither has it, the number is disputed, and its annotations
 * are dropped.
 */
static void learn_number(struct raw_reader *reader, uint32_t process, int32_t number, int32_t tid)
{
	int32_t *called = thread_called(reader, process, number);
	bool is_free = *called != DISPUTED && !has_written(reader, *called, process);

	if (is_free || tid == number)
		*called = tid;
	else if (*called != tid && *called != number)
		*called = DISPUTED;
}

/* 0: it has not written as @process. */
static int32_t tid_of_number(struct raw_reader *reader, uint32_t process, int32_t number)
{
	int32_t tid = tid_can_be(number) ? *thread_called(reader, process, number) : 0;

	return tid > 0 && has_written(reader, tid, process) ? tid : 0;
}

static struct annot_raw_moment read_moment(const struct raw_data *data, size_t offset)
{
	return (struct annot_raw_moment){
		.ticks = load_u64(data->bytes + offset, data->swap),
		.ns = load_u64(data->bytes + offset + 8, data->swap),
	};
}

/*
 * The event's own time, and what was read just before it. Where the trace's clock is that of the
 * moments, these are the better ones: the thread may have been preempted between the two.
 */
static struct batch_clock read_clock(const struct raw_data *data)
{
	struct annot_raw_moment until = read_moment(data, offsetof(struct annot_raw_batch, until));
	struct annot_raw_moment since = read_moment(data, offsetof(struct annot_raw_batch, since));
	struct batch_clock clock = {
		.now_ns = data->time_ns,
		.since_ticks = since.ticks,
		.until_ticks = until.ticks,
		.length_ns = until.ns - since.ns,
	};

	if (data->is_mono && until.ns <= data->time_ns && data->time_ns - until.ns < MAX_WRITE_NS)
		clock.now_ns = until.ns;
	return clock;
}

static bool clock_can_be(const struct raw_data *data)
{
	struct annot_raw_moment until = read_moment(data, offsetof(struct annot_raw_batch, until));
	struct annot_raw_moment since = read_moment(data, offsetof(struct annot_raw_batch, since));

	return since.ticks <= until.ticks && since.ns <= until.ns && until.ns <= INT64_MAX;
}

static bool mark_damaged(struct raw_reader *reader)
{
	annotation_counts_add_unreadable(reader->counts);
	return false;
}

static int32_t read_number(const struct raw_data *data, size_t offset)
{
	return (int32_t)load_u32(data->bytes + offset, data->swap);
}

static int32_t read_writer(const struct raw_data *data)
{
	int32_t writer = read_number(data, offsetof(struct annot_raw_batch, writer));

	return writer ? writer : data->tid;
}

/* The thread of the annotations; 0: it cannot be trusted. */
static int32_t read_owner(struct raw_reader *reader, const struct raw_data *data, uint32_t process)
{
	int32_t writer = read_writer(data);
	int32_t owner = read_number(data, offsetof(struct annot_raw_batch, tid));

	if (owner != writer)
		return tid_of_number(reader, process, owner);
	if (!tid_can_be(owner))
		return 0;
	learn_number(reader, process, owner, data->tid);
	remember_thread(reader, data->tid, process);
	return data->tid;
}

/* 0: in a PID namespace, a process whose first thread has not written. */
static int32_t read_tgid(struct raw_reader *reader, const struct raw_data *data, uint32_t process)
{
	int32_t tgid = read_number(data, offsetof(struct annot_raw_batch, tgid));

	return read_writer(data) == data->tid ? tgid : tid_of_number(reader, process, tgid);
}

static bool read_batch(struct raw_reader *reader, const struct raw_data *data, uint32_t process,
		       uint32_t nr, struct batch *batch)
{
	size_t head_bytes = sizeof(struct annot_raw_batch);
	int32_t owner;

	if (data->nr_bytes < head_bytes || !clock_can_be(data) || !tid_can_be(data->tid))
		return mark_damaged(reader);
	owner = read_owner(reader, data, process);
	if (!owner)
		return mark_damaged(reader);
	*batch = (struct batch){
		.swap = data->swap,
		.is_raw = true,
		.clock = read_clock(data),
		.names = reader->names,
		.table = process,
		.tid = data->tid,
		.owner_tid = owner == data->tid ? 0 : owner,
		.tgid = read_tgid(reader, data, process),
	};
	annotation_counts_add_lost(reader->counts, TRACE_ANNOTATION_OTHER,
				   load_u32(data->bytes + offsetof(struct annot_raw_batch, nr_lost),
					    data->swap));
	batch_begin(batch, (const char *)data->bytes + head_bytes, data->nr_bytes - head_bytes, nr,
		    reader->counts);
	return !batch_is_over(batch);
}

bool raw_data_next_name(const struct raw_data *data, size_t *at, struct raw_name *name)
{
	size_t text;

	if (!*at)
		*at = sizeof(struct annot_raw_head);
	text = *at + sizeof(struct annot_raw_name);
	if (text > data->nr_bytes)
		return false;
	name->number = load_u32(data->bytes + *at, data->swap);
	name->nr_bytes = data->bytes[*at + offsetof(struct annot_raw_name, nr_bytes)];
	name->text = (const char *)data->bytes + text;
	*at = text + name->nr_bytes;
	return name->nr_bytes && *at <= data->nr_bytes;
}

static void read_names(struct raw_reader *reader, const struct raw_data *data, uint32_t process,
		       uint32_t nr)
{
	struct raw_name name;
	size_t at = 0;

	for (; nr && raw_data_next_name(data, &at, &name); nr--)
		name_table_set(reader->names, process, name.number,
			       annotation_names_intern(reader->annotation_names, name.text,
						       name.nr_bytes));
	if (nr)
		mark_damaged(reader);
}

bool raw_data_is_annot(const struct raw_data *data)
{
	return data->nr_bytes >= 4 && load_u32(data->bytes, data->swap) == ANNOT_RAW_ID;
}

uint32_t raw_data_nr_names(const struct raw_data *data)
{
	if (!raw_data_is_annot(data) || data->nr_bytes < sizeof(struct annot_raw_head) ||
	    data->bytes[offsetof(struct annot_raw_head, kind)] != ANNOT_RAW_NAMES)
		return 0;
	return load_u16(data->bytes + offsetof(struct annot_raw_head, nr), data->swap);
}

bool raw_reader_read(struct raw_reader *reader, const struct raw_data *data, struct batch *batch)
{
	const uint8_t *bytes = data->bytes;
	uint32_t process, nr;

	if (!raw_data_is_annot(data))
		return false;
	if (data->nr_bytes < sizeof(struct annot_raw_head) ||
	    bytes[offsetof(struct annot_raw_head, version)] != ANNOT_RAW_VERSION)
		return mark_damaged(reader);
	nr = load_u16(bytes + offsetof(struct annot_raw_head, nr), data->swap);
	process = process_number(reader, load_u64(bytes + offsetof(struct annot_raw_head, process),
						  data->swap));
	switch (bytes[offsetof(struct annot_raw_head, kind)]) {
	case ANNOT_RAW_BATCH:
		return read_batch(reader, data, process, nr, batch);
	case ANNOT_RAW_NAMES:
		read_names(reader, data, process, nr);
		return false;
	case ANNOT_RAW_PADDING:
		return false;
	default:
		return mark_damaged(reader);
	}
}
