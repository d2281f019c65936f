/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What is recorded of each CPU until it is joined into the output: OUTPUT.cpuN, pages as they come
 * from the kernel.
 */
#ifndef ANNOT_RECORD_READERS_CPU_FILES_H
#define ANNOT_RECORD_READERS_CPU_FILES_H

#include <stdint.h>

struct cpu_file {
	int fd;
	char *path;
};

struct cpu_files {
	int nr;
	struct cpu_file *files; /* of CPU 0 and on; NULL: not open */
};

/*
 * Makes them, empty, and locks them: two recordings into one output would spoil each other's.
 * Returns 0, or -1 after one line on stderr.
 */
int cpu_files_open(struct cpu_files *files, const char *output, int nr_cpus);

/* How much of the file is whole pages. */
uint64_t cpu_file_bytes(const struct cpu_file *file, uint32_t page_bytes);

/* In all of them. */
uint64_t cpu_files_bytes(const struct cpu_files *files);

/* Removes what has nothing in it: of a move that failed, the rest stays. */
void cpu_files_remove_empty(struct cpu_files *files);
void cpu_files_remove(struct cpu_files *files);

void cpu_files_close(struct cpu_files *files);

#endif /* ANNOT_RECORD_READERS_CPU_FILES_H */
