// SPDX-License-Identifier: GPL-2.0
/*
 * For libFuzzer: whatever the bytes of a trace.dat, reading it, building the model and printing all
 * that is made of it comes to an end, without a bad access, undefined behaviour, a leak, or memory
 * out of proportion. Only what opens further files, that a trace names, is left out.
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#include "analysis/tasks.h"
#include "model/model.h"
#include "page/page.h"
#include "report/report.h"

int LLVMFuzzerInitialize(int *argc, char ***argv);
int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

static FILE *sink;

int LLVMFuzzerInitialize(int *argc, char ***argv)
{
	(void)argc;
	(void)argv;
	sink = fopen("/dev/null", "w");
	if (!sink)
		abort();
	/* What is wrong with a file is told in a line for each; sanitizers write to the descriptor. */
	stderr = sink;
	return 0;
}

static void print_all(const struct model *model)
{
	const struct page_options page = { .title = "fuzz" };
	struct analysis *analysis = analyse(model);
	struct report report = { .model = model, .analysis = analysis, .all_threads = true };

	report_sort(&report, NULL, 0);
	report_text(&report, sink);
	report_json(&report, sink);
	report_csv(&report, sink);
	report_free(&report);
	analysis_free(analysis);
	page_write(model, &page, sink);
}

static void read_trace(const char *path)
{
	struct model *model;
	struct trace *trace;

	if (trace_open(path, &trace))
		return;
	if (!model_build(trace, &model)) {
		print_all(model);
		model_free(model);
	}
	free(trace_kallsyms(trace));
	trace_close(trace);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
	int fd = memfd_create("trace.dat", MFD_CLOEXEC);
	char path[32];

	if (fd < 0 || write(fd, bytes, size) != (ssize_t)size)
		abort();
	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	read_trace(path);
	close(fd);
	return 0;
}
