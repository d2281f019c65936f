// SPDX-License-Identifier: GPL-2.0
#include "stat/stat_table.h"

#include <inttypes.h>

#define EVENT_COLUMNS 20

enum part {
	INTERVAL,
	TOTAL
};

static const struct count *counts_of(const struct counts *counts, enum part part)
{
	return part == TOTAL ? counts->total : counts->interval;
}

/* How much of the time it was counted, in percent; the lesser of what its sides were. */
static double ran_percent(const struct count *sides)
{
	double least = 100;
	bool counted = false;

	for (int side = 0; side < NR_COUNTERS_SIDES; side++) {
		double percent;

		if (!sides[side].enabled_ns)
			continue;
		percent = 100.0 * (double)sides[side].running_ns / (double)sides[side].enabled_ns;
		least = percent < least ? percent : least;
		counted = true;
	}
	return counted ? least : 0;
}

/* Was @side counted? Without a moment of running, nothing is known. */
static bool is_known(const struct count *side)
{
	return side->running_ns;
}

static bool both_known(const struct count *sides)
{
	return is_known(&sides[COUNTERS_USER]) && is_known(&sides[COUNTERS_KERNEL]);
}

static uint64_t sum_sides(const struct count *sides)
{
	return sides[COUNTERS_USER].count + sides[COUNTERS_KERNEL].count;
}

static void print_count(const struct stat_table *table, bool known, uint64_t count)
{
	if (table->csv && known)
		fprintf(table->out, ",%" PRIu64, count);
	else if (table->csv)
		putc(',', table->out);
	else if (known)
		fprintf(table->out, " %12" PRIu64, count);
	else
		fprintf(table->out, " %12s", "-");
}

static void print_ran(const struct stat_table *table, double percent)
{
	if (table->csv)
		fprintf(table->out, ",%.2f\n", percent);
	else
		fprintf(table->out, " %4.0f%%\n", percent);
}

static void print_row(struct stat_table *table, const char *time, const char *cpu,
		      const char *event, const struct count *sides)
{
	double percent = ran_percent(sides);

	if (table->csv)
		fprintf(table->out, "%s,%s,%s", time, cpu, event);
	else
		fprintf(table->out, "%9s %4s %-*s", time, cpu, EVENT_COLUMNS, event);
	for (int side = 0; side < NR_COUNTERS_SIDES; side++)
		print_count(table, is_known(&sides[side]), sides[side].count);
	print_count(table, both_known(sides), sum_sides(sides));
	print_ran(table, percent);
	table->was_scaled = table->was_scaled || (percent > 0 && percent < 100);
}

/* A CPU that was never on line, or on which the event cannot be counted, has no line. */
static bool was_counted(const struct counts *counts)
{
	return counts->total[COUNTERS_USER].enabled_ns || counts->total[COUNTERS_KERNEL].enabled_ns;
}

static void print_event(struct stat_table *table, const struct counters *counters, size_t event,
			const char *time, enum part part)
{
	struct count all[NR_COUNTERS_SIDES] = { 0 };
	size_t nr_cpus = counters_nr_cpus(counters);
	const char *name = counters_event(counters, event);
	char cpu_text[16];

	for (size_t cpu = 0; cpu < nr_cpus; cpu++) {
		const struct counts *counts = counters_get(counters, cpu, event);
		const struct count *sides = counts_of(counts, part);

		if (!was_counted(counts))
			continue;
		for (int side = 0; side < NR_COUNTERS_SIDES; side++)
			count_add(&all[side], &sides[side]);
		snprintf(cpu_text, sizeof(cpu_text), "%d", counters_cpu(counters, cpu));
		print_row(table, time, cpu_text, name, sides);
	}
	if (nr_cpus > 1 && !table->csv)
		print_row(table, time, "all", name, all);
}

void stat_table_print_head(const struct stat_table *table)
{
	if (table->csv)
		fputs("time_s,cpu,event,user,kernel,both,ran_percent\n", table->out);
	else
		fprintf(table->out, "%9s %4s %-*s %12s %12s %12s %5s\n", "TIME_S", "CPU",
			EVENT_COLUMNS, "EVENT", "USER", "KERNEL", "BOTH", "RAN");
}

void stat_table_print_interval(struct stat_table *table, const struct counters *counters,
			       double time_s)
{
	char time[32];

	snprintf(time, sizeof(time), "%.3f", time_s);
	for (size_t event = 0; event < counters_nr_events(counters); event++)
		print_event(table, counters, event, time, INTERVAL);
	fflush(table->out);
}

void stat_table_print_totals(struct stat_table *table, const struct counters *counters,
			     double time_s)
{
	if (table->csv)
		return;
	fprintf(table->out, "\nin all, in %.3f s:\n", time_s);
	for (size_t event = 0; event < counters_nr_events(counters); event++)
		print_event(table, counters, event, "", TOTAL);
	if (table->was_scaled)
		fputs("\nCounts are estimates where RAN is below 100%: the CPU has too few counters\nfor all events at once, so each counted for that share of the time.\n",
		      table->out);
}
