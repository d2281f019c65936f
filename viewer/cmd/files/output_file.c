// SPDX-License-Identifier: GPL-2.0
#include "cmd/files/output_file.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "cmd/files/input_trace.h"
#include "util/diag.h"
#include "util/file_path.h"
#include "util/output.h"
#include "util/spill/spill.h"
#include "util/xalloc.h"

void output_file_use_folder(const char *path)
{
	size_t length = (size_t)(file_path_name(path) - path);
	char *folder = length ? xstrndup(path, length) : xstrndup(".", 1);

	if (strcmp(path, "-"))
		spill_use(folder, NULL);
	free(folder);
}

static int write_file(struct trace *trace, const char *path, output_file_writer *write,
		      void *context)
{
	const struct trace_info *info = trace_info(trace);
	struct output output = { 0 };
	long nr_bytes;

	output_file_use_folder(path);
	/* Before the trace is read, which may take long: a target that cannot be written. */
	if (output_open(path, &output) < 0)
		return EXIT_BAD_INPUT;
	if (write(trace, context, output.file) < 0) {
		output_discard(&output);
		return EXIT_BAD_INPUT;
	}
	if (output_finish(&output, &nr_bytes) < 0)
		return EXIT_BAD_INPUT;
	output_tell(&output, path, nr_bytes, info->nr_events, info->path);
	return EXIT_OK;
}

int output_file_write(const char *trace_path, const char *output, const char *ending,
		      output_file_writer *write, void *context)
{
	char path[PATH_MAX];
	struct trace *trace;
	int status;

	if (output && snprintf(path, sizeof(path), "%s", output) >= PATH_MAX) {
		diag_error("%s: name too long", output);
		return EXIT_BAD_INPUT;
	}
	if (!output && output_default_path(trace_path, ending, path) < 0)
		return EXIT_BAD_INPUT;
	if (input_trace_open(trace_path, &trace) < 0)
		return EXIT_BAD_INPUT;
	status = write_file(trace, path, write, context);
	input_trace_close(trace);
	return status;
}
