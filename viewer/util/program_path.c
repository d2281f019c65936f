// SPDX-License-Identifier: GPL-2.0
#include "util/program_path.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static int check_executable(const char *path)
{
	struct stat status;

	if (stat(path, &status))
		return errno == EACCES ? EACCES : ENOENT;
	if (!S_ISREG(status.st_mode) || faccessat(AT_FDCWD, path, X_OK, AT_EACCESS))
		return EACCES;
	return 0;
}

/* In @directories, with colons between them. */
static int find_in(const char *directories, const char *name, char path[PATH_MAX])
{
	int error = ENOENT;

	for (;;) {
		size_t length = strcspn(directories, ":");

		/* An empty entry is the working directory. */
		snprintf(path, PATH_MAX, "%.*s%s%s", (int)length, directories, length ? "/" : "",
			 name);
		switch (check_executable(path)) {
		case 0:
			return 0;
		case EACCES:
			error = EACCES;
			break;
		}
		if (!directories[length])
			return error;
		directories += length + 1;
	}
}

int program_path_find(const char *name, char path[PATH_MAX])
{
	const char *directories = getenv("PATH");

	if (!*name)
		return ENOENT;
	if (!strchr(name, '/'))
		return find_in(directories ? directories : "/bin:/usr/bin", name, path);
	snprintf(path, PATH_MAX, "%s", name);
	return check_executable(name);
}
