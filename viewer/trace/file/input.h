/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Reads numbers and blobs of a trace file's head, from the file or from a section in memory. Every
 * function that fails has said so on stderr, with the place: its caller only hands -1 on.
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
	char *memory; /* what the stream reads, when it is not the file; owned */
	const char *what; /* the part being read, for messages: "event formats" */
	uint64_t start; /* of the stream's first byte in the file, for messages */
	uint64_t size; /* bytes in the stream */
	bool swap; /* the file's byte order is not ours */
};

/* The stream is a duplicate of @fd and stands at the file's start. */
int input_open_file(struct input *input, const char *path, int fd, uint64_t size);

/* Takes over @memory, which came from @start of the file. */
void input_open_memory(struct input *input, const char *path, char *memory, size_t size,
		       uint64_t start);
void input_close(struct input *input);

uint64_t input_tell(const struct input *input);
uint64_t input_remaining(const struct input *input);

int input_bytes(struct input *input, void *bytes, size_t size);
/* To @offset, where @what stands. */
int input_seek(struct input *input, uint64_t offset, const char *what);
int input_skip(struct input *input, uint64_t size);
int input_u8(struct input *input, uint8_t *value);
int input_u16(struct input *input, uint16_t *value);
int input_u32(struct input *input, uint32_t *value);
int input_u64(struct input *input, uint64_t *value);

/* NUL-terminated, of at most @capacity bytes with the NUL. */
int input_string(struct input *input, char *string, size_t capacity);

/* @size bytes and a NUL after them, in new memory: free() it. NULL on failure. */
char *input_blob(struct input *input, uint64_t size);

/* "<path>: damaged <what> at offset N: <message>". Returns -1. */
int input_damaged(const struct input *input, const char *message);

#endif /* ANNOT_TRACE_FILE_INPUT_H */
