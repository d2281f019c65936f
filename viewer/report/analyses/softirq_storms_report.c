// SPDX-License-Identifier: GPL-2.0
#include <stdlib.h>

#include "analysis/sched/softirq_storms.h"
#include "report/analysis_list.h"
#include "report/table/analysis_table.h"
#include "util/xalloc.h"

static void *softirq_storms_report_compute(const struct analyses *analyses)
{
	struct softirq_storms *result = xcalloc(1, sizeof(*result));

	*result = softirq_storms_compute(analyses->model);
	return result;
}

static void softirq_storms_report_free(void *result)
{
	softirq_storms_free(result);
	free(result);
}

static void softirq_storms_report_add_findings(const struct analyses *analyses, const void *result,
					       struct findings *findings)
{
	softirq_storms_add_findings(analyses->model, result, findings);
}

static const char *softirq_storms_report_not_computed(const void *result)
{
	const struct softirq_storms *storms = result;

	return storms->has_softirqs ? NULL : "the trace has no softirqs: record events of irq";
}

static const void *cpu_rows(const void *result, size_t *nr)
{
	const struct softirq_storms *softirq_storms = result;

	*nr = softirq_storms->nr;
	return softirq_storms->cpus;
}

#define FIELD(field) TABLE_FIELD(softirq_storms_cpu, field)

static struct table_cell name_cell(const struct table_source *source, const void *row)
{
	const struct softirq_storms_cpu *cpu = row;

	return (struct table_cell){
		.text = trace_string(source->analyses->model->trace, cpu->worst_name),
	};
}

static struct table_cell worst_cell(const struct table_source *source, const void *row)
{
	const struct softirq_storms_cpu *cpu = row;

	(void)source;
	return (struct table_cell){ .is_unknown = cpu->worst_thread == MODEL_NO_THREAD,
				    .whole = cpu->worst_thread };
}

static const struct table_column columns[] = {
	{ COLUMN_CPU, "cpu", "CPU", "The CPU.", FIELD(cpu) },
	{ COLUMN_COUNT, "storms", "storms", "How many storms.", FIELD(storms) },
	{ COLUMN_COUNT, "softirqs", "softirqs", "How many softirqs these have.", FIELD(softirqs) },
	{ COLUMN_TIME, "ns", "time", "For how long these ran.", FIELD(ns) },
	{ COLUMN_TEXT, "most", "most", "The kind of softirqs that took most of it.",
	  .cell = name_cell },
	{ COLUMN_TIME, "most_ns", NULL, "What that took.", FIELD(worst_name_ns) },
	{ COLUMN_TIME, "stolen_ns", "stolen",
	  "For how long they interrupted threads of the session.", FIELD(stolen_ns) },
	{ COLUMN_TIME, "waited_ns", "waited",
	  "For how long threads of the session waited for the CPU while they ran, taken together.",
	  FIELD(waited_ns) },
	{ COLUMN_THREAD, NULL, "most from", "The thread that lost most by both.",
	  .cell = worst_cell },
	{ COLUMN_TIME, "longest_ns", "longest", "The longest storm, with its pauses.",
	  FIELD(longest_ns) },
	{ COLUMN_FROM, "longest_from_ns", NULL, "When that began.", FIELD(longest_from_ns) },
	{ COLUMN_TO, "longest_to_ns", NULL, "When it ended.", FIELD(longest_to_ns) },
	{ 0 },
};

static const struct analysis_table tables[] = {
	{ "cpus", "Storms of softirqs", "CPU", columns, sizeof(struct softirq_storms_cpu),
	  cpu_rows },
	{ 0 },
};

static const struct catalogue_entry catalogue[] = {
	{
		FINDING_SOFTIRQ_STORM,
		"softirqs occupy a CPU for milliseconds",
		"The kernel works off packets, timers or block requests in softirqs, one behind the other, for a millisecond or more: where an "
		"interrupt came, or in ksoftirqd. The threads on that CPU do not go on meanwhile.",
		"Softirqs with pauses of 50 us at most, over 1 ms or more, of which they take half or more, are a storm. What they cost is the "
		"time in which they interrupted threads of the session, and in which such threads waited for that CPU while "
		"they ran. '<' stands before the elapsed time in which they did: others need not have waited for these threads.",
		"annot report --show softirq_storms lists CPUs. In the page, the strip at the top of the CPU's lane is full; zoom to one "
		"storm, and see which softirqs it has.",
		CATALOGUE_CURES(
			"NET_RX: let other CPUs take the packets: more receive queues (ethtool -L), /proc/irq/NUMBER/smp_affinity_list, "
			"rps_cpus in /sys/class/net; and fewer, larger ones: interrupt coalescing (ethtool -C), GRO.",
			"Keep threads that must not be disturbed off these CPUs (taskset, isolcpus=), or let the NAPI poll in threads of its "
			"own (/sys/class/net/DEVICE/threaded), which the scheduler can move.",
			"BLOCK: let the CPU complete requests that issued them: rq_affinity in /sys/block/DEVICE/queue.",
			"RCU: rcu_nocbs= moves its callbacks into threads. TIMER, HRTIMER: fewer timers at once."),
	},
	{ 0 },
};

const struct analysis_desc softirq_storms_analysis = {
	.name = "softirq_storms",
	.help = "times in which softirqs occupy a CPU, and what they cost threads",
	.title = "Storms of softirqs",
	.tables = tables,
	.catalogue = catalogue,
	.compute = softirq_storms_report_compute,
	.free = softirq_storms_report_free,
	.add_findings = softirq_storms_report_add_findings,
	.not_computed = softirq_storms_report_not_computed,
};
