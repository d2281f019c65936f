// SPDX-License-Identifier: GPL-2.0
#include <stdlib.h>

#include "analysis/sched/cpu_power.h"
#include "report/analysis_list.h"
#include "report/table/analysis_table.h"
#include "util/xalloc.h"

#define KHZ_PER_GHZ 1e6

static void *cpu_power_report_compute(const struct analyses *analyses)
{
	struct cpu_power *result = xcalloc(1, sizeof(*result));

	*result = cpu_power_compute(analyses->model);
	return result;
}

static void cpu_power_report_free(void *result)
{
	cpu_power_free(result);
	free(result);
}

static void cpu_power_report_add_findings(const struct analyses *analyses, const void *result,
					  struct findings *findings)
{
	cpu_power_add_findings(analyses->model, result, findings);
}

static const char *cpu_power_report_not_computed(const void *result)
{
	const struct cpu_power *power = result;

	return power->nr_cpus ? NULL : "the trace has no cpu_frequency or cpu_idle events";
}

static const void *cpu_rows(const void *result, size_t *nr)
{
	const struct cpu_power *power = result;

	*nr = power->nr_cpus;
	return power->cpus;
}

static const void *state_rows(const void *result, size_t *nr)
{
	const struct cpu_power *power = result;

	*nr = power->nr_states;
	return power->states;
}

static const void *thread_rows(const void *result, size_t *nr)
{
	const struct cpu_power *power = result;

	*nr = power->nr_threads;
	return power->threads;
}

static struct table_cell ghz_cell(uint32_t khz)
{
	return (struct table_cell){ .is_unknown = !khz, .real = khz / KHZ_PER_GHZ };
}

static struct table_cell mean_of(const struct cpu_power_speed *speed)
{
	return (struct table_cell){ .is_unknown = !speed->known_ns,
				    .real = cpu_power_mean_ghz(speed) };
}

static struct table_cell cpu_mean_cell(const struct table_source *source, const void *row)
{
	(void)source;
	return mean_of(&((const struct cpu_power_cpu *)row)->speed);
}

static struct table_cell cpu_least_cell(const struct table_source *source, const void *row)
{
	(void)source;
	return ghz_cell(((const struct cpu_power_cpu *)row)->speed.least_khz);
}

static struct table_cell cpu_most_cell(const struct table_source *source, const void *row)
{
	(void)source;
	return ghz_cell(((const struct cpu_power_cpu *)row)->speed.most_khz);
}

static struct table_cell usual_cell(const struct table_source *source, const void *row)
{
	(void)source;
	return ghz_cell(((const struct cpu_power_cpu *)row)->usual_khz);
}

static struct table_cell cpu_lost_cell(const struct table_source *source, const void *row)
{
	const struct cpu_power_cpu *cpu = row;

	(void)source;
	return (struct table_cell){ .is_unknown = !cpu->usual_khz,
				    .whole = (uint64_t)cpu->lost_ns };
}

static struct table_cell state_cell(const struct table_source *source, const void *row)
{
	const struct cpu_power_state *state = row;

	(void)source;
	return (struct table_cell){ .is_unknown = state->state == IDLE_STATE_UNKNOWN,
				    .whole = state->state };
}

static struct table_cell share_cell(const struct table_source *source, const void *row)
{
	(void)source;
	return (struct table_cell){ .real = 100 * ((const struct cpu_power_state *)row)->share };
}

static struct table_cell thread_mean_cell(const struct table_source *source, const void *row)
{
	(void)source;
	return mean_of(&((const struct cpu_power_thread *)row)->speed);
}

static struct table_cell thread_least_cell(const struct table_source *source, const void *row)
{
	(void)source;
	return ghz_cell(((const struct cpu_power_thread *)row)->speed.least_khz);
}

static struct table_cell thread_most_cell(const struct table_source *source, const void *row)
{
	(void)source;
	return ghz_cell(((const struct cpu_power_thread *)row)->speed.most_khz);
}

static struct table_cell thread_lost_cell(const struct table_source *source, const void *row)
{
	(void)source;
	return (struct table_cell){
		.whole = (uint64_t)((const struct cpu_power_thread *)row)->lost_ns,
	};
}

static const struct table_column cpu_columns[] = {
	{ COLUMN_CPU, "cpu", "CPU", "The CPU.", TABLE_FIELD(cpu_power_cpu, cpu) },
	{ COLUMN_TIME, "on_cpu_ns", "busy", "For how long threads ran on it.",
	  TABLE_FIELD(cpu_power_cpu, speed.on_cpu_ns) },
	{ COLUMN_TIME, "idle_ns", "idle", "For how long it was in idle states.",
	  TABLE_FIELD(cpu_power_cpu, idle_ns) },
	{ COLUMN_TIME, "offline_ns", NULL, "For how long it was offline, as events of cpuhp tell.",
	  TABLE_FIELD(cpu_power_cpu, offline_ns) },
	{ COLUMN_TIME, "known_ns", "known",
	  "Of the time in which threads ran, that of which the frequency is known.",
	  TABLE_FIELD(cpu_power_cpu, speed.known_ns) },
	{ COLUMN_NUMBER, "mean_ghz", "GHz", "The mean frequency in that time.",
	  .cell = cpu_mean_cell },
	{ COLUMN_NUMBER, "least_ghz", "least", "The lowest frequency in that time.",
	  .cell = cpu_least_cell },
	{ COLUMN_NUMBER, "most_ghz", "most", "The highest one.", .cell = cpu_most_cell },
	{ COLUMN_NUMBER, "usual_ghz", "usual",
	  "The highest one that it reached in a tenth of the time in which threads of the session ran.",
	  .cell = usual_cell },
	{ COLUMN_TIME, "lost_ns", "lost",
	  "What these threads lost because the CPU was slower than that.", .cell = cpu_lost_cell },
	{ COLUMN_FROM, "worst_from_ns", NULL, "When the frequency that cost most began.",
	  TABLE_FIELD(cpu_power_cpu, worst_from_ns) },
	{ COLUMN_TO, "worst_to_ns", NULL, "When it ended.",
	  TABLE_FIELD(cpu_power_cpu, worst_to_ns) },
	{ 0 },
};

static const struct table_column state_columns[] = {
	{ COLUMN_CPU, "cpu", "CPU", "The CPU.", TABLE_FIELD(cpu_power_state, cpu) },
	{ COLUMN_COUNT, "state", "state",
	  "The kernel's number of the idle state; null where its begin is not in the trace.",
	  .cell = state_cell },
	{ COLUMN_COUNT, "entries", "entries", "How often it was entered.",
	  TABLE_FIELD(cpu_power_state, entries) },
	{ COLUMN_TIME, "ns", "time", "For how long the CPU was in it.",
	  TABLE_FIELD(cpu_power_state, ns) },
	{ COLUMN_NUMBER, "share_pct", "share %", "The share of the trace's time.",
	  .cell = share_cell },
	{ 0 },
};

static const struct table_column thread_columns[] = {
	{ COLUMN_THREAD, NULL, "thread", "The thread.", TABLE_FIELD(cpu_power_thread, thread) },
	{ COLUMN_TIME, "on_cpu_ns", "on CPU", "For how long it ran.",
	  TABLE_FIELD(cpu_power_thread, speed.on_cpu_ns) },
	{ COLUMN_TIME, "known_ns", "known", "Of that, the CPU's frequency is known.",
	  TABLE_FIELD(cpu_power_thread, speed.known_ns) },
	{ COLUMN_NUMBER, "mean_ghz", "GHz", "The mean frequency in that time.",
	  .cell = thread_mean_cell },
	{ COLUMN_NUMBER, "least_ghz", "least", "The lowest frequency in that time.",
	  .cell = thread_least_cell },
	{ COLUMN_NUMBER, "most_ghz", "most", "The highest one.", .cell = thread_most_cell },
	{ COLUMN_TIME, "lost_ns", "lost",
	  "What it lost because CPUs were slower than usual (as for CPUs).",
	  .cell = thread_lost_cell },
	{ 0 },
};

static const struct analysis_table tables[] = {
	{ "cpus", "CPUs", "CPU", cpu_columns, sizeof(struct cpu_power_cpu), cpu_rows },
	{ "states", "Idle states", "state", state_columns, sizeof(struct cpu_power_state),
	  state_rows },
	{ "threads", "Threads", "thread", thread_columns, sizeof(struct cpu_power_thread),
	  thread_rows },
	{ 0 },
};

static const struct catalogue_entry catalogue[] = {
	{
		FINDING_FREQUENCY_DROP,
		"a CPU runs more slowly than it did before",
		"A CPU that ran threads of the session had a lower frequency than its usual one for a part "
		"of that time: it was too hot, its power was limited, or the governor had not yet raised "
		"the frequency. The same work took longer then.",
		"The usual frequency of a CPU is the highest that it reached in a tenth of the time in which "
		"it ran threads of the session. What took t at a lower frequency f would have taken "
		"t * f / usual: the rest is lost, a tenth of the time or more. Work that waits for memory "
		"loses less, and others may not have waited for these threads: so this is an upper bound, "
		"that of the CPU that lost most.",
		"In the page, the frequency is a track below the slices of each CPU. annot report --show "
		"cpu_power lists CPUs and threads with their mean frequencies.",
		CATALOGUE_CURES(
			"If frequencies drop after a while under load, look for heat or a power limit: "
			"turbostat, or the files thermal_throttle of each CPU in /sys/devices/system/cpu.",
			"If they are low whenever a thread begins to run, let the governor be 'performance' "
			"(cpupower frequency-set -g performance) while you measure.",
			"Wide vector instructions (AVX-512) lower the frequency of some CPUs: use them where "
			"they gain more than that.",
			"For measurements that can be compared, set a frequency that the machine can "
			"sustain (cpupower frequency-set -u)."),
	},
	{ 0 },
};

const struct analysis_desc cpu_power_analysis = {
	.name = "cpu_power",
	.help = "idle states and frequencies of CPUs; how fast threads ran",
	.title = "CPU power",
	.tables = tables,
	.catalogue = catalogue,
	.compute = cpu_power_report_compute,
	.free = cpu_power_report_free,
	.add_findings = cpu_power_report_add_findings,
	.not_computed = cpu_power_report_not_computed,
};
