// SPDX-License-Identifier: GPL-2.0
#include "record/stack_tables.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "record/log/mapped_file.h"
#include "unwind/unwind_table.h"
#include "util/xalloc.h"

#define VDSO "[vdso]"
#define VDSO_MAX_BYTES 65536

/* A file, and what the module calls its table; 0: it has none. */
struct stack_file {
	dev_t device;
	ino_t inode;
	struct timespec changed;
	uint32_t number;
	struct unwind_table table; /* without its rows, once the module has them */
};

struct stack_tables {
	int ctl_fd;
	int error;
	struct stack_file *files;
	size_t nr;
	size_t capacity;
	struct stack_file vdso; /* no file, but the same in all processes */
	bool passes_over; /* files that may keep whoever opens them */
};

static void load_table(struct stack_tables *tables, struct stack_file *file)
{
	struct annot_unwind_table table = {
		.rows = (uint64_t)(uintptr_t)file->table.rows,
		.nr = (uint32_t)file->table.nr,
	};
	int number;

	if (!file->table.nr)
		return;
	number = file->table.nr > ANNOT_UNWIND_ROWS_MAX ?
			 -1 :
			 ioctl(tables->ctl_fd, ANNOT_IOC_UNWIND_TABLE, &table);
	if (number > 0)
		file->number = (uint32_t)number;
	else if (!tables->error)
		tables->error = number < 0 ? errno : EPROTO;
	free(file->table.rows);
	file->table.rows = NULL;
	file->table.nr = 0;
}

/* @elf: NULL: it is none. */
static void make_table(struct stack_tables *tables, struct stack_file *file, Elf *elf)
{
	if (!elf)
		return;
	unwind_table_make(&file->table, elf);
	elf_end(elf);
	load_table(tables, file);
}

/* All processes of a machine have the same as this one. */
static void add_vdso(struct stack_tables *tables)
{
	char *image = (char *)getauxval(AT_SYSINFO_EHDR);
	GElf_Ehdr header;
	Elf *elf = image ? elf_memory(image, sizeof(Elf64_Ehdr)) : NULL;
	bool is_elf = elf && gelf_getehdr(elf, &header);
	size_t bytes = is_elf ? header.e_shoff + (size_t)header.e_shnum * header.e_shentsize : 0;

	if (elf)
		elf_end(elf);
	if (bytes && bytes <= VDSO_MAX_BYTES)
		make_table(tables, &tables->vdso, elf_memory(image, bytes));
}

struct stack_tables *stack_tables_open(int ctl_fd)
{
	struct stack_tables *tables = xcalloc(1, sizeof(*tables));

	tables->ctl_fd = ctl_fd;
	elf_version(EV_CURRENT);
	add_vdso(tables);
	return tables;
}

void stack_tables_close(struct stack_tables *tables)
{
	if (!tables)
		return;
	for (size_t i = 0; i < tables->nr; i++)
		unwind_table_free(&tables->files[i].table);
	unwind_table_free(&tables->vdso.table);
	free(tables->files);
	free(tables);
}

bool stack_tables_pass_over(const struct stack_tables *tables)
{
	return tables->passes_over;
}

int stack_tables_error(const struct stack_tables *tables)
{
	return tables->error;
}

static struct stack_file *find_file(struct stack_tables *tables, const struct stat *st)
{
	for (size_t i = 0; i < tables->nr; i++) {
		struct stack_file *file = &tables->files[i];

		if (file->inode == st->st_ino && file->device == st->st_dev &&
		    file->changed.tv_sec == st->st_mtim.tv_sec &&
		    file->changed.tv_nsec == st->st_mtim.tv_nsec)
			return file;
	}
	return NULL;
}

static struct stack_file *add_file(struct stack_tables *tables, int fd, const struct stat *st)
{
	struct stack_file *file;

	ARRAY_MAKE_ROOM(tables->files, tables->nr, tables->capacity);
	file = &tables->files[tables->nr++];
	*file = (struct stack_file){
		.device = st->st_dev,
		.inode = st->st_ino,
		.changed = st->st_mtim,
	};
	/* Not mapped: it may be anybody's, who cuts it off meanwhile. */
	make_table(tables, file, elf_begin(fd, ELF_C_READ, NULL));
	return file;
}

/* Closes @fd. NULL: it is negative, or no file that can be read. */
static struct stack_file *need_file(struct stack_tables *tables, int fd)
{
	struct stack_file *file = NULL;
	struct stat st;

	if (fd < 0)
		return NULL;
	if (!fstat(fd, &st) && S_ISREG(st.st_mode)) {
		file = find_file(tables, &st);
		if (!file)
			file = add_file(tables, fd, &st);
	}
	close(fd);
	return file;
}

void stack_tables_add_file(struct stack_tables *tables, const char *path)
{
	need_file(tables, open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY));
}

static struct stack_file *file_of(struct stack_tables *tables, const struct mapping *mapping)
{
	int fd;

	if (!strcmp(mapping->path, VDSO))
		return &tables->vdso;
	if (mapping->path[0] != '/' || mapping->path[1] == '/')
		return NULL;
	fd = mapped_file_open(mapping);
	if (fd < 0 && errno == EXDEV)
		tables->passes_over = true;
	return need_file(tables, fd);
}

struct annot_unwind_range stack_tables_range(struct stack_tables *tables,
					     const struct mapping *mapping)
{
	const struct stack_file *file = file_of(tables, mapping);
	struct annot_unwind_range range = {
		.start = mapping->start,
		.end = mapping->start + mapping->length,
	};
	uint64_t base;

	if (file && file->number &&
	    unwind_table_mapped_base(&file->table, mapping->start, mapping->offset_bytes, &base)) {
		range.base = base;
		range.table = file->number;
	}
	return range;
}
