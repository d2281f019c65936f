// SPDX-License-Identifier: GPL-2.0
#include "record/stacks.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>

#include <uapi/annot.h>

#include "attach/program.h"
#include "record/log/mmap_log.h"
#include "record/stack_tables.h"
#include "util/diag.h"
#include "util/xalloc.h"

/* @changed: processes that have mapped something since the module was told of them */
struct stacks {
	int ctl_fd;
	int error; /* the first with which the module refused ranges */
	struct stack_tables *tables;
	pid_t *changed;
	size_t nr;
	size_t capacity;
};

/* What it maps, in ascending order of address. */
struct range_list {
	struct annot_unwind_range *ranges;
	size_t nr;
	size_t capacity;
};

static void add_program(struct stacks *stacks, const char *command)
{
	struct attach_program program;

	attach_program_open(&program, command);
	for (size_t i = 0; i < program.libraries.nr; i++) {
		const struct library *library = &program.libraries.items[i];

		if (library->path)
			stack_tables_add_file(stacks->tables, library->path);
		/* That of a library is the same, if it has one. */
		if (library->file.interpreter)
			stack_tables_add_file(stacks->tables, library->file.interpreter);
	}
	attach_program_close(&program);
}

struct stacks *stacks_open(int ctl_fd, const char *command)
{
	struct stacks *stacks = xcalloc(1, sizeof(*stacks));

	stacks->ctl_fd = ctl_fd;
	stacks->tables = stack_tables_open(ctl_fd);
	if (command)
		add_program(stacks, command);
	return stacks;
}

static void note_changed(struct stacks *stacks, pid_t tgid)
{
	for (size_t i = 0; i < stacks->nr; i++) {
		if (stacks->changed[i] == tgid)
			return;
	}
	ARRAY_MAKE_ROOM(stacks->changed, stacks->nr, stacks->capacity);
	stacks->changed[stacks->nr++] = tgid;
}

void stacks_hear(void *context, const struct mapping *mapping)
{
	note_changed(context, mapping->tgid);
}

static void add_range(struct range_list *list, struct annot_unwind_range range)
{
	ARRAY_MAKE_ROOM(list->ranges, list->nr, list->capacity);
	list->ranges[list->nr++] = range;
}

static void read_maps(struct stacks *stacks, pid_t tgid, struct range_list *list)
{
	char path[32], *line = NULL;
	size_t size = 0;
	FILE *maps;

	snprintf(path, sizeof(path), "/proc/%d/maps", tgid);
	maps = fopen(path, "re");
	if (!maps)
		return;
	while (getline(&line, &size, maps) > 0 && list->nr < ANNOT_UNWIND_RANGES_MAX) {
		struct mapping mapping;

		/* The kernel's own page for calls is no memory of the process. */
		if (!mmap_log_parse_maps(line, &mapping) || !strcmp(mapping.path, "[vsyscall]"))
			continue;
		mapping.tgid = tgid;
		add_range(list, stack_tables_range(stacks->tables, &mapping));
	}
	free(line);
	fclose(maps);
}

/* A process may end at any time: then nothing is missing. */
static void tell_ranges(struct stacks *stacks, pid_t tgid)
{
	struct range_list list = { 0 };
	struct annot_unwind_ranges ranges = { .tgid = tgid };

	read_maps(stacks, tgid, &list);
	ranges.ranges = (uint64_t)(uintptr_t)list.ranges;
	ranges.nr = (uint32_t)list.nr;
	if (list.nr && ioctl(stacks->ctl_fd, ANNOT_IOC_UNWIND_RANGES, &ranges) && errno != ESRCH &&
	    !stacks->error)
		stacks->error = errno;
	free(list.ranges);
}

/* One that was forked before its parent's ranges were told has none yet, and maps nothing new. */
static void note_children(struct stacks *stacks, pid_t tgid)
{
	char path[64];
	FILE *children;
	pid_t child;

	snprintf(path, sizeof(path), "/proc/%d/task/%d/children", tgid, tgid);
	children = fopen(path, "re");
	if (!children)
		return;
	while (fscanf(children, "%d", &child) == 1)
		note_changed(stacks, child);
	fclose(children);
}

void stacks_update(struct stacks *stacks)
{
	for (size_t i = 0; i < stacks->nr; i++) {
		tell_ranges(stacks, stacks->changed[i]);
		note_children(stacks, stacks->changed[i]);
	}
	stacks->nr = 0;
}

static void print_missing(const struct stacks *stacks)
{
	int error = stack_tables_error(stacks->tables);

	if (stack_tables_pass_over(stacks->tables))
		diag_warn(
			"record: not all stacks are whole: files of code in a FUSE filesystem are not read");
	if (!error)
		error = stacks->error;
	if (error == EBUSY)
		diag_warn(
			"record: there are no stacks: another program takes stacks with annot.ko");
	else if (error)
		diag_warn("record: not all stacks are whole: annot.ko refused tables for them: %s",
			  strerror(error));
}

void stacks_close(struct stacks *stacks)
{
	if (!stacks)
		return;
	print_missing(stacks);
	stack_tables_close(stacks->tables);
	free(stacks->changed);
	free(stacks);
}
