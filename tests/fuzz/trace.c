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

#include "analysis/memory/miss_costs.h"
#include "analysis/tasks/task_stats.h"
#include "convert/csv.h"
#include "convert/perfetto.h"
#include "model/reading.h"
#include "model/window/filter.h"
#include "model/memory/mappings.h"
#include "model/model.h"
#include "page/page_stream.h"
#include "report/report.h"
#include "report/report_csv.h"
#include "report/report_json.h"
#include "report/report_ranking.h"
#include "report/report_sort.h"
#include "report/report_text.h"
#include "report/samples/samples.h"
#include "report/what_if/what_if_answer.h"
#include "symbols/names/code_place.h"
#include "trace/file/kallsyms.h"

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

static void print_ranking(const struct model *model, enum ranking_key key)
{
	const struct ranking_options options = { .key = key, .all_threads = true };
	struct ranking_report report = { .model = model };
	struct ranking *rankings = ranking_compute(model, &options);

	if (!rankings)
		return;
	report.rankings = rankings;
	report_ranking_text(&report, sink);
	report_ranking_json(&report, sink);
	ranking_free(model, rankings);
}

static void print_each_sample(const struct model *model)
{
	static const char *const names[] = { "time",   "cpu",  "pid",  "tid",  "comm",
					     "event",  "ip",   "addr", "mode", "weight",
					     "source", "task", "regs" };
	const struct sample_filter all = { .to_ns = UINT64_MAX, .all_threads = true };
	struct sample_columns columns = { 0 };

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		sample_columns_add(&columns, model, names[i]);
	samples_print(model, &columns, &all, sink);
}

static bool any_mapping(const struct model *model, size_t row)
{
	return row < model->mappings.nr;
}

/* What follows from it is in the files that are mapped, which are not to be opened here. */
static void find_mappings(const struct model *model)
{
	const struct sample_table *samples = &model->samples;

	for (size_t i = 0; i < samples->nr; i++) {
		uint32_t thread = samples->thread[i];

		model_find_mapping(model, thread, samples->time_ns[i], samples->ip[i]);
		model_find_mapping_below(model, thread, samples->time_ns[i], samples->addr[i],
					 any_mapping);
	}
}

static void print_figures(const struct model *model)
{
	struct task_stats *stats = task_stats_compute(model);
	struct analyses *analyses = analyses_new(model, stats);
	struct report report = {
		.model = model,
		.stats = stats,
		.analyses = analyses,
		.shown = "all",
		.all_threads = true,
	};

	report_sort(&report, NULL, 0);
	report_text(&report, sink);
	report_json(&report, sink);
	report_csv(&report, sink);
	report_free(&report);
	analyses_free(analyses);
	task_stats_free(stats);
}

/* On more CPUs than it had: nobody waits for one. */
static void replay(const struct model *model)
{
	const struct what_if_question question = { .nr_cpus = model->nr_cpus + 1 };
	struct task_stats *stats = task_stats_compute(model);
	double *miss_ns = miss_costs_by_event(model, stats);
	struct regions *regions = regions_compute(model, stats, miss_ns);
	struct what_if_oracle oracle = what_if_oracle_new(model, regions);
	struct what_if what_if = what_if_compute(&oracle, &question);
	struct trials trials = { 0 };

	if (what_if.has_answer)
		trials = trials_compute(&oracle);
	what_if_text(model, &what_if, true, &trials, sink);
	what_if_json(model, &what_if, true, &trials, sink);
	trials_free(&trials);
	what_if_free(&what_if);
	what_if_oracle_free(&oracle);
	regions_free(regions);
	free(miss_ns);
	task_stats_free(stats);
}

static void print_all(const struct model *model)
{
	print_figures(model);
	replay(model);
	for (int key = RANK_BY_TASK; key <= RANK_BY_CPU; key++)
		print_ranking(model, (enum ranking_key)key);
	print_each_sample(model);
	find_mappings(model);
}

static void parse_places(const struct trace *trace)
{
	struct code_place place;

	for (uint32_t id = 0; id < trace_nr_strings(trace); id++)
		code_place_parse(trace_string(trace, id), &place);
}

/* The text comes from the file as well. */
static void find_kernel_symbol(struct trace *trace)
{
	char *text = trace_kallsyms(trace);
	struct kernel_symbol symbol;
	struct kallsyms *kallsyms;

	if (!text)
		return;
	kallsyms = kallsyms_new(text);
	kallsyms_find(kallsyms, UINT64_MAX, &symbol);
	kallsyms_free(kallsyms);
}

/* @most_kept_events: of the model beside the page. */
static void make_page(const char *path, uint64_t most_kept_events)
{
	const struct page_options page = { .title = "fuzz", .most_kept_events = most_kept_events };
	struct trace *trace;

	if (trace_open(path, &trace))
		return;
	page_stream_write(trace, &page, sink);
	trace_close(trace);
}

static void write_part(struct trace *trace, struct selection *selection)
{
	const struct page_options page = { .title = "fuzz", .selection = selection };

	page_stream_write(trace, &page, sink);
}

/* Edges in the middle of things, at times that such small files have. */
static void make_page_of_part(const char *path)
{
	struct selection *selection;
	struct model_filter filter = { 0 };
	struct trace *trace;

	filter_time_parse(&filter.from, "+10us");
	filter_time_parse(&filter.to, "+20ms");
	if (trace_open(path, &trace))
		return;
	if (!selection_new(trace, &filter, NULL, &selection)) {
		write_part(trace, selection);
		selection_free(selection);
	}
	trace_close(trace);
}

static void read_trace(const char *path)
{
	struct model *model;
	struct trace *trace;

	if (trace_open(path, &trace))
		return;
	if (!model_build(trace, &model)) {
		print_all(model);
		convert_perfetto(model, NULL, 0, sink);
		convert_csv(model, sink);
		model_free(model);
	}
	parse_places(trace);
	find_kernel_symbol(trace);
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
	make_page(path, 0);
	make_page(path, UINT64_MAX);
	make_page_of_part(path);
	close(fd);
	return 0;
}
