// SPDX-License-Identifier: GPL-2.0
#include <stdlib.h>

#include "analysis/sched/interrupt_load.h"
#include "report/analysis_list.h"
#include "report/table/analysis_table.h"
#include "util/xalloc.h"

static void *interrupt_load_report_compute(const struct analyses *analyses)
{
	struct interrupt_load *result = xcalloc(1, sizeof(*result));

	*result = interrupt_load_compute(analyses->model);
	return result;
}

static void interrupt_load_report_free(void *result)
{
	interrupt_load_free(result);
	free(result);
}

static void interrupt_load_report_add_findings(const struct analyses *analyses, const void *result,
					       struct findings *findings)
{
	interrupt_load_add_findings(analyses->model, result, findings);
}

static const char *interrupt_load_report_not_computed(const void *result)
{
	const struct interrupt_load *load = result;

	return load->nr_cpus ? NULL : "the trace has no interrupts: record events of irq";
}

static const void *cpu_rows(const void *result, size_t *nr)
{
	const struct interrupt_load *load = result;

	*nr = load->nr_cpus;
	return load->cpus;
}

static const void *source_rows(const void *result, size_t *nr)
{
	const struct interrupt_load *load = result;

	*nr = load->nr_sources;
	return load->sources;
}

static struct table_cell share_cell(const struct table_source *source, const void *row)
{
	const struct interrupt_load_cpu *cpu = row;

	(void)source;
	if (!cpu->session_ns)
		return (struct table_cell){ .is_unknown = true };
	return (struct table_cell){
		.real = 100 * (double)cpu->stolen_ns / (double)cpu->session_ns,
	};
}

static struct table_cell victim_cell(const struct table_source *source, const void *row)
{
	const struct interrupt_load_cpu *cpu = row;

	(void)source;
	return (struct table_cell){ .is_unknown = cpu->worst_thread == MODEL_NO_THREAD,
				    .whole = cpu->worst_thread };
}

static struct table_cell name_cell(const struct table_source *source, const void *row)
{
	const struct interrupt_load_source *own = row;

	return (struct table_cell){
		.text = trace_string(source->analyses->model->trace, own->name),
	};
}

static struct table_cell kind_cell(const struct table_source *source, const void *row)
{
	static const char *const names[NR_TRACE_INTERRUPT_KINDS] = {
		[TRACE_SOFTIRQ] = "softirq", [TRACE_TASKLET] = "tasklet",
		[TRACE_HARDIRQ] = "hardirq", [TRACE_VECTOR] = "vector",
		[TRACE_IPI] = "IPI",
	};

	(void)source;
	return (struct table_cell){
		.text = names[((const struct interrupt_load_source *)row)->kind],
	};
}

#define CPU_FIELD(field) TABLE_FIELD(interrupt_load_cpu, field)
#define SOURCE_FIELD(field) TABLE_FIELD(interrupt_load_source, field)

static const struct table_column cpu_columns[] = {
	{ COLUMN_CPU, "cpu", "CPU", "The CPU.", CPU_FIELD(cpu) },
	{ COLUMN_TIME, "session_ns", "session",
	  "For how long threads of the session were on it, with interrupts.",
	  CPU_FIELD(session_ns) },
	{ COLUMN_TIME, "stolen_ns", "stolen", "Of that, in interrupts.", CPU_FIELD(stolen_ns) },
	{ COLUMN_NUMBER, "stolen_pct", "stolen %", "The share of that.", .cell = share_cell },
	{ COLUMN_COUNT, "interrupts", "count",
	  "How many took it, without those that were inside of others.", CPU_FIELD(interrupts) },
	{ COLUMN_THREAD, NULL, "most from", "The thread from which most was taken.",
	  .cell = victim_cell },
	{ 0 },
};

static const struct table_column source_columns[] = {
	{ COLUMN_CPU, "cpu", "CPU", "The CPU.", SOURCE_FIELD(cpu) },
	{ COLUMN_TEXT, "name", "name",
	  "The name of the handler, the softirq, the tasklet or the vector.", .cell = name_cell },
	{ COLUMN_TEXT, "kind", "kind", "softirq, tasklet, hardirq, vector or IPI.",
	  .cell = kind_cell },
	{ COLUMN_COUNT, "interrupts", "count", "How many there were.", SOURCE_FIELD(interrupts) },
	{ COLUMN_TIME, "ns", "time", "Their time, without what was inside of them.",
	  SOURCE_FIELD(ns) },
	{ COLUMN_TIME, "stolen_ns", "stolen", "Of that, from threads of the session.",
	  SOURCE_FIELD(stolen_ns) },
	{ COLUMN_TIME, "max_ns", "max", "The longest one, with what was inside of it.",
	  SOURCE_FIELD(max_ns) },
	{ COLUMN_FROM, "longest_from_ns", NULL, "When it began.", SOURCE_FIELD(longest_from_ns) },
	{ COLUMN_TO, "longest_to_ns", NULL, "When it ended.", SOURCE_FIELD(longest_to_ns) },
	{ 0 },
};

static const struct analysis_table tables[] = {
	{ "cpus", "CPUs", "CPU", cpu_columns, sizeof(struct interrupt_load_cpu), cpu_rows },
	{ "sources", "Sources", "source", source_columns, sizeof(struct interrupt_load_source),
	  source_rows },
	{ 0 },
};

static const struct catalogue_entry catalogue[] = {
	{
		FINDING_INTERRUPT_LOAD,
		"interrupts take a CPU from the program",
		"On a CPU that ran threads of the session, interrupts, softirqs and tasklets took 5 % of "
		"their time or more.",
		"annot sums the time of interrupts while a thread of the session was on the CPU, and "
		"divides it by the time for which such threads were there. It is an upper bound of what was "
		"lost: others may not have waited for these threads. Only kinds of interrupts count of "
		"which the trace has events.",
		"In the page, interrupts are a strip at the top of each CPU's lane. annot report --show "
		"interrupt_load lists CPUs, and handlers by what they took.",
		CATALOGUE_CURES(
			"Let other CPUs serve the device: /proc/irq/NUMBER/smp_affinity_list, or irqbalance "
			"with a list of banned CPUs.",
			"Keep threads that must not be disturbed off the CPUs that serve devices (taskset), "
			"or start as many threads fewer.",
			"If softirqs of the network take it (NET_RX), spread packets over CPUs that the "
			"program does not use: receive queues (ethtool -L), or rps_cpus in /sys/class/net.",
			"If the local timer does, a kernel with nohz_full= for these CPUs has no tick there "
			"while one thread runs."),
	},
	{ 0 },
};

const struct analysis_desc interrupt_load_analysis = {
	.name = "interrupt_load",
	.help = "interrupts by CPU and handler, what they took from threads",
	.title = "Interrupt load",
	.tables = tables,
	.catalogue = catalogue,
	.compute = interrupt_load_report_compute,
	.free = interrupt_load_report_free,
	.add_findings = interrupt_load_report_add_findings,
	.not_computed = interrupt_load_report_not_computed,
};
