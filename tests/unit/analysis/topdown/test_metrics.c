// SPDX-License-Identifier: GPL-2.0
/* LINK: tests/lib/events.c tests/lib/model_check.c */
/*
 * Metrics of a directory: of counts that are known, by formulas whose values were computed by hand; and what is said of a directory
 * that is wrong.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "analysis/topdown/metrics.h"
#include "events.h"
#include "util/diag.h"

#define A 101
#define MS 1000000ull
#define SLICES 20

/* What each slice counts of these. */
static const char *const names[] = { "INST_RETIRED:ANY", "CPU_CLK_UNHALTED.THREAD", "cpu/uops.any/",
				     "stalls" };
static const uint64_t counts[] = { 6000, 3000, 9000, 0 };
#define NR_NAMES 4

static const char good[] =
	"[{\"EventName\": \"uops.any\", \"EventCode\": \"0x0e\"},\n"
	" {\"MetricName\": \"IPC\", \"MetricExpr\": \"INST_RETIRED.ANY / CPU_CLK_UNHALTED.THREAD\","
	"  \"BriefDescription\": \"Instructions per cycle\"},\n"
	" {\"MetricName\": \"tma_share\", \"MetricExpr\": \"uops.any / (4 * CPU_CLK_UNHALTED.THREAD)\","
	"  \"ScaleUnit\": \"100%\"},\n"
	" {\"MetricName\": \"rest\", \"MetricExpr\": \"max(1 - TMA_share, 0) if ipc > 1 else 0\"},\n"
	" {\"MetricName\": \"uncounted\", \"MetricExpr\": \"l2.miss / INST_RETIRED.ANY\"},\n"
	" {\"MetricName\": \"by_uncounted\", \"MetricExpr\": \"uncounted + 1\"},\n"
	" {\"MetricName\": \"by_zero\", \"MetricExpr\": \"uops.any / stalls\"},\n"
	" {\"MetricName\": \"own\", \"MetricExpr\": \"other + 1\"},\n"
	" {\"MetricName\": \"other\", \"MetricExpr\": \"own / INST_RETIRED.ANY\"},\n"
	" {\"MetricName\": \"asks\", \"MetricExpr\": \"uops.any if has_event(uops.any) else 0\"},\n"
	" {\"MetricName\": \"shared\", \"MetricExpr\": \"uops.any / 2 if #SMT_on else uops.any\"}]\n";

static struct trace *trace; /* only so that there are strings */
static char folder[] = "/tmp/annot-metrics-XXXXXX";

static int open_all(void **state)
{
	(void)state;
	return mkdtemp(folder) ? trace_open("tests/data/scene-quiet.dat", &trace) : -1;
}

static int close_all(void **state)
{
	(void)state;
	trace_close(trace);
	return rmdir(folder);
}

/* Reads the directory with a file of @text, or with none. */
static int read_dir(const char *text, struct metric_dir *dir)
{
	char path[100];
	FILE *file;
	int status;

	snprintf(path, sizeof(path), "%s/metrics.json", folder);
	file = text ? fopen(path, "w") : NULL;
	if (file) {
		fputs(text, file);
		fclose(file);
	}
	status = metric_dir_read(folder, dir);
	unlink(path);
	return status;
}

static struct model *make(void)
{
	struct model *model;

	script_begin();
	feed_switch_at(0, 0, 0, A, TRACE_OUT_RUNNABLE);
	feed_session_at(0, 0, A);
	for (uint8_t i = 0; i < NR_NAMES; i++)
		feed_pmu_event_at(0, i, trace_intern(trace, names[i]), 0, 0);
	feed_begin_at(0, 0, A, trace_intern(trace, "work"), TRACE_SPAN_WORK);
	for (uint64_t i = 1; i <= SLICES; i++) {
		feed_counts_at(i * MS, 0, A, counts, NR_NAMES, 0);
		feed_switch_at(i * MS, 0, A, 0, TRACE_OUT_RUNNABLE);
		feed_switch_at(i * MS, 0, 0, A, TRACE_OUT_RUNNABLE);
	}
	feed_end_at(SLICES * MS, 0, A);
	feed_exit_at(SLICES * MS, 0, A);
	feed_switch_at(SLICES * MS, 0, A, 0, TRACE_OUT_DEAD);
	model = script_end();
	model->trace = trace;
	return model;
}

static void check(const struct metrics_row *row, const char *name, double value)
{
	assert_string_equal(row->metric->name, name);
	assert_float_equal(row->estimate.value, value, 1e-9);
	assert_true(row->estimate.has_bounds && row->estimate.measured > 0.999);
	assert_int_equal(row->on_cpu_ns, SLICES * MS);
}

static void test_values(void **state)
{
	struct model *model = make();
	struct task_stats *stats = task_stats_compute(model);
	struct metric_dir dir;
	struct metrics metrics;

	(void)state;
	assert_int_equal(read_dir(good, &dir), EXIT_OK);
	assert_int_equal(dir.nr, 10);
	metrics = metrics_compute(model, stats, &dir);
	/* Of by_zero, the events were counted, but there is no value. */
	assert_int_equal(metrics.nr_metrics, 5);
	assert_int_equal(metrics.nr, 4);
	check(&metrics.rows[0], "IPC", 2);
	check(&metrics.rows[1], "rest", 0.25);
	check(&metrics.rows[2], "shared", 9000 * SLICES);
	check(&metrics.rows[3], "tma_share", 0.75);
	assert_string_equal(metrics.rows[0].metric->description, "Instructions per cycle");
	assert_float_equal(metrics.rows[3].metric->scale, 100, 0);
	assert_string_equal(metrics.rows[3].metric->unit, "%");
	assert_float_equal(metrics.rows[0].metric->scale, 1, 0);
	metrics_free(&metrics);
	metrics = metrics_compute(model, stats, NULL);
	assert_false(metrics.is_asked);
	metrics_free(&metrics);
	metric_dir_free(&dir);
	task_stats_free(stats);
	model->trace = NULL;
	model_free(model);
}

/* What it says is in tests/unit/report/pmu/metrics.sh. */
static void test_wrong(void **state)
{
	static const char *const wrong[] = {
		NULL,
		"",
		"{}",
		"[",
		"[]",
		"[{\"EventName\": \"a\"}]",
		"[{\"MetricName\": \"a\", \"MetricExpr\": \"1 +\"}]",
		"[{\"MetricName\": \"a\", \"MetricExpr\": \"b\"}, {\"MetricName\": \"A\", \"MetricExpr\": \"c\"}]",
	};

	(void)state;
	for (size_t i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++) {
		struct metric_dir dir;

		assert_int_equal(read_dir(wrong[i], &dir), EXIT_BAD_INPUT);
		metric_dir_free(&dir);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_values),
		cmocka_unit_test(test_wrong),
	};

	return cmocka_run_group_tests(tests, open_all, close_all);
}
