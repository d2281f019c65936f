// SPDX-License-Identifier: GPL-2.0
#include "attach/directory.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "util/xalloc.h"

#define OWN_PATH "/proc/self/exe"
#define VARIABLE "ANNOT_ATTACH_DIR"

/* From where annot is: in a tree where it was built, and below another prefix than it was built for. */
#define IN_BUILD "libannot/attach"
#define IN_PREFIX "../lib/annot"
#define INSTALLED ANNOT_LIBDIR "/annot"

#define LIBRARY "libannot.so.0"

/* These end names in the lists of the variables. */
#define SEPARATORS " :;"

static bool is_directory(const char *path)
{
	struct stat status;

	return !stat(path, &status) && S_ISDIR(status.st_mode);
}

/* Beside annot. */
static bool take_beside(struct attach_directory *directory, const char *relative)
{
	char own[PATH_MAX], *path;
	ssize_t bytes = readlink(OWN_PATH, own, sizeof(own) - 1);
	bool is_there;

	if (bytes < 0)
		return false;
	own[bytes] = '\0';
	path = xasprintf("%.*s/%s", (int)(strrchr(own, '/') - own), own, relative);
	is_there = is_directory(path) && realpath(path, directory->path);
	free(path);
	return is_there;
}

static bool take(struct attach_directory *directory, const char *path)
{
	return is_directory(path) && realpath(path, directory->path);
}

/* Whether others than root, and than who owns annot, may write to it. */
static bool others_may_write(const struct stat *status, const struct stat *own)
{
	if (status->st_mode & S_IWOTH)
		return true;
	return status->st_mode & S_IWGRP && status->st_gid && status->st_gid != own->st_gid;
}

/* Whether nobody but root, and who owns annot, can put something else there. */
static bool is_safe_entry(const char *path, bool is_parent)
{
	struct stat status, own;

	if (stat(path, &status) || stat(OWN_PATH, &own))
		return false;
	if (status.st_uid && status.st_uid != own.st_uid)
		return false;
	/* In a sticky directory, others cannot replace what is not theirs. */
	return !others_may_write(&status, &own) || (is_parent && status.st_mode & S_ISVTX);
}

static bool is_safe(const char *path)
{
	char entry[PATH_MAX], *slash;

	if (geteuid())
		return true;
	if (!realpath(path, entry) || !is_safe_entry(entry, false))
		return false;
	while ((slash = strrchr(entry, '/')) && entry[1]) {
		slash[slash == entry] = '\0';
		if (!is_safe_entry(entry, true))
			return false;
	}
	return true;
}

static char *find_problem(const char *path)
{
	if (path[strcspn(path, SEPARATORS)])
		return xasprintf("%s: fronts cannot be loaded from a path with a blank, ':' or ';'",
				 path);
	if (!is_safe(path))
		return xasprintf("%s: others than root can change it: nothing is loaded from there",
				 path);
	return NULL;
}

void attach_directory_find(struct attach_directory *directory)
{
	/* Who gains privileges obeys nobody's environment. */
	const char *wanted = secure_getenv(VARIABLE);

	*directory = (struct attach_directory){ 0 };
	if (wanted) {
		if (!take(directory, wanted))
			directory->problem = xasprintf(VARIABLE ": %s is no directory", wanted);
	} else if (!take_beside(directory, IN_BUILD) && !take(directory, INSTALLED) &&
		   !take_beside(directory, IN_PREFIX)) {
		directory->problem = xasprintf("no fronts are installed: there is no %s",
					       INSTALLED);
	}
	if (!directory->problem)
		directory->problem = find_problem(directory->path);
}

void attach_directory_free(struct attach_directory *directory)
{
	free(directory->problem);
}

char *attach_directory_file(const struct attach_directory *directory,
			    const struct attach_front *front)
{
	return xasprintf("%s/%s", directory->path, front->file);
}

char *attach_directory_library(const struct attach_directory *directory)
{
	char *path = xasprintf("%s/../" LIBRARY, directory->path);
	char *real = realpath(path, NULL);

	free(path);
	if (real && (real[strcspn(real, SEPARATORS)] || !is_safe(real))) {
		free(real);
		return NULL;
	}
	return real;
}

/* A library that @front takes, and that is neither found nor in the program already; NULL: none. */
static char *find_missing(const struct elf_file *file, const char *path,
			  const struct libraries *present)
{
	struct libraries libraries = { 0 };
	char *missing = NULL;

	libraries_load(&libraries, path, file, NULL);
	for (size_t i = 1; i < libraries.nr && !missing; i++) {
		const struct library *library = &libraries.items[i];

		if (!library->path && !(present && libraries_find(present, library->name)))
			missing = xasprintf("%s needs %s, which is not found", path, library->name);
	}
	libraries_free(&libraries);
	return missing;
}

static char *find_obstacle(const char *path, const struct libraries *libraries)
{
	struct elf_file file;

	if (access(path, F_OK))
		return xasprintf("%s is not installed", path);
	if (!is_safe(path))
		return xasprintf("%s: others than root can change it", path);
	if (elf_file_open(&file, path) != ELF_FILE_GOOD)
		return xasprintf("%s cannot be loaded", path);
	return find_missing(&file, path, libraries);
}

char *attach_directory_obstacle(const struct attach_directory *directory,
				const struct attach_front *front, const struct libraries *libraries)
{
	char *path, *obstacle;

	if (directory->problem)
		return xasprintf("%s", directory->problem);
	path = attach_directory_file(directory, front);
	obstacle = find_obstacle(path, libraries);
	free(path);
	return obstacle;
}
