// SPDX-License-Identifier: GPL-2.0
#include "util/output.h"

#include <errno.h>
#include <signal.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "util/diag.h"
#include "util/file_path.h"
#include "util/xalloc.h"

/* For the signal handler: what to remove when the user interrupts. */
static char unfinished_path[PATH_MAX];

int output_default_path(const char *trace_path, const char *ending, char path[PATH_MAX])
{
	size_t length = strlen(trace_path);

	if (length > 4 && !strcmp(trace_path + length - 4, ".dat"))
		length -= 4;
	if (snprintf(path, PATH_MAX, "%.*s%s", (int)length, trace_path, ending) >= PATH_MAX)
		return diag_error("%s: name too long", trace_path);
	return 0;
}

void output_remove_unfinished(void)
{
	if (unfinished_path[0])
		unlink(unfinished_path);
}

static void remove_unfinished(int signal_number)
{
	output_remove_unfinished();
	signal(signal_number, SIG_DFL);
	raise(signal_number);
}

static const int interrupts[] = { SIGHUP, SIGINT, SIGTERM };

static void guard_unfinished(const char *temporary)
{
	strcpy(unfinished_path, temporary);
	/* A limit on file sizes then fails the write, which is reported like any other failure. */
	signal(SIGXFSZ, SIG_IGN);
	xalloc_set_tidy(output_remove_unfinished);
	for (size_t i = 0; i < sizeof(interrupts) / sizeof(interrupts[0]); i++)
		if (signal(interrupts[i], remove_unfinished) == SIG_IGN)
			signal(interrupts[i], SIG_IGN);
}

/* mkstemp(), whose file has its guard before an interrupt can come. */
static int make_guarded_temporary(char *temporary)
{
	sigset_t mask, before;
	int fd, error;

	sigemptyset(&mask);
	for (size_t i = 0; i < sizeof(interrupts) / sizeof(interrupts[0]); i++)
		sigaddset(&mask, interrupts[i]);
	sigprocmask(SIG_BLOCK, &mask, &before);
	fd = mkstemp(temporary);
	error = errno;
	if (fd >= 0)
		guard_unfinished(temporary);
	sigprocmask(SIG_SETMASK, &before, NULL);
	errno = error;
	return fd;
}

/* What mkstemp() made 0600 gets the mode that open() would have given it. */
static void set_default_mode(int fd)
{
	mode_t mask = umask(0);

	umask(mask);
	if (fchmod(fd, 0666 & ~mask) < 0)
		diag_warn("the file stays readable by its owner only: %s", strerror(errno));
}

static int open_temporary(struct output *output)
{
	const char *name = file_path_name(output->path);
	int directory_length = (int)(name - output->path);
	int fd;

	if (snprintf(output->temporary, PATH_MAX, "%.*s.%s.XXXXXX", directory_length, output->path,
		     name) >= PATH_MAX)
		return diag_error("%s: name too long", output->path);
	fd = make_guarded_temporary(output->temporary);
	if (fd < 0)
		return diag_error("%s: cannot write in its directory: %s", output->path,
				  strerror(errno));
	set_default_mode(fd);
	output->file = fdopen(fd, "w");
	return 0;
}

/* What cannot be made again: a trace is no page and no table, whoever gives its name here has made a mistake. */
static bool is_recording(const char *path)
{
	static const char magic[] = { 0x17, 0x08, 0x44, 't', 'r', 'a', 'c', 'i', 'n', 'g' };
	char start[sizeof(magic)];
	FILE *file = fopen(path, "r");
	bool is;

	if (!file)
		return false;
	is = fread(start, sizeof(start), 1, file) == 1 && !memcmp(start, magic, sizeof(magic));
	fclose(file);
	return is;
}

int output_open(const char *path, struct output *output)
{
	struct stat status;

	if (!strcmp(path, "-")) {
		strcpy(output->path, "standard output");
		output->file = stdout;
		return 0;
	}
	if (!realpath(path, output->path)) {
		if (errno != ENOENT)
			return diag_error("%s: %s", path, strerror(errno));
		if (snprintf(output->path, PATH_MAX, "%s", path) >= PATH_MAX)
			return diag_error("%s: name too long", path);
		return open_temporary(output);
	}
	if (stat(output->path, &status) < 0 || access(output->path, W_OK) < 0)
		return diag_error("%s: cannot be written: %s", path, strerror(errno));
	if (S_ISDIR(status.st_mode))
		return diag_error("%s: is a directory", path);
	if (S_ISREG(status.st_mode) && is_recording(output->path))
		return diag_error("%s: is a recording: it would be lost", path);
	if (S_ISREG(status.st_mode))
		return open_temporary(output);
	output->file = fopen(output->path, "w");
	if (!output->file)
		return diag_error("%s: cannot be written: %s", path, strerror(errno));
	return 0;
}

void output_discard(struct output *output)
{
	if (output->file && output->file != stdout)
		fclose(output->file);
	if (output->temporary[0])
		unlink(output->temporary);
}

int output_finish(struct output *output, long *nr_bytes)
{
	FILE *file = output->file;
	bool failed;

	*nr_bytes = ftell(file);
	failed = fflush(file) || ferror(file);
	if (output->temporary[0]) {
		/* Some file systems report a full disk or a quota only now. */
		failed = failed || fsync(fileno(file));
		failed = fclose(file) || failed;
		failed = failed || rename(output->temporary, output->path);
	} else if (file != stdout) {
		failed = fclose(file) || failed;
	}
	output->file = NULL;
	if (!failed)
		return 0;
	diag_error("%s: cannot be written: %s", output->path, strerror(errno));
	output_discard(output);
	return -1;
}

void output_tell(const struct output *output, const char *path, long nr_bytes,
		 unsigned long long nr_events, const char *trace_path)
{
	FILE *out = output->temporary[0] ? stdout : stderr;
	const char *unit = "KiB";
	double size = (double)nr_bytes / 1024;

	if (nr_bytes < 0)
		return;
	if (size >= 1024) {
		size /= 1024;
		unit = "MiB";
	}
	fprintf(out, "%s: %.*f %s, %llu events of %s\n", strcmp(path, "-") ? path : output->path,
		size < 10, size, unit, nr_events, trace_path);
}
