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

/* How many bytes more fit on the disk, which has some left for others then. */
uint64_t spill_file_room_bytes(const struct spill_file *file);

/*
 * The @bytes at @start are 0. They may be touched without this, too; but then the kernel makes each page, and what it reads
 * ahead of it in a file without contents, one by one: that costs three times as much.
 */
void spill_file_prepare(const struct spill_file *file, const char *start, size_t bytes);

/* Of a file that is not watched. */
void spill_file_close(struct spill_file *file);

/* From now on no more than about @most_bytes of the file are in the process's memory. Returns 0, or an errno. */
int spill_file_watch(const struct spill_file *file, size_t most_bytes);

/* What is at @start is needed no more: the disk's blocks are free again. */
void spill_file_forget(char *start, size_t bytes);

#endif /* ANNOT_UTIL_SPILL_FILE_H */
