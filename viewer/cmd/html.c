// SPDX-License-Identifier: GPL-2.0
/*
 * annot html: trace.dat -> one page.
 *
 * The page is written beside its place and then renamed, so that what stands there is always a
 * whole page: the old one or the new one.
 */
#include <errno.h>
#include <getopt.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cmd/cmd.h"
#include "model/model.h"
#include "page/page.h"
#include "trace/trace.h"
#include "util/diag.h"
#include "util/options.h"

struct html_options {
	const char *trace_path;
	const char *output;
	const char *title;
};

struct output {
	char path[PATH_MAX]; /* where the page shall stand; symbolic links resolved */
	char temporary[PATH_MAX]; /* "" when it is written in place: a pipe or a device */
	FILE *file;
};

/* For the signal handler: what to remove when the user interrupts. */
static char unfinished[PATH_MAX];

static void usage(FILE *out)
{
	fputs("usage: annot html [-o FILE] [--title TEXT] TRACE\n"
	      "\n"
	      "Turns a trace.dat into one HTML page that opens in any browser of 2023 or\n"
	      "later, without a network: who ran on each CPU, what each thread did and was\n"
	      "kept from doing, and the program's own spans, marks and counters.\n"
	      "\n"
	      "  -o, --output FILE   where to write the page; - is standard output\n"
	      "                      (default: the trace's name, ending in .html)\n"
	      "      --title TEXT    the page's title (default: the trace's name)\n"
	      "  -h, --help          this text\n"
	      "\n"
	      "In the page, press ? for its keys.\n",
	      out);
}

/* Returns the exit status to leave with, or -1 to go on. */
static int parse(int argc, char **argv, struct html_options *html)
{
	static const struct option options[] = {
		{ "output", required_argument, NULL, 'o' },
		{ "title", required_argument, NULL, 't' },
		{ "help", no_argument, NULL, 'h' },
		{ 0 },
	};
	int option;

	while ((option = getopt_long(argc, argv, ":o:h", options, NULL)) != -1) {
		switch (option) {
		case 'o':
			html->output = optarg;
			break;
		case 't':
			html->title = optarg;
			break;
		case 'h':
			usage(stdout);
			return EXIT_OK;
		default:
			return options_error("html", option, argv, options);
		}
	}
	if (optind == argc) {
		diag_error("html: which trace? (annot html --help lists all)");
		return EXIT_USAGE;
	}
	if (argc - optind > 1) {
		diag_error("html: one trace at a time, not also '%s'", argv[optind + 1]);
		return EXIT_USAGE;
	}
	html->trace_path = argv[optind];
	return -1;
}

static const char *base_name(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash ? slash + 1 : path;
}

/* The trace's name with .html in place of .dat, in the current directory's terms. */
static int default_output(const char *trace_path, char path[PATH_MAX])
{
	size_t length = strlen(trace_path);

	if (length > 4 && !strcmp(trace_path + length - 4, ".dat"))
		length -= 4;
	if (snprintf(path, PATH_MAX, "%.*s.html", (int)length, trace_path) >= PATH_MAX)
		return diag_error("%s: name too long", trace_path);
	return 0;
}

static void remove_unfinished(int signal_number)
{
	unlink(unfinished);
	signal(signal_number, SIG_DFL);
	raise(signal_number);
}

static const int interrupts[] = { SIGHUP, SIGINT, SIGTERM };

static void guard_unfinished(const char *temporary)
{
	strcpy(unfinished, temporary);
	/* A limit on the size of files then fails the write, which is told as any other failure. */
	signal(SIGXFSZ, SIG_IGN);
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
		diag_warn("the page stays readable by its owner only: %s", strerror(errno));
}

static int open_temporary(struct output *output)
{
	const char *name = base_name(output->path);
	int directory_length = (int)(name - output->path);
	int fd;

	if (snprintf(output->temporary, PATH_MAX, "%.*s.%s.XXXXXX", directory_length, output->path,
		     name) >= PATH_MAX)
		return diag_error("%s: name too long", output->path);
	fd = make_guarded_temporary(output->temporary);
	if (fd < 0)
		return diag_error("%s: cannot write beside it: %s", output->path, strerror(errno));
	set_default_mode(fd);
	output->file = fdopen(fd, "w");
	return 0;
}

static int output_open(const char *path, struct output *output)
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
	if (S_ISREG(status.st_mode))
		return open_temporary(output);
	output->file = fopen(output->path, "w");
	if (!output->file)
		return diag_error("%s: cannot be written: %s", path, strerror(errno));
	return 0;
}

static void output_discard(struct output *output)
{
	if (output->file && output->file != stdout)
		fclose(output->file);
	if (output->temporary[0])
		unlink(output->temporary);
}

/* Puts the page in its place and tells its size; -1 after one line on stderr. */
static int output_finish(struct output *output, long *nr_bytes)
{
	FILE *file = output->file;
	bool failed;

	*nr_bytes = ftell(file);
	failed = fflush(file) || ferror(file);
	if (output->temporary[0]) {
		/* What a full disk or a quota kept back, some file systems tell only now. */
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

/* One line, on stderr when stdout may be where the page went. */
static void tell(const struct output *output, const char *path, long nr_bytes,
		 const struct trace_info *info)
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
	fprintf(out, "%s: %.*f %s, %llu events of %s\n", path, size < 10, size, unit,
		(unsigned long long)info->nr_events, info->path);
}

static int convert(struct trace *trace, const struct html_options *html, struct output *output)
{
	struct page_options page = { .title = html->title };
	struct model *model;
	int status;

	if (!page.title)
		page.title = base_name(html->trace_path);
	if (model_build(trace, &model) < 0)
		return -1;
	status = page_write(model, &page, output->file);
	model_free(model);
	return status;
}

static int write_page(struct trace *trace, const struct html_options *html, const char *path)
{
	struct output output = { 0 };
	long nr_bytes;

	/* Before the trace is read, which may take long: a target that cannot be written. */
	if (output_open(path, &output) < 0)
		return EXIT_BAD_INPUT;
	if (convert(trace, html, &output) < 0) {
		output_discard(&output);
		return EXIT_BAD_INPUT;
	}
	if (output_finish(&output, &nr_bytes) < 0)
		return EXIT_BAD_INPUT;
	tell(&output, strcmp(path, "-") ? path : output.path, nr_bytes, trace_info(trace));
	return EXIT_OK;
}

int cmd_html(int argc, char **argv)
{
	struct html_options html = { 0 };
	char path[PATH_MAX];
	struct trace *trace;
	int status = parse(argc, argv, &html);

	if (status >= 0)
		return status;
	if (html.output && snprintf(path, sizeof(path), "%s", html.output) >= PATH_MAX) {
		diag_error("%s: name too long", html.output);
		return EXIT_BAD_INPUT;
	}
	if (!html.output && default_output(html.trace_path, path) < 0)
		return EXIT_BAD_INPUT;
	if (trace_open(html.trace_path, &trace) < 0)
		return EXIT_BAD_INPUT;
	status = write_page(trace, &html, path);
	trace_close(trace);
	return status;
}
