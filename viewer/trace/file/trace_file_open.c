// SPDX-License-Identifier: GPL-2.0
#include "trace/file/trace_file_open.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "trace/file/clock.h"
#include "trace/file/dat_ids.h"
#include "trace/file/head_v6.h"
#include "trace/file/head_v7.h"
#include "trace/file/input.h"
#include "util/diag.h"
#include "util/xalloc.h"

/* While it records, trace-cmd keeps what each CPU recorded in a file of its own: PATH.cpu0, ... */
static int cannot_open(const char *path, int error)
{
	char part[PATH_MAX];

	if (error == ENOENT && snprintf(part, sizeof(part), "%s.cpu0", path) < PATH_MAX &&
	    !access(part, F_OK))
		return diag_error(
			"%s: %s; but %s is there: trace-cmd still records, or was killed"
			" (trace-cmd restore -o OUTPUT FILE.cpu* makes a trace of such files)",
			path, strerror(error), part);
	return diag_error("%s: %s", path, strerror(error));
}

static bool is_part_of_recording(const char *path)
{
	const char *end = strrchr(path, '.');

	return end && !strncmp(end, ".cpu", 4) && end[4] && !end[4 + strspn(end + 4, "0123456789")];
}

static int open_regular(struct trace_file *file)
{
	struct stat st;

	/* O_NONBLOCK: a FIFO is to be refused, not waited for. */
	file->fd = open(file->path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	if (file->fd < 0)
		return cannot_open(file->path, errno);
	if (fstat(file->fd, &st))
		return diag_error("%s: %s", file->path, strerror(errno));
	if (S_ISDIR(st.st_mode))
		return diag_error("%s: is a directory, not a trace.dat", file->path);
	if (!S_ISREG(st.st_mode))
		return diag_error(
			"%s: is not a regular file: a trace.dat cannot be read from a pipe or device",
			file->path);
	if (!st.st_size)
		return diag_error("%s: is empty, not a trace.dat", file->path);
	file->size = (uint64_t)st.st_size;
	return 0;
}

static int read_magic(struct trace_file *file, struct input *input, char version[8])
{
	char head[DAT_MAGIC_BYTES];

	if (file->size < DAT_MAGIC_BYTES)
		return diag_error("%s: is not a trace.dat", file->path);
	if (input_bytes(input, head, sizeof(head)))
		return -1;
	if (memcmp(head, DAT_MAGIC, DAT_MAGIC_BYTES) && is_part_of_recording(file->path))
		return diag_error(
			"%s: is not a trace.dat, but a file of one CPU that trace-cmd writes "
			"while it records (trace-cmd restore -o OUTPUT FILE.cpu* makes a trace of such files)",
			file->path);
	if (memcmp(head, DAT_MAGIC, DAT_MAGIC_BYTES))
		return diag_error("%s: is not a trace.dat: it does not begin like one", file->path);
	return input_string(input, version, 8);
}

static int read_machine(struct trace_file *file, struct input *input)
{
	uint8_t big_endian, long_bytes;

	if (input_u8(input, &big_endian) || input_u8(input, &long_bytes))
		return -1;
	if (big_endian > 1)
		return input_damaged(input, "the byte order is neither 0 nor 1");
	if (long_bytes != 4 && long_bytes != 8)
		return input_damaged(input, "the word size is neither 4 nor 8");
	input->swap = big_endian != (__BYTE_ORDER__ == __ORDER_BIG_ENDIAN__);
	file->swap = input->swap;
	return input_u32(input, &file->page_bytes);
}

static bool has_data(const struct trace_file *file, int buffer)
{
	for (int i = 0; i < file->nr_cpus; i++) {
		if (file->cpus[i].buffer == buffer && file->cpus[i].size)
			return true;
	}
	return false;
}

/* The top one, or if nothing is in that, the first in which there is something. */
static int main_buffer(const struct trace_file *file)
{
	for (int i = 0; i < file->nr_buffers; i++) {
		if (!file->buffers[i].name[0] && has_data(file, i))
			return i;
	}
	for (int i = 0; i < file->nr_buffers; i++) {
		if (has_data(file, i))
			return i;
	}
	return 0;
}

static void leave_buffer_out(struct trace_file *file, int buffer)
{
	int nr = 0;

	for (int i = 0; i < file->nr_cpus; i++) {
		struct cpu_data data = file->cpus[i];

		if (data.buffer == buffer)
			continue;
		if (data.buffer > buffer)
			data.buffer--;
		file->cpus[nr++] = data;
	}
	file->nr_cpus = nr;
	file->nr_buffers--;
	memmove(&file->buffers[buffer], &file->buffers[buffer + 1],
		(size_t)(file->nr_buffers - buffer) * sizeof(*file->buffers));
}

/* Instances may have clocks of their own; events on one timeline have but one. */
static void choose_clock(struct trace_file *file)
{
	const struct trace_buffer chosen = file->buffers[main_buffer(file)];

	if (chosen.clock[0] && (chosen.name[0] || !strcmp(file->clock, "unknown")))
		memcpy(file->clock, chosen.clock, sizeof(file->clock));
	for (int i = file->nr_buffers - 1; i >= 0; i--) {
		if (!strcmp(file->buffers[i].clock, chosen.clock))
			continue;
		file->nr_buffers_left_out += has_data(file, i);
		leave_buffer_out(file, i);
	}
}

/* Concatenated files can only be read up to the seam. */
static int find_next_recording(struct trace_file *file, struct input *input)
{
	char head[DAT_MAGIC_BYTES];

	if (file->size < file->end + DAT_MAGIC_BYTES)
		return 0;
	if (input_seek(input, file->end, "end") || input_bytes(input, head, sizeof(head)))
		return -1;
	if (!memcmp(head, DAT_MAGIC, DAT_MAGIC_BYTES))
		file->next_recording = file->end;
	return 0;
}

/* Times that are not in nanoseconds would make every figure wrong. */
static int check_clock(const struct trace_file *file)
{
	const char *unfit = trace_clock_unfit(file->clock, file->tsc_mult);

	if (unfit)
		return diag_error("%s: was recorded with the clock \"%s\", which %s: record with "
				  "-C mono",
				  file->path, file->clock, unfit);
	return 0;
}

static int read_head(struct trace_file *file, struct input *input, event_format_fn on_format,
		     void *context)
{
	char version[8] = "";
	int err;

	if (read_magic(file, input, version))
		return -1;
	if (strcmp(version, "6") && strcmp(version, "7"))
		return diag_error("%s: is a trace.dat of an unknown version (6 and 7 are read)",
				  file->path);
	if (read_machine(file, input))
		return -1;
	file->has_sections = version[0] == '7';
	if (!file->has_sections)
		err = head_v6_read(file, input, on_format, context);
	else
		err = head_v7_read(file, input, on_format, context);
	if (err)
		return -1;
	if (!file->nr_cpus)
		return diag_error("%s: contains no buffer with events", file->path);
	choose_clock(file);
	return check_clock(file) || find_next_recording(file, input) ? -1 : 0;
}

int trace_file_open(struct trace_file *file, const char *path, event_format_fn on_format,
		    void *context)
{
	struct input input;
	int err;

	*file = (struct trace_file){
		.path = path,
		.fd = -1,
		.clock = "unknown",
		.text_lock = PTHREAD_MUTEX_INITIALIZER,
	};
	err = open_regular(file);
	if (!err)
		err = input_open_file(&input, path, file->fd, file->size);
	if (!err) {
		err = read_head(file, &input, on_format, context);
		input_close(&input);
	}
	if (err)
		trace_file_close(file);
	return err;
}

static char *read_text(struct trace_file *file, enum trace_file_text which)
{
	struct input input;
	char *text;

	if (input_open_file(&input, file->path, file->fd, file->size))
		return NULL;
	input.swap = file->swap;
	text = file->has_sections ? head_v7_text_read(file, &input, which) :
				    head_v6_text_read(file, &input, which);
	input_close(&input);
	return text;
}

char *trace_file_text(struct trace_file *file, enum trace_file_text which)
{
	char *text;

	if (!file->text_offsets[which])
		return xcalloc(1, 1);
	pthread_mutex_lock(&file->text_lock);
	text = read_text(file, which);
	pthread_mutex_unlock(&file->text_lock);
	return text;
}

void trace_file_close(struct trace_file *file)
{
	decompressor_free(file->decompressor);
	file->decompressor = NULL;
	free(file->cpus);
	file->cpus = NULL;
	free(file->buffers);
	file->buffers = NULL;
	if (file->fd >= 0)
		close(file->fd);
	file->fd = -1;
}
