/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The file of each CPU during a recording: OUTPUT.cpuN, with pages as the kernel returns them. They
 * are joined into the output at the end.
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
	struct cpu_file *files; /* one for each CPU; NULL: not open */
};

/*
 * Creates empty files and locks them, so that two recordings cannot write to the same output.
 * Returns 0, or -1 after one line on stderr.
 */
int cpu_files_open(struct cpu_files *files, const char *output, int nr_cpus);

/* The size of the file's whole pages. */
uint64_t cpu_file_bytes(const struct cpu_file *file, uint32_t page_bytes);

/* The sum over all files. */
uint64_t cpu_files_bytes(const struct cpu_files *files);

/* Removes the files that are empty. After a move that failed, the others stay. */
void cpu_files_remove_empty(struct cpu_files *files);
void cpu_files_remove(struct cpu_files *files);

void cpu_files_close(struct cpu_files *files);

#endif /* ANNOT_RECORD_READERS_CPU_FILES_H */
