// SPDX-License-Identifier: GPL-2.0
#include "record/readers/cpu_files.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "util/diag.h"
#include "util/xalloc.h"

static int open_file(struct cpu_file *file, const char *output, int cpu)
{
	if (asprintf(&file->path, "%s.cpu%d", output, cpu) < 0) {
		file->path = NULL;
		return diag_error("record: %s", strerror(ENOMEM));
	}
	file->fd = open(file->path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600);
	if (file->fd < 0)
		return diag_error("record: %s: %s", file->path, strerror(errno));
	/* A file system that knows no locks is no reason not to record. */
	if (flock(file->fd, LOCK_EX | LOCK_NB) && errno == EWOULDBLOCK)
		return diag_error("record: %s: another annot record writes to it", output);
	if (ftruncate(file->fd, 0))
		return diag_error("record: %s: %s", file->path, strerror(errno));
	return 0;
}

int cpu_files_open(struct cpu_files *files, const char *output, int nr_cpus)
{
	files->nr = nr_cpus;
	files->files = xcalloc((size_t)nr_cpus, sizeof(*files->files));
	for (int cpu = 0; cpu < nr_cpus; cpu++)
		files->files[cpu].fd = -1;
	for (int cpu = 0; cpu < nr_cpus; cpu++) {
		if (open_file(&files->files[cpu], output, cpu)) {
			/* Files that another process has locked are not removed. */
			files->nr = cpu;
			close(files->files[cpu].fd);
			free(files->files[cpu].path);
			cpu_files_remove(files);
			return -1;
		}
	}
	return 0;
}

static uint64_t file_bytes(const struct cpu_file *file)
{
	struct stat status;

	return fstat(file->fd, &status) ? 0 : (uint64_t)status.st_size;
}

uint64_t cpu_file_bytes(const struct cpu_file *file, uint32_t page_bytes)
{
	uint64_t bytes = file_bytes(file);

	return bytes - bytes % page_bytes;
}

uint64_t cpu_files_bytes(const struct cpu_files *files)
{
	uint64_t bytes = 0;

	for (int cpu = 0; cpu < files->nr; cpu++)
		bytes += file_bytes(&files->files[cpu]);
	return bytes;
}

void cpu_files_remove_empty(struct cpu_files *files)
{
	for (int cpu = 0; cpu < files->nr; cpu++) {
		if (!file_bytes(&files->files[cpu]))
			unlink(files->files[cpu].path);
	}
	cpu_files_close(files);
}

void cpu_files_remove(struct cpu_files *files)
{
	for (int cpu = 0; cpu < files->nr; cpu++)
		unlink(files->files[cpu].path);
	cpu_files_close(files);
}

void cpu_files_close(struct cpu_files *files)
{
	for (int cpu = 0; cpu < files->nr; cpu++) {
		close(files->files[cpu].fd);
		free(files->files[cpu].path);
	}
	free(files->files);
	*files = (struct cpu_files){ 0 };
}
