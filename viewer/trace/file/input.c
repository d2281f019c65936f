// SPDX-License-Identifier: GPL-2.0
#include "trace/file/input.h"

#include <byteswap.h>
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "util/diag.h"
#include "util/xalloc.h"

int input_open_file(struct input *input, const char *path, int fd, uint64_t size)
{
	int copy = dup(fd);

	*input = (struct input){ .path = path, .what = "head", .size = size };
	if (copy >= 0)
		input->stream = fdopen(copy, "r");
	if (!input->stream) {
		if (copy >= 0)
			close(copy);
		return diag_error("%s: %s", path, strerror(errno));
	}
	rewind(input->stream);
	return 0;
}

void input_open_memory(struct input *input, const char *path, char *memory, size_t size,
		       uint64_t start)
{
	*input = (struct input){
		.path = path,
		.what = "section",
		.memory = memory,
		.start = start,
		.size = size,
	};
	if (size)
		input->stream = fmemopen(memory, size, "r");
}

void input_close(struct input *input)
{
	if (input->stream)
		fclose(input->stream);
	free(input->memory);
	input->stream = NULL;
	input->memory = NULL;
}

uint64_t input_tell(const struct input *input)
{
	off_t at = input->stream ? ftello(input->stream) : 0;

	return at < 0 ? 0 : (uint64_t)at;
}

uint64_t input_remaining(const struct input *input)
{
	uint64_t at = input_tell(input);

	return at < input->size ? input->size - at : 0;
}

static int input_ended_early(const struct input *input)
{
	return diag_error("%s: truncated in its %s, at offset %" PRIu64, input->path, input->what,
			  input->start + input_tell(input));
}

int input_damaged(const struct input *input, const char *message)
{
	return diag_error("%s: damaged %s at offset %" PRIu64 ": %s", input->path, input->what,
			  input->start + input_tell(input), message);
}

int input_bytes(struct input *input, void *bytes, size_t size)
{
	if (!input->stream || fread(bytes, 1, size, input->stream) != size)
		return input_ended_early(input);
	return 0;
}

int input_seek(struct input *input, uint64_t offset, const char *what)
{
	input->what = what;
	if (offset >= input->size)
		return diag_error("%s: truncated: its %s would be at offset %" PRIu64
				  ", the file has %" PRIu64 " bytes",
				  input->path, what, offset, input->size);
	if (fseeko(input->stream, (off_t)offset, SEEK_SET))
		return diag_error("%s: %s", input->path, strerror(errno));
	return 0;
}

int input_skip(struct input *input, uint64_t size)
{
	if (size > input_remaining(input))
		return input_ended_early(input);
	if (size && fseeko(input->stream, (off_t)size, SEEK_CUR))
		return diag_error("%s: %s", input->path, strerror(errno));
	return 0;
}

int input_u8(struct input *input, uint8_t *value)
{
	return input_bytes(input, value, sizeof(*value));
}

int input_u16(struct input *input, uint16_t *value)
{
	if (input_bytes(input, value, sizeof(*value)))
		return -1;
	if (input->swap)
		*value = bswap_16(*value);
	return 0;
}

int input_u32(struct input *input, uint32_t *value)
{
	if (input_bytes(input, value, sizeof(*value)))
		return -1;
	if (input->swap)
		*value = bswap_32(*value);
	return 0;
}

int input_u64(struct input *input, uint64_t *value)
{
	if (input_bytes(input, value, sizeof(*value)))
		return -1;
	if (input->swap)
		*value = bswap_64(*value);
	return 0;
}

int input_string(struct input *input, char *string, size_t capacity)
{
	for (size_t i = 0; i < capacity; i++) {
		if (input_bytes(input, &string[i], 1))
			return -1;
		if (!string[i])
			return 0;
	}
	return input_damaged(input, "a string has no end");
}

char *input_blob(struct input *input, uint64_t size)
{
	char *blob;

	if (size > input_remaining(input)) {
		input_ended_early(input);
		return NULL;
	}
	blob = xcalloc(size + 1, 1);
	if (size && input_bytes(input, blob, size)) {
		free(blob);
		return NULL;
	}
	return blob;
}
