/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Reads numbers and blobs of a trace file's head, from the file or from a section in memory. Each
 * function that fails has printed a message with the offset; its caller only returns -1.
 */
#ifndef ANNOT_TRACE_FILE_INPUT_H
#define ANNOT_TRACE_FILE_INPUT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

struct input {
	const char *path;
	FILE *stream;
	char *memory; /* memory that the stream reads, if not the file; owned */
	const char *what; /* the part being read, for messages: "event formats" */
	uint64_t start; /* offset of the stream's first byte in the file, for messages */
	uint64_t size; /* bytes in the stream */
	bool swap; /* the file has the other byte order */
};

/* The stream is a duplicate of @fd, positioned at the file's start. */
int input_open_file(struct input *input, const char *path, int fd, uint64_t size);

/* Takes ownership of @memory, which was read from offset @start of the file. */
void input_open_memory(struct input *input, const char *path, char *memory, size_t size,
		       uint64_t start);
void input_close(struct input *input);

uint64_t input_tell(const struct input *input);
uint64_t input_remaining(const struct input *input);

int input_bytes(struct input *input, void *bytes, size_t size);
/* Moves to @offset, where @what begins. */
int input_seek(struct input *input, uint64_t offset, const char *what);
int input_skip(struct input *input, uint64_t size);
int input_u8(struct input *input, uint8_t *value);
int input_u16(struct input *input, uint16_t *value);
int input_u32(struct input *input, uint32_t *value);
int input_u64(struct input *input, uint64_t *value);

/* Reads a NUL-terminated string of at most @capacity bytes, including the NUL. */
int input_string(struct input *input, char *string, size_t capacity);

/* Reads @size bytes into new memory, followed by a NUL; free() it. NULL on failure. */
char *input_blob(struct input *input, uint64_t size);

/* Prints "<path>: damaged <what> at offset N: <message>". Returns -1. */
int input_damaged(const struct input *input, const char *message);

#endif /* ANNOT_TRACE_FILE_INPUT_H */
