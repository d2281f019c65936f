// SPDX-License-Identifier: GPL-2.0
#include "attach/program.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <sys/xattr.h>
#include <unistd.h>

#include "attach/fronts.h"
#include "attach/script.h"
#include "util/file_path.h"
#include "util/program_path.h"
#include "util/xalloc.h"

#define OWN_PATH "/proc/self/exe"

/* The kernel follows so many scripts, each the interpreter of the one before. */
#define MOST_SCRIPTS 5

/*
 * Whether the kernel sets AT_SECURE for it, so that the loader ignores LD_PRELOAD. What security modules do is
 * not known here.
 */
static bool gains_privileges(const char *path)
{
	struct stat status;
	struct statvfs system;

	if (stat(path, &status) || statvfs(path, &system) || system.f_flag & ST_NOSUID)
		return false;
	if ((status.st_mode & S_ISUID) && status.st_uid != getuid())
		return true;
	if ((status.st_mode & S_ISGID) && (status.st_mode & S_IXGRP) && status.st_gid != getgid())
		return true;
	return getuid() && getxattr(path, "security.capability", NULL, 0) > 0;
}

/* What annot runs with. */
static bool is_own_loader(const char *interpreter)
{
	struct elf_file own;
	bool is_own;

	if (elf_file_open(&own, OWN_PATH) != ELF_FILE_GOOD)
		return true;
	is_own = !own.interpreter ||
		 !strcmp(file_path_name(own.interpreter), file_path_name(interpreter));
	elf_file_close(&own);
	return is_own;
}

/* Why nothing can be loaded into a good file; NULL: it can. */
static char *find_problem(const struct elf_file *file, const char *path)
{
	if (file->header.e_type != ET_EXEC && file->header.e_type != ET_DYN)
		return xasprintf("%s is no program", path);
	if (!file->interpreter)
		return xasprintf("%s is statically linked: nothing can be preloaded", path);
	if (!is_own_loader(file->interpreter))
		return xasprintf(
			"%s has another C library, by its loader %s: the fronts cannot be loaded",
			path, file->interpreter);
	if (gains_privileges(path))
		return xasprintf(
			"%s gains privileges when it is run (setuid, setgid or capabilities): "
			"nothing can be preloaded",
			path);
	return NULL;
}

static char *describe_state(enum elf_file_state state, const char *path)
{
	switch (state) {
	case ELF_FILE_UNREADABLE:
		return xasprintf("%s cannot be read: %s", path, strerror(errno));
	case ELF_FILE_OTHER_WIDTH:
		return xasprintf("%s is a program of %d bits: the fronts are of %d", path,
				 sizeof(void *) == 8 ? 32 : 64, sizeof(void *) == 8 ? 64 : 32);
	case ELF_FILE_OTHER_MACHINE:
		return xasprintf("%s is for another architecture: the fronts are not", path);
	case ELF_FILE_DAMAGED:
		return xasprintf("%s is a damaged ELF file", path);
	default:
		return xasprintf("%s is neither an ELF file nor a script", path);
	}
}

/* Into @path, past scripts, the file that runs. */
static enum elf_file_state open_past_scripts(struct elf_file *file, char path[PATH_MAX])
{
	enum elf_file_state state = elf_file_open(file, path);
	char interpreter[PATH_MAX];

	for (int i = 0; state == ELF_FILE_OTHER && i < MOST_SCRIPTS; i++) {
		if (script_find_interpreter(path, interpreter))
			break;
		strcpy(path, interpreter);
		state = elf_file_open(file, path);
	}
	return state;
}

static void load_program(struct attach_program *program, const struct elf_file *file,
			 const char *path)
{
	char resolved[PATH_MAX];

	libraries_load(&program->libraries, realpath(path, resolved) ? resolved : path, file,
		       getenv("LD_PRELOAD"));
}

void attach_program_open(struct attach_program *program, const char *name)
{
	enum elf_file_state state;
	struct elf_file file;
	char path[PATH_MAX];
	int error;

	*program = (struct attach_program){ 0 };
	error = program_path_find(name, path);
	if (error) {
		program->path = xstrndup(name, strlen(name));
		program->problem = xasprintf("%s: %s", name, strerror(error));
		return;
	}
	state = open_past_scripts(&file, path);
	program->path = xstrndup(path, strlen(path));
	program->problem = state == ELF_FILE_GOOD ? find_problem(&file, path) :
						    describe_state(state, path);
	if (!program->problem)
		load_program(program, &file, path);
	else if (state == ELF_FILE_GOOD)
		elf_file_close(&file);
}

void attach_program_close(struct attach_program *program)
{
	libraries_free(&program->libraries);
	free(program->problem);
	free(program->path);
}

/* The C library has these; runtimes of conventions load what is theirs. */
static bool is_runtime(const char *name)
{
	static const char *const system[] = { "libc.so", "ld-linux", "libdl.so", NULL };

	for (size_t i = 0; i < ATTACH_FRONTS; i++) {
		if (attach_begins_with(name, attach_fronts[i].libraries))
			return true;
	}
	return attach_begins_with(name, system);
}

const char *attach_program_loads_late(const struct attach_program *program)
{
	static const char *const functions[] = {
		"dlopen", "dlmopen", "execv", "execl", "fexecve", "posix_spawn", "popen", NULL,
	};

	for (size_t i = 0; i < program->libraries.nr; i++) {
		const struct library *library = &program->libraries.items[i];

		if (!is_runtime(library->name) && elf_file_import(&library->file, functions))
			return library->name;
	}
	return NULL;
}
