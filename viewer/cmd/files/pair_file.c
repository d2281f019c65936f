// SPDX-License-Identifier: GPL-2.0
#include "cmd/files/pair_file.h"

#include <limits.h>
#include <stdio.h>

#include "cmd/files/input_trace.h"
#include "cmd/files/output_file.h"
#include "cmd/files/trace_page.h"
#include "page/pair.h"
#include "report/loss_words.h"
#include "util/diag.h"
#include "util/file_path.h"
#include "util/output.h"

static int write_side(void *context, int side, FILE *out)
{
	struct trace **traces = context;
	struct trace_page page = { 0 };

	page_events_parse(NULL, &page.events);
	return trace_page_write(traces[side], &page, out);
}

/* The page tells it, too; who only keeps it has not seen it. */
static void warn_of_losses(struct trace *traces[2], const char *const paths[2])
{
	for (int side = 0; side < 2; side++) {
		const struct trace_losses losses = trace_losses_of(traces[side]);

		loss_words_warn(paths[side], &losses, "");
	}
}

static int write_pair(struct trace *traces[2], const char *const paths[2], const char *output_path)
{
	char names[2 * PATH_MAX + sizeof(" and ")], title[sizeof(names)];
	struct output output = { 0 };
	long nr_bytes;

	snprintf(names, sizeof(names), "%s and %s", paths[0], paths[1]);
	snprintf(title, sizeof(title), "%s and %s", file_path_name(paths[0]),
		 file_path_name(paths[1]));
	output_file_use_folder(output_path);
	if (output_open(output_path, &output) < 0)
		return EXIT_BAD_INPUT;
	if (pair_write(title, write_side, traces, output.file) < 0) {
		output_discard(&output);
		return EXIT_BAD_INPUT;
	}
	if (output_finish(&output, &nr_bytes) < 0)
		return EXIT_BAD_INPUT;
	warn_of_losses(traces, paths);
	output_tell(&output, output_path, nr_bytes,
		    trace_info(traces[0])->nr_events + trace_info(traces[1])->nr_events, names);
	return EXIT_OK;
}

int pair_file_write(const char *const paths[2], const char *output)
{
	struct trace *traces[2] = { NULL, NULL };
	int status = EXIT_OK;

	/* Before one of them is read, which may take long: another that cannot be. */
	for (int side = 0; side < 2 && status == EXIT_OK; side++) {
		if (input_trace_open(paths[side], &traces[side]) < 0) {
			traces[side] = NULL;
			status = EXIT_BAD_INPUT;
		}
	}
	if (status == EXIT_OK)
		status = write_pair(traces, paths, output);
	for (int side = 0; side < 2; side++)
		input_trace_close(traces[side]);
	return status;
}
