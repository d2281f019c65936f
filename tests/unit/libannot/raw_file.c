// SPDX-License-Identifier: GPL-2.0
#include "raw_file.h"

#include <fcntl.h>
#include <setjmp.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "libannot_scenario.h"
#include "trace/annot_raw.h"
#include "uapi/annot.h"

#define MAX_NAMES 8192

struct name {
	uint64_t process;
	uint32_t number;
	char text[256];
};

struct reader {
	bool may_be_cut;
	jmp_buf cut;
	const char *at;
	const char *end;
	struct raw_file file;
	size_t nr_allocated;
	struct name *names;
	size_t nr_names;
};

static const void *take(struct reader *reader, size_t nr_bytes)
{
	const char *at = reader->at;

	if ((size_t)(reader->end - at) < nr_bytes) {
		check(reader->may_be_cut);
		longjmp(reader->cut, 1);
	}
	reader->at += nr_bytes;
	return at;
}

static struct name *find_name(struct reader *reader, uint64_t process, uint32_t number)
{
	size_t i;

	for (i = 0; i < reader->nr_names; i++)
		if (reader->names[i].number == number && reader->names[i].process == process)
			return &reader->names[i];
	return NULL;
}

static void read_name(struct reader *reader, uint64_t process)
{
	struct annot_raw_name head;
	struct name *name;

	memcpy(&head, take(reader, sizeof(head)), sizeof(head));
	check(head.number && head.nr_bytes);
	name = find_name(reader, process, head.number);
	if (!name) {
		check(reader->nr_names < MAX_NAMES);
		name = &reader->names[reader->nr_names++];
		*name = (struct name){ .process = process, .number = head.number };
		memcpy(name->text, take(reader, head.nr_bytes), head.nr_bytes);
	} else {
		/* a number means one name */
		check(strlen(name->text) == head.nr_bytes);
		check(!memcmp(name->text, take(reader, head.nr_bytes), head.nr_bytes));
	}
	reader->file.nr_names_told++;
}

static uint64_t ns_of(const struct annot_raw_batch *batch, uint64_t ticks)
{
	check(batch->since.ticks <= ticks && ticks <= batch->until.ticks);
	check(batch->since.ns <= batch->until.ns);
	return batch->until.ns - annot_raw_age_ns(batch->since.ticks, batch->until.ticks,
						  batch->until.ns - batch->since.ns, ticks);
}

static void add(struct reader *reader, const struct raw_annotation *annotation)
{
	struct raw_file *file = &reader->file;

	if (file->nr == reader->nr_allocated) {
		reader->nr_allocated = reader->nr_allocated * 2 + 1024;
		file->annotations = realloc(file->annotations,
					    reader->nr_allocated * sizeof(*file->annotations));
		check(file->annotations);
	}
	file->annotations[file->nr++] = *annotation;
}

static void read_record(struct reader *reader, const struct annot_raw_batch *batch)
{
	struct annot_raw_record record;
	struct raw_annotation annotation;
	const struct name *name;

	memcpy(&record, take(reader, sizeof(record)), sizeof(record));
	check(record.op <= ANNOT_OP_NEXT && !record.reserved);
	annotation = (struct raw_annotation){
		.process = batch->head.process,
		.tgid = batch->tgid,
		.tid = batch->tid,
		.ticks = record.ticks,
		.ns = ns_of(batch, record.ticks),
		.value = record.value,
		.has_value = record.flags & ANNOT_RECORD_HAS_VALUE,
		.op = record.op,
	};
	if (record.op != ANNOT_OP_END) {
		name = find_name(reader, batch->head.process, record.name);
		check(name); /* it was told before */
		strcpy(annotation.name, name->text);
	}
	add(reader, &annotation);
}

/* Where a batch goes on from the record before, that has the same time in both. */
static void check_goes_on(const struct reader *reader, const struct annot_raw_batch *batch)
{
	const struct raw_annotation *last = reader->file.annotations + reader->file.nr - 1;

	if (reader->file.nr && last->tid == batch->tid && last->ticks == batch->since.ticks)
		check(last->ns == batch->since.ns);
}

static void read_batch(struct reader *reader, const struct annot_raw_head *head)
{
	struct annot_raw_batch batch = { .head = *head };
	unsigned int i;

	memcpy((char *)&batch + sizeof(*head), take(reader, sizeof(batch) - sizeof(*head)),
	       sizeof(batch) - sizeof(*head));
	check(batch.tgid > 0 && batch.tid > 0 && batch.writer > 0);
	check_goes_on(reader, &batch);
	reader->file.nr_lost += batch.nr_lost;
	if (head->nr)
		reader->file.nr_batches++;
	else
		reader->file.nr_hellos++;
	for (i = 0; i < head->nr; i++)
		read_record(reader, &batch);
}

static void read_event(struct reader *reader)
{
	struct annot_raw_head head;
	unsigned int i;

	memcpy(&head, take(reader, sizeof(head)), sizeof(head));
	check(head.id == ANNOT_RAW_ID && head.version == ANNOT_RAW_VERSION);
	switch (head.kind) {
	case ANNOT_RAW_BATCH:
		read_batch(reader, &head);
		break;
	case ANNOT_RAW_NAMES:
		for (i = 0; i < head.nr; i++)
			read_name(reader, head.process);
		break;
	case ANNOT_RAW_PADDING:
		take(reader, ANNOT_RAW_MAX_BYTES - sizeof(head));
		reader->file.nr_paddings++;
		break;
	default:
		check(false);
	}
}

static char *read_all(const char *path, size_t *nr_bytes)
{
	int fd = open(path, O_RDONLY);
	struct stat status;
	char *bytes;

	check(fd >= 0 && !fstat(fd, &status));
	*nr_bytes = (size_t)status.st_size;
	bytes = malloc(*nr_bytes + 1);
	check(bytes && read(fd, bytes, *nr_bytes) == (ssize_t)*nr_bytes);
	close(fd);
	return bytes;
}

/* Of the last event, if it is cut, nothing counts. */
static void read_events(struct reader *reader)
{
	while (reader->at != reader->end) {
		volatile size_t nr_before = reader->file.nr;

		if (setjmp(reader->cut)) {
			reader->file.nr = nr_before;
			return;
		}
		read_event(reader);
	}
}

static struct raw_file read_file(const char *path, bool may_be_cut)
{
	struct reader reader = { .may_be_cut = may_be_cut,
				 .names = calloc(MAX_NAMES, sizeof(*reader.names)) };
	size_t nr_bytes;
	char *bytes = read_all(path, &nr_bytes);

	check(reader.names);
	reader.at = bytes;
	reader.end = bytes + nr_bytes;
	read_events(&reader);
	free(reader.names);
	free(bytes);
	return reader.file;
}

struct raw_file raw_file_read(const char *path)
{
	return read_file(path, false);
}

struct raw_file raw_file_read_cut(const char *path)
{
	return read_file(path, true);
}

void raw_file_free(struct raw_file *file)
{
	free(file->annotations);
	*file = (struct raw_file){ 0 };
}

size_t raw_file_of_thread(const struct raw_file *file, int32_t tid, struct raw_annotation *of,
			  size_t max)
{
	size_t i, nr = 0;

	for (i = 0; i < file->nr; i++) {
		if (file->annotations[i].tid != tid)
			continue;
		if (nr < max)
			of[nr] = file->annotations[i];
		nr++;
	}
	return nr;
}

size_t raw_file_count(const char *path)
{
	struct raw_file file = raw_file_read(path);
	size_t nr = file.nr;

	raw_file_free(&file);
	return nr;
}
