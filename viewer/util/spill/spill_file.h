/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A mapped file without a name, and a thread that takes its pages out of the process's memory when they are many. They are in the
 * kernel's cache or on the disk then, and come back when they are touched. One at a time, until the process ends: what is
 * mapped may be needed till then.
 *
 * When the disk is full, a page that is touched for the first time ends the process, with one line on stderr.
 */
#ifndef ANNOT_UTIL_SPILL_FILE_H
#define ANNOT_UTIL_SPILL_FILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct spill_file {
	char *start;
	size_t bytes; /* that are mapped; blocks of the disk are taken as they are touched */
	int fd; /* for its file system's free space */
};

/*
 * Makes a file in the directory @folder. Returns 0, or -1 if there is no such directory, it is in memory itself, it takes no
 * large files, or addresses are short; errno tells which.
 */
int spill_file_open(const char *folder, struct spill_file *file);

/* Whether @bytes more fit on the disk, with room for others. */
bool spill_file_has_room(const struct spill_file *file, size_t bytes);

/* From now on no more than about @most_bytes of the file are in the process's memory. Returns 0, or an errno. */
int spill_file_watch(const struct spill_file *file, size_t most_bytes);

/* What is at @start is needed no more: the disk's blocks are free again. */
void spill_file_forget(char *start, size_t bytes);

#endif /* ANNOT_UTIL_SPILL_FILE_H */
