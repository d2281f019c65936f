// SPDX-License-Identifier: GPL-2.0
#include <stdlib.h>

#include "analysis/instances/slow_instances_findings.h"
#include "report/analysis_list.h"
#include "report/table/analysis_table.h"
#include "util/xalloc.h"

static void *slow_instances_report_compute(const struct analyses *analyses)
{
	struct slow_instances *result = xcalloc(1, sizeof(*result));

	*result = slow_instances_compute(analyses->model, analyses->stats, analyses->deadlines);
	return result;
}

static void slow_instances_report_free(void *result)
{
	slow_instances_free(result);
	free(result);
}

static const void *task_rows(const void *result, size_t *nr)
{
	const struct slow_instances *slow = result;

	*nr = slow->nr_tasks;
	return slow->tasks;
}

static const void *deadline_rows(const void *result, size_t *nr)
{
	const struct slow_instances *slow = result;

	*nr = slow->nr_deadlines;
	return slow->deadlines;
}

static const void *part_rows(const void *result, size_t *nr)
{
	const struct slow_instances *slow = result;

	*nr = slow->nr_parts;
	return slow->parts;
}

static const void *instance_rows(const void *result, size_t *nr)
{
	const struct slow_instances *slow = result;

	*nr = slow->nr_instances;
	return slow->instances;
}

static struct table_cell string_cell(const struct table_source *source, uint32_t id)
{
	return (struct table_cell){ .is_unknown = id == TRACE_NO_STRING,
				    .text = trace_string(source->analyses->model->trace, id) };
}

/* Of all rows: `task` is their first field. */
static struct table_cell task_cell(const struct table_source *source, const void *row)
{
	const struct task_stats *stats = source->analyses->stats;

	return string_cell(source, stats->tasks[*(const uint32_t *)row].name);
}

static struct table_cell deadline_cell(uint64_t deadline_ns)
{
	return (struct table_cell){ .is_unknown = !deadline_ns, .whole = deadline_ns };
}

static struct table_cell task_deadline_cell(const struct table_source *source, const void *row)
{
	(void)source;
	return deadline_cell(((const struct slow_instances_task *)row)->deadline_ns);
}

static struct table_cell part_deadline_cell(const struct table_source *source, const void *row)
{
	(void)source;
	return deadline_cell(((const struct slow_instances_part *)row)->deadline_ns);
}

static struct table_cell instance_deadline_cell(const struct table_source *source, const void *row)
{
	(void)source;
	return deadline_cell(((const struct slow_instance *)row)->deadline_ns);
}

/* All tasks are of one recording, in which the kernel is counted or is not. */
static struct table_cell part_cell(const struct table_source *source, enum instance_part part)
{
	const struct slow_instances *slow = source->result;

	return (struct table_cell){ .text = instance_part_name(part, slow->tasks[0].with_kernel) };
}

static struct table_cell task_most_cell(const struct table_source *source, const void *row)
{
	return part_cell(source, ((const struct slow_instances_task *)row)->most);
}

static struct table_cell task_cause_cell(const struct table_source *source, const void *row)
{
	const struct slow_instances_task *task = row;

	return string_cell(source, task->cause);
}

static struct table_cell part_name_cell(const struct table_source *source, const void *row)
{
	return part_cell(source, ((const struct slow_instances_part *)row)->part);
}

static struct table_cell part_cause_cell(const struct table_source *source, const void *row)
{
	const struct slow_instances_part *part = row;

	return string_cell(source, part->cause);
}

static struct table_cell instance_most_cell(const struct table_source *source, const void *row)
{
	const struct slow_instance *instance = row;
	struct table_cell cell = part_cell(source, instance->most);

	/* One that is not slow may have no more of anything. */
	cell.is_unknown = instance->parts_ns[instance->most] <= 0;
	return cell;
}

static struct table_cell instance_cause_cell(const struct table_source *source, const void *row)
{
	const struct slow_instance *instance = row;

	return string_cell(source, instance->cause);
}

static struct table_cell counted_cell(bool is_counted, double value)
{
	return (struct table_cell){ .is_unknown = !is_counted, .real = value };
}

static struct table_cell typical_ipc_cell(const struct table_source *source, const void *row)
{
	const struct slow_instances_task *task = row;

	(void)source;
	return counted_cell(task->is_counted, task->typical_ipc);
}

static struct table_cell typical_ghz_cell(const struct table_source *source, const void *row)
{
	const struct slow_instances_task *task = row;

	(void)source;
	return counted_cell(task->is_counted && task->with_kernel, task->typical_ghz);
}

static struct table_cell instructions_cell(const struct table_source *source, const void *row)
{
	const struct slow_instance *instance = row;

	(void)source;
	return counted_cell(instance->is_counted, instance->instructions);
}

static struct table_cell ipc_cell(const struct table_source *source, const void *row)
{
	const struct slow_instance *instance = row;

	(void)source;
	return counted_cell(instance->is_counted, instance->ipc);
}

static struct table_cell ghz_cell(const struct table_source *source, const void *row)
{
	const struct slow_instance *instance = row;
	const struct slow_instances *slow = source->result;

	return counted_cell(instance->is_counted && slow->tasks[0].with_kernel, instance->ghz);
}

#define TASK_FIELD(field) TABLE_FIELD(slow_instances_task, field)

static const struct table_column task_columns[] = {
	{ COLUMN_TEXT, "task", "task", "The task.", .cell = task_cell },
	{ COLUMN_TIME, "deadline_ns", "deadline",
	  "The deadline by which they are slow; null: none.", .cell = task_deadline_cell },
	{ COLUMN_COUNT, "instances", "count",
	  "How many instances begin and end in the trace, without those inside another of the task.",
	  TASK_FIELD(nr_instances) },
	{ COLUMN_COUNT, "slow", "slow",
	  "How many are slow: beyond the upper quartile by more than 1.5 times the distance of the "
	  "quartiles, and longer than the median by a tenth; with a deadline, longer than that.",
	  TASK_FIELD(nr_slow) },
	{ COLUMN_TIME, "median_ns", NULL, "The median of the wall times.", TASK_FIELD(median_ns) },
	{ COLUMN_TIME, "typical_ns", "typical", "The mean wall time of the middle half.",
	  TASK_FIELD(typical_ns) },
	{ COLUMN_TIME, "slow_ns", "slow ones", "The mean wall time of the slow ones.",
	  TASK_FIELD(slow_ns) },
	{ COLUMN_TIME, "extra_ns", "extra",
	  "The extra time of all slow ones: by how much each is longer than the typical time.",
	  TASK_FIELD(extra_ns) },
	{ COLUMN_TIME, "under_way_ns", NULL,
	  "For how long one slow instance or more was under way.", TASK_FIELD(under_way_ns) },
	{ COLUMN_TEXT, "most", "most of it", "The greatest part of the extra time.",
	  .cell = task_most_cell },
	{ COLUMN_TEXT, "cause", "on",
	  "What slow ones were blocked on, or who had the CPU longest while they waited for it, if that "
	  "is the greatest part.",
	  .cell = task_cause_cell },
	{ COLUMN_NUMBER, "p_value", NULL,
	  "The chance that so many are so slow if wall times differ by normal noise only; 1 of a task "
	  "with a deadline.",
	  TASK_FIELD(p_value) },
	{ COLUMN_NUMBER, "most_pct", "%",
	  "The share of that part, in percent: more than 100 if others are negative.",
	  TASK_FIELD(most_share_pct) },
	{ COLUMN_NUMBER, "typical_ipc", NULL, "Instructions per cycle of typical ones.",
	  .cell = typical_ipc_cell },
	{ COLUMN_NUMBER, "typical_ghz", NULL,
	  "Cycles in a nanosecond on a CPU, of typical ones. Null if the kernel was not counted.",
	  .cell = typical_ghz_cell },
	{ COLUMN_NUMBER, "typical_moves", NULL,
	  "How often a typical one came to another CPU, on average. What that cost is in the parts: "
	  "caches are cold there.",
	  TASK_FIELD(typical_moves) },
	{ COLUMN_NUMBER, "slow_moves", NULL, "The same of the slow ones.", TASK_FIELD(slow_moves) },
	{ COLUMN_THREAD, NULL, "slowest", "The thread of the slowest one.",
	  TASK_FIELD(slowest_thread) },
	{ COLUMN_FROM, "slowest_from_ns", NULL, "When the slowest one began.",
	  TASK_FIELD(slowest_from_ns) },
	{ COLUMN_TO, "slowest_to_ns", NULL, "When it ended.", TASK_FIELD(slowest_to_ns) },
	{ 0 },
};

#define DEADLINE_FIELD(field) TABLE_FIELD(slow_instances_deadline, field)

static const struct table_column deadline_columns[] = {
	{ COLUMN_TEXT, "task", "task", "The task.", .cell = task_cell },
	{ COLUMN_TIME, "deadline_ns", "deadline", "How long an instance may take.",
	  DEADLINE_FIELD(deadline_ns) },
	{ COLUMN_COUNT, "instances", "count",
	  "How many instances begin and end in the trace, without those inside another of the task.",
	  DEADLINE_FIELD(nr_instances) },
	{ COLUMN_COUNT, "missed", "missed", "How many of these took longer.",
	  DEADLINE_FIELD(nr_missed) },
	{ COLUMN_NUMBER, "missed_pct", "%", "The same in percent.", DEADLINE_FIELD(missed_pct) },
	{ COLUMN_TIME, "longest_ns", "longest", "How long the longest one took; 0: there is none.",
	  DEADLINE_FIELD(longest_ns) },
	{ COLUMN_THREAD, NULL, "by", "The thread of the longest one.",
	  DEADLINE_FIELD(longest_thread) },
	{ COLUMN_FROM, "longest_from_ns", NULL, "When it began.", DEADLINE_FIELD(longest_from_ns) },
	{ COLUMN_TO, "longest_to_ns", NULL, "When it ended.", DEADLINE_FIELD(longest_to_ns) },
	{ 0 },
};

#define PART_FIELD(field) TABLE_FIELD(slow_instances_part, field)

static const struct table_column part_columns[] = {
	{ COLUMN_TEXT, "task", "task", "The task.", .cell = task_cell },
	{ COLUMN_TIME, "deadline_ns", "deadline",
	  "The deadline by which they are slow; null: none.", .cell = part_deadline_cell },
	{ COLUMN_TEXT, "part", "part", "What slow instances have more of.",
	  .cell = part_name_cell },
	{ COLUMN_TEXT, "cause", "on", "Of blocked time: what it waited for.",
	  .cell = part_cause_cell },
	{ COLUMN_CHANGE, "extra_ns", "extra",
	  "How much more, on average of the slow ones. Parts of a task add up to its extra time; those "
	  "below a thousandth of it are left out.",
	  PART_FIELD(extra_ns) },
	{ COLUMN_NUMBER, "share_pct", "%", "The share of the extra time, in percent.",
	  PART_FIELD(share_pct) },
	{ COLUMN_NUMBER, "p_value", "p-value",
	  "The p-value that slow instances have no other part than typical ones (Mann and Whitney's "
	  "test).",
	  PART_FIELD(p_value) },
	{ 0 },
};

#define INSTANCE_FIELD(field) TABLE_FIELD(slow_instance, field)
#define INSTANCE_PART(key, part, meaning)                                         \
	{                                                                         \
		COLUMN_CHANGE, key, NULL, meaning, INSTANCE_FIELD(parts_ns[part]) \
	}

static const struct table_column instance_columns[] = {
	{ COLUMN_TEXT, "task", "task", "The task.", .cell = task_cell },
	{ COLUMN_TIME, "deadline_ns", "deadline", "The deadline by which it is slow; null: none.",
	  .cell = instance_deadline_cell },
	{ COLUMN_THREAD, NULL, "thread", "The thread.", INSTANCE_FIELD(thread) },
	{ COLUMN_FROM, "from_ns", "from", "When it began.", INSTANCE_FIELD(from_ns) },
	{ COLUMN_TO, "to_ns", NULL, "When it ended.", INSTANCE_FIELD(to_ns) },
	{ COLUMN_TIME, "wall_ns", "wall", "How long it took.", INSTANCE_FIELD(wall_ns) },
	{ COLUMN_CHANGE, "extra_ns", "extra",
	  "By how much it is longer than the typical time: the sum of its parts.",
	  INSTANCE_FIELD(extra_ns) },
	{ COLUMN_TEXT, "most", "most of it", "The greatest part.", .cell = instance_most_cell },
	{ COLUMN_TEXT, "cause", "on",
	  "What it was blocked on, or who had the CPU longest while it waited for it, if that is it.",
	  .cell = instance_cause_cell },
	{ COLUMN_NUMBER, "instructions", NULL, "Instructions of its useful time.",
	  .cell = instructions_cell },
	{ COLUMN_NUMBER, "ipc", "IPC", "Instructions per cycle.", .cell = ipc_cell },
	{ COLUMN_NUMBER, "ghz", "GHz",
	  "Cycles in a nanosecond on a CPU. Null if the kernel was not counted.",
	  .cell = ghz_cell },
	{ COLUMN_COUNT, "moves", "moved", "How often it came to another CPU.",
	  INSTANCE_FIELD(moves) },
	INSTANCE_PART("instructions_ns", PART_INSTRUCTIONS, "Part: it executed more instructions."),
	INSTANCE_PART("misses_ns", PART_MISSES,
		      "Part: fewer instructions per cycle, as misses explain."),
	INSTANCE_PART("sibling_ns", PART_SIBLING,
		      "Part: fewer instructions per cycle, as a busy SMT sibling explains."),
	INSTANCE_PART("ipc_ns", PART_IPC, "Part: fewer instructions per cycle, for other reasons."),
	INSTANCE_PART(
		"clock_ns", PART_CLOCK,
		"Part: more time per cycle: a lower frequency, or time in the kernel if that was "
		"not counted."),
	INSTANCE_PART("useful_ns", PART_USEFUL,
		      "Part: longer on a CPU, where the five before were not counted."),
	INSTANCE_PART("stolen_ns", PART_STOLEN, "Part: interrupts."),
	INSTANCE_PART("spinning_ns", PART_SPINNING, "Part: on a CPU in wait spans."),
	INSTANCE_PART("preempted_ns", PART_PREEMPTED, "Part: preempted."),
	INSTANCE_PART("wakeup_ns", PART_WAKEUP, "Part: woken, and not yet on a CPU."),
	INSTANCE_PART("blocked_ns", PART_BLOCKED, "Part: asleep or stopped."),
	INSTANCE_PART("unknown_ns", PART_UNKNOWN, "Part: of unknown state."),
	{ 0 },
};

static const struct analysis_table tables[] = {
	{ "tasks", "Tasks with slow instances", "task", task_columns,
	  sizeof(struct slow_instances_task), task_rows },
	{ "parts", "What slow instances have more of", "part", part_columns,
	  sizeof(struct slow_instances_part), part_rows },
	{ "instances", "The slowest instances", "instance", instance_columns,
	  sizeof(struct slow_instance), instance_rows },
	{ "deadlines", "Deadlines", "deadline", deadline_columns,
	  sizeof(struct slow_instances_deadline), deadline_rows },
	{ 0 },
};

static const struct catalogue_entry catalogue[] = {
	{
		FINDING_SLOW_INSTANCES,
		"some instances of a task are much slower than the others",
		"A few instances of a task take much longer than typical ones, more than by chance. Who waits "
		"for all of them waits for the slowest; of a service, these are the late answers.",
		"Of tasks with 30 instances or more, slow are those beyond the upper quartile by more than 1.5 "
		"times the distance of the quartiles. They are a finding if they are three or more and take "
		"1.5 times the typical time on average, and the chance that so many are so slow is below 1 % if "
		"times differ by normal noise only. annot splits their extra time into parts that add up to it, and names the "
		"greatest if a rank test says that slow ones differ in it from typical ones (p below 1 %). With "
		"a deadline, slow are those that miss it. The time lost is at most the extra time, or as long "
		"as a slow one was under way.",
		"In the page, the analysis 'Slow instances' lists the slowest, each with its parts; a click "
		"shows it. annot report --show slow_instances prints the same, --show percentiles how long "
		"instances take.",
		CATALOGUE_CURES(
			"Preempted, or woken late: keep other programs off these CPUs, or pin to CPUs of their "
			"own (taskset, cpusets), or raise the priority (chrt, nice).",
			"Blocked: shorten what is waited for: a shorter critical section, asynchronous I/O, "
			"more places in a queue.",
			"More instructions: look at what these instances have as input; split large ones.",
			"Lower IPC by misses: keep their data in the cache; see the working set.",
			"Stolen by interrupts: move interrupts to other CPUs (/proc/irq/*/smp_affinity)."),
	},
	{ 0 },
};

static void slow_instances_report_add_findings(const struct analyses *analyses, const void *result,
					       struct findings *findings)
{
	slow_instances_add_findings(analyses->model, analyses->stats, result, findings);
}

const struct analysis_desc slow_instances_analysis = {
	.name = "slow_instances",
	.help = "what the slow instances of a task have more of than typical ones",
	.title = "Slow instances",
	.tables = tables,
	.catalogue = catalogue,
	.compute = slow_instances_report_compute,
	.free = slow_instances_report_free,
	.add_findings = slow_instances_report_add_findings,
};
