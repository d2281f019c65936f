/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A plain file in the place of trace_marker_raw, read back. It holds the events without what
 * ftrace adds to each, so one follows from the other's length; what cannot be ends the test.
 */
#ifndef TESTS_RAW_FILE_H
#define TESTS_RAW_FILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct raw_annotation {
	uint64_t process;
	int32_t tgid;
	int32_t tid;
	uint64_t ns; /* CLOCK_MONOTONIC */
	uint64_t ticks;
	int64_t value;
	bool has_value;
	uint8_t op;
	char name[256]; /* "" for an end */
};

struct raw_file {
	struct raw_annotation *annotations;
	size_t nr;
	size_t nr_batches; /* with annotations */
	size_t nr_hellos; /* without */
	size_t nr_paddings;
	size_t nr_names_told; /* counting each time */
	uint64_t nr_lost; /* told by the batches */
};

/* What is in @path now; raw_file_free() it. */
struct raw_file raw_file_read(const char *path);
struct raw_file raw_file_read_cut(const char *path); /* but for a part of an event at its end */
void raw_file_free(struct raw_file *file);

/* Those of one thread, in order, at most @max; how many there are. */
size_t raw_file_of_thread(const struct raw_file *file, int32_t tid, struct raw_annotation *of,
			  size_t max);

/* How many annotations @path holds now. */
size_t raw_file_count(const char *path);

#endif /* TESTS_RAW_FILE_H */
