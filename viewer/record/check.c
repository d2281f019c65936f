// SPDX-License-Identifier: GPL-2.0
#include <errno.h>
#include <fcntl.h>
#include <libgen.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "record/check.h"
#include "record/program.h"
#include "util/diag.h"
#include "util/program_path.h"

int check_command(const char *subcommand, const char *name)
{
	char path[PATH_MAX];
	int error = program_path_find(name, path);

	if (!error)
		return EXIT_OK;
	diag_error("%s: %s: %s", subcommand, name,
		   error == ENOENT ? "command not found" : strerror(error));
	return program_exec_status(error);
}

static int refuse_output(const char *path, const char *why)
{
	diag_error("record: %s: %s", path, why);
	return EXIT_BAD_INPUT;
}

/* Only an attempt shows whether a file can be created: file systems have rules of their own. */
static int check_new_output(const char *path)
{
	int fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);

	if (fd < 0)
		return refuse_output(path, strerror(errno));
	close(fd);
	unlink(path);
	return EXIT_OK;
}

int check_output(const char *path)
{
	char copy[PATH_MAX];
	const char *directory;
	struct stat status;

	if (stat(path, &status))
		return check_new_output(path);
	if (!S_ISREG(status.st_mode))
		return refuse_output(path, "not a regular file");
	if (faccessat(AT_FDCWD, path, W_OK, AT_EACCESS))
		return refuse_output(path, strerror(errno));
	snprintf(copy, sizeof(copy), "%s", path);
	directory = dirname(copy);
	/* During the recording, each CPU has a file beside the output. */
	if (faccessat(AT_FDCWD, directory, W_OK | X_OK, AT_EACCESS))
		return refuse_output(directory, strerror(errno));
	return EXIT_OK;
}
