// SPDX-License-Identifier: GPL-2.0
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "overview_checks.h"

#define NR_NAMES 4
#define NR_IDLE_STATES 256

/* How much of [from, to) is in a bucket. */
static uint64_t overlap(const struct result *result, uint64_t from, uint64_t to, uint64_t bucket)
{
	uint64_t start = bucket * result->bucket_ns, end = start + result->bucket_ns;

	from = from > start ? from : start;
	to = to < end ? to : end;
	return from < to ? to - from : 0;
}

/* Calls add(sums, what, ns) for the parts of a row in buckets; sums has @width for each bucket. */
static void spread(const struct result *result, uint64_t *sums, size_t width, size_t what,
		   uint64_t from, uint64_t to)
{
	for (uint64_t i = from / result->bucket_ns; i < result->nr_buckets; i++) {
		if (i * result->bucket_ns >= to)
			return;
		sums[i * width + what] += overlap(result, from, to, i);
	}
}

/* That @share is of 255 what @ns is of a bucket, to 1. */
static void expect_share(const struct result *result, int64_t share, uint64_t ns)
{
	uint64_t exact = ns * 255 / result->bucket_ns;

	if (!exact && ns)
		exact = 1;
	assert_int_equal(share, exact);
}

static size_t index_of_most(const uint64_t *amounts, size_t nr)
{
	size_t most = 0;

	for (size_t i = 1; i < nr; i++)
		most = amounts[i] > amounts[most] ? i : most;
	return most;
}

static void check_cpu(const struct result *result, const struct model *model, int cpu)
{
	const struct slice_table *slices = &model->cpus[cpu].slices;
	const struct table *table = find_table(result, CPU, (uint64_t)cpu);
	uint64_t *sums = calloc(result->nr_buckets * model->nr_threads, sizeof(*sums));

	for (size_t i = 0; i < slices->nr; i++)
		spread(result, sums, model->nr_threads, slices->thread[i], slices->start_ns[i],
		       slices->end_ns[i]);
	assert_int_equal(!table, !slices->nr);
	if (table)
		assert_int_equal(table->nr, result->nr_buckets);
	for (size_t i = 0; table && i < result->nr_buckets; i++) {
		const uint64_t *own = &sums[i * model->nr_threads];
		size_t most = index_of_most(own, model->nr_threads);
		uint64_t busy = 0;

		for (size_t j = 0; j < model->nr_threads; j++)
			busy += own[j];
		assert_int_equal(table->columns[0][i], own[most] ? most + 1 : 0);
		expect_share(result, table->columns[1][i], busy);
	}
	free(sums);
}

/* A table of what lasted longest, and the share of all: against @sums, of @nr numbers for each bucket. */
static void check_most(const struct result *result, int kind, int cpu, const uint64_t *sums,
		       size_t nr)
{
	const struct table *table = find_table(result, kind, (uint64_t)cpu);
	size_t *rows = table ? rows_of_buckets(result, table, 0, table->nr) : NULL;

	for (size_t i = 0; i < result->nr_buckets; i++) {
		const uint64_t *own = &sums[i * nr];
		uint64_t most = index_of_most(own, nr), ns = 0;

		for (size_t j = 0; j < nr; j++)
			ns += own[j];
		assert_true(table || !ns);
		if (!table)
			continue;
		assert_int_equal(table->columns[1][rows[i]], ns ? most : 0);
		expect_share(result, table->columns[2][rows[i]], ns);
	}
	free(rows);
}

static void check_idle(const struct result *result, const struct model *model, int cpu)
{
	const struct idle_table *idle = &model->cpus[cpu].idle;
	uint64_t *sums = calloc(result->nr_buckets * NR_IDLE_STATES, sizeof(*sums));

	for (size_t i = 0; i < idle->nr; i++)
		spread(result, sums, NR_IDLE_STATES, idle->state[i], idle->start_ns[i],
		       idle->end_ns[i]);
	check_most(result, IDLE, cpu, sums, NR_IDLE_STATES);
	free(sums);
}

static void check_interrupts(const struct result *result, const struct model *model, int cpu)
{
	const struct interrupt_table *interrupts = &model->cpus[cpu].interrupts;
	uint64_t *sums = calloc(result->nr_buckets * NR_TRACE_INTERRUPT_KINDS, sizeof(*sums));

	for (size_t i = 0; i < interrupts->nr; i++) {
		if (!interrupts->depth[i])
			spread(result, sums, NR_TRACE_INTERRUPT_KINDS, interrupts->kind[i],
			       interrupts->start_ns[i], interrupts->end_ns[i]);
	}
	check_most(result, INTERRUPTS, cpu, sums, NR_TRACE_INTERRUPT_KINDS);
	free(sums);
}

/* In a bucket: kHz times ns of all, and the extremes. */
struct frequency_sums {
	uint64_t ns;
	double sum;
	uint32_t least;
	uint32_t most;
};

static void spread_frequencies(const struct result *result,
			       const struct frequency_table *frequencies,
			       struct frequency_sums *sums)
{
	for (size_t i = 0; i < frequencies->nr; i++) {
		for (size_t bucket = 0; bucket < result->nr_buckets; bucket++) {
			struct frequency_sums *own = &sums[bucket];
			uint32_t khz = frequencies->khz[i];
			uint64_t ns = overlap(result, frequencies->start_ns[i],
					      frequencies->end_ns[i], bucket);

			if (!ns)
				continue;
			own->least = own->ns && own->least < khz ? own->least : khz;
			own->most = own->most > khz ? own->most : khz;
			own->ns += ns;
			own->sum += (double)khz * (double)ns;
		}
	}
}

static void check_frequencies(const struct result *result, const struct model *model, int cpu)
{
	const struct frequency_table *frequencies = &model->cpus[cpu].frequencies;
	const struct table *table = find_table(result, FREQUENCIES, (uint64_t)cpu);
	struct frequency_sums *sums = calloc(result->nr_buckets, sizeof(*sums));
	size_t *rows;

	assert_int_equal(!table, !frequencies->nr);
	spread_frequencies(result, frequencies, sums);
	rows = table ? rows_of_buckets(result, table, 0, table->nr) : NULL;
	for (size_t i = 0; table && i < result->nr_buckets; i++) {
		double mean = sums[i].ns ? sums[i].sum / (double)sums[i].ns : 0;

		assert_int_equal(table->columns[1][rows[i]], sums[i].least);
		assert_int_equal(table->columns[2][rows[i]], sums[i].most);
		assert_int_equal(table->columns[3][rows[i]], (int64_t)(mean + 0.5));
	}
	free(rows);
	free(sums);
}

#define MAX_DEVICES 16 /* of a made-up machine */

static void check_device(const struct result *result, const struct block_io_table *block_io,
			 uint32_t device)
{
	const struct table *table = find_table(result, DEVICES, device);
	uint64_t *sums = calloc(result->nr_buckets, sizeof(*sums));
	size_t *rows;

	assert_non_null(table);
	for (size_t i = 0; i < block_io->nr; i++) {
		if (block_io->device[i] == device)
			spread(result, sums, 1, 0, block_io->start_ns[i], block_io->end_ns[i]);
	}
	rows = rows_of_buckets(result, table, 0, table->nr);
	for (size_t i = 0; i < result->nr_buckets; i++) {
		double mean = (double)sums[i] / (double)result->bucket_ns;
		int64_t thousandths = (int64_t)(mean * 1000 + 0.5);

		assert_int_equal(table->columns[1][rows[i]],
				 sums[i] && !thousandths ? 1 : thousandths);
	}
	free(rows);
	free(sums);
}

/* As many tables as devices have requests that take time. */
static void check_devices(const struct result *result, const struct model *model)
{
	const struct block_io_table *block_io = &model->block_io;
	uint32_t devices[MAX_DEVICES];
	size_t nr_devices = 0, nr_tables = 0;

	for (size_t i = 0; i < block_io->nr; i++) {
		size_t at = 0;

		if (block_io->end_ns[i] == block_io->start_ns[i])
			continue;
		while (at < nr_devices && devices[at] != block_io->device[i])
			at++;
		if (at < nr_devices)
			continue;
		assert_true(nr_devices < MAX_DEVICES);
		devices[nr_devices++] = block_io->device[i];
		check_device(result, block_io, block_io->device[i]);
	}
	for (size_t i = 0; i < result->nr; i++)
		nr_tables += result->tables[i].kind == DEVICES;
	assert_int_equal(nr_tables, nr_devices);
}

/* What of @count came in [@from, @to) of a reading, evenly, in whole counts. */
static uint64_t count_in(const struct uncore_reading_table *readings, size_t row, uint64_t from,
			 uint64_t to)
{
	uint64_t all = readings->end_ns[row] - readings->start_ns[row];
	uint64_t count = readings->count[row];

	if (to <= from)
		return 0;
	return count * (to - readings->start_ns[row]) / all -
	       count * (from - readings->start_ns[row]) / all;
}

static void check_shared_counter(const struct result *result,
				 const struct uncore_reading_table *readings, uint32_t counter)
{
	const struct table *table = find_table(result, UNCORE, counter);
	size_t *rows;

	assert_non_null(table);
	rows = rows_of_buckets(result, table, 0, table->nr);
	for (size_t i = 0; i < result->nr_buckets; i++) {
		uint64_t from = i * result->bucket_ns, to = from + result->bucket_ns;
		uint64_t count = 0, known = 0;

		for (size_t row = 0; row < readings->nr; row++) {
			uint64_t start = readings->start_ns[row], end = readings->end_ns[row];

			if (readings->counter[row] != counter || !readings->running_ns[row])
				continue;
			start = start > from ? start : from;
			end = end < to ? end : to;
			count += count_in(readings, row, start, end);
			known += end > start ? end - start : 0;
		}
		assert_int_equal(table->columns[1][rows[i]],
				 known ? (int64_t)((double)count * 1e9 / (double)known + 0.5) : 0);
		expect_share(result, table->columns[2][rows[i]], known);
	}
	free(rows);
}

#define MAX_COUNTERS 16

/* As many tables as counters have readings that take time and whose count is known. */
static void check_uncore(const struct result *result, const struct model *model)
{
	const struct uncore_reading_table *readings = &model->uncore_readings;
	bool is_seen[MAX_COUNTERS] = { false };
	size_t nr_counters = 0, nr_tables = 0;

	for (size_t i = 0; i < readings->nr; i++) {
		uint32_t counter = readings->counter[i];

		assert_true(counter < MAX_COUNTERS);
		if (!readings->running_ns[i] || readings->start_ns[i] == readings->end_ns[i] ||
		    is_seen[counter])
			continue;
		is_seen[counter] = true;
		nr_counters++;
		check_shared_counter(result, readings, counter);
	}
	for (size_t i = 0; i < result->nr; i++)
		nr_tables += result->tables[i].kind == UNCORE && result->tables[i].nr;
	assert_int_equal(nr_tables, nr_counters);
}

static void expect_state_shares(const struct result *result, const struct table *table, size_t row,
				const uint64_t *own)
{
	uint64_t known = 0;
	int64_t sum = 0;

	for (int state = STATE_RUNNING; state < NR_THREAD_STATES; state++) {
		int64_t share = table->columns[state][row];
		int64_t exact = (int64_t)(own[state] * 255 / result->bucket_ns);

		/* Others may have been rounded up at its cost. */
		assert_in_range(share - exact + NR_THREAD_STATES, 0, NR_THREAD_STATES + 1);
		assert_int_equal(share > 0, own[state] > 0);
		known += own[state];
		sum += share;
	}
	if (known == result->bucket_ns)
		assert_int_equal(sum, 255);
	else
		assert_true(sum < 255);
}

static void check_states(const struct result *result, const struct model *model, size_t thread)
{
	const struct state_table *states = &model->threads[thread].states;
	const struct table *table = find_table(result, STATES, thread);
	uint64_t *sums = calloc(result->nr_buckets * NR_THREAD_STATES, sizeof(*sums));
	size_t *rows;

	assert_non_null(table);
	rows = rows_of_buckets(result, table, 0, table->nr);
	for (size_t i = 0; i < states->nr; i++)
		spread(result, sums, NR_THREAD_STATES, states->state[i], states->start_ns[i],
		       states->start_ns[i + 1]);
	for (size_t i = 0; i < result->nr_buckets; i++)
		expect_state_shares(result, table, rows[i], &sums[i * NR_THREAD_STATES]);
	free(rows);
	free(sums);
}

/* What spans have, and what is done in the kernel. */
struct nested_rows {
	size_t nr;
	const uint64_t *start_ns, *end_ns;
	const uint32_t *name;
	const uint8_t *kind, *depth;
	size_t nr_kinds;
};

/* Name and kind, as one number. */
static size_t both_of(const struct nested_rows *spans, size_t row)
{
	return spans->name[row] * spans->nr_kinds + spans->kind[row];
}

static bool has_depth(const struct nested_rows *spans, int depth)
{
	for (size_t i = 0; i < spans->nr; i++) {
		if (spans->depth[i] == depth && spans->end_ns[i] > spans->start_ns[i])
			return true;
	}
	return false;
}

static void check_depth(const struct result *result, const struct nested_rows *spans, int depth,
			const struct table *table)
{
	size_t nr_both = NR_NAMES * spans->nr_kinds;
	size_t first = 0, past, *rows;
	uint64_t *sums;

	if (!has_depth(spans, depth))
		return;
	sums = calloc(result->nr_buckets * nr_both, sizeof(*sums));
	for (size_t i = 0; i < spans->nr; i++) {
		if (spans->depth[i] == depth)
			spread(result, sums, nr_both, both_of(spans, i), spans->start_ns[i],
			       spans->end_ns[i]);
	}
	while (table && first < table->nr && table->columns[0][first] != depth)
		first++;
	assert_non_null(table);
	for (past = first; past < table->nr && table->columns[0][past] == depth;)
		past++;
	rows = rows_of_buckets(result, table, first, past);
	for (size_t i = 0; i < result->nr_buckets; i++) {
		const uint64_t *own = &sums[i * nr_both];
		size_t most = index_of_most(own, nr_both);
		int64_t both = table->columns[2][rows[i]] * (int64_t)spans->nr_kinds +
			       table->columns[3][rows[i]];

		assert_int_equal(both, own[most] ? most : 0);
		expect_share(result, table->columns[4][rows[i]], own[most]);
	}
	free(rows);
	free(sums);
}

static void check_nested(const struct result *result, const struct nested_rows *rows, int kind,
			 size_t thread)
{
	const struct table *table = find_table(result, kind, thread);

	for (int depth = 0; depth < UINT8_MAX; depth++)
		check_depth(result, rows, depth, table);
	for (size_t i = 1; table && i < table->nr; i++)
		assert_true(table->columns[0][i - 1] <= table->columns[0][i]);
}

static void check_spans(const struct result *result, const struct model *model, size_t thread)
{
	const struct span_table *spans = &model->threads[thread].spans;
	const struct kernel_slice_table *slices = &model->threads[thread].kernel_slices;
	const struct nested_rows of_program = {
		spans->nr, spans->start_ns, spans->end_ns, spans->name, spans->kind, spans->depth, 2
	};
	const struct nested_rows in_kernel = { slices->nr,	     slices->start_ns,
					       slices->end_ns,	     slices->name,
					       slices->kind,	     slices->depth,
					       NR_TRACE_KERNEL_KINDS };

	check_nested(result, &of_program, SPANS, thread);
	check_nested(result, &in_kernel, KERNEL, thread);
}

static void check_marks(const struct result *result, const struct model *model, size_t thread)
{
	const struct mark_table *marks = &model->threads[thread].marks;
	const struct table *table = find_table(result, MARKS, thread);
	size_t *rows = table ? rows_of_buckets(result, table, 0, table->nr) : NULL, nr = 0;

	for (size_t i = 0; i < marks->nr; i++)
		nr += !marks->is_counter[i];
	assert_int_equal(!table, !nr);
	for (size_t i = 0, at = 0; table && i < result->nr_buckets; i++) {
		int64_t first = 0, count = 0;

		for (; at < marks->nr && marks->time_ns[at] / result->bucket_ns == i; at++) {
			if (marks->is_counter[at])
				continue;
			if (!count++)
				first = marks->name[at];
		}
		assert_int_equal(table->columns[1][rows[i]], first);
		assert_int_equal(table->columns[2][rows[i]], count);
	}
	free(rows);
}

/* Returns how many rows of the table are the counter's. */
static size_t check_counter(const struct result *result, const struct mark_table *marks,
			    uint32_t name, const struct table *table, size_t first)
{
	int64_t last = 0, min, max;
	bool seen = false;
	size_t past = first, *rows;

	while (past < table->nr && table->columns[0][past] == name)
		past++;
	rows = rows_of_buckets(result, table, first, past);
	for (size_t i = 0, at = 0; i < result->nr_buckets; i++) {
		bool told = false;

		min = seen ? last : 1;
		max = seen ? last : 0;
		for (; at < marks->nr && marks->time_ns[at] / result->bucket_ns == i; at++) {
			if (!marks->is_counter[at] || marks->name[at] != name)
				continue;
			last = marks->value[at];
			min = !told || last < min ? last : min;
			max = !told || last > max ? last : max;
			told = true;
			seen = true;
		}
		assert_int_equal(table->columns[2][rows[i]], min);
		assert_int_equal(table->columns[3][rows[i]], max);
		assert_int_equal(table->columns[4][rows[i]], last);
	}
	free(rows);
	return past - first;
}

static void check_counters(const struct result *result, const struct model *model, size_t thread)
{
	const struct mark_table *marks = &model->threads[thread].marks;
	const struct table *table = find_table(result, COUNTERS, thread);
	size_t nr_rows = 0;

	for (uint32_t name = 0; name < NR_NAMES; name++) {
		bool told = false;

		for (size_t i = 0; i < marks->nr; i++)
			told = told || (marks->is_counter[i] && marks->name[i] == name);
		if (!told)
			continue;
		assert_non_null(table);
		nr_rows += check_counter(result, marks, name, table, nr_rows);
	}
	assert_int_equal(table ? table->nr : 0, nr_rows);
}

/* What of a slice's @count is before @ns, rounded down. */
static uint64_t counted_before(const struct slice_count_table *slices, size_t row, uint64_t count,
			       uint64_t ns)
{
	uint64_t start = slices->start_ns[row], end = slices->end_ns[row];

	if (ns <= start)
		return 0;
	return ns >= end ? count :
			   (uint64_t)((unsigned __int128)count * (ns - start) / (end - start));
}

static void sum_eighths(const struct result *result, const struct model *model, size_t event,
			bool of_cpu, uint64_t owner, uint64_t *eighths)
{
	const struct slice_count_table *slices = &model->slice_counts;
	const struct sample_table *samples = &model->samples;
	const struct pmu_event *pmu = &model->pmu_events[event];
	uint64_t width = result->bucket_ns / 8;

	for (size_t i = 0; pmu->is_counted && i < slices->nr; i++) {
		uint64_t count = slices->counts[i * slices->nr_counters + pmu->counter];

		if ((of_cpu ? (uint64_t)slices->cpu[i] : slices->thread[i]) != owner)
			continue;
		for (uint64_t j = slices->start_ns[i] / width; j < result->nr_buckets * 8; j++)
			eighths[j] += counted_before(slices, i, count, (j + 1) * width) -
				      counted_before(slices, i, count, j * width);
	}
	for (size_t i = 0; !pmu->is_counted && i < samples->nr; i++) {
		if ((of_cpu ? (uint64_t)samples->cpu[i] : samples->thread[i]) == owner &&
		    samples->event[i] == event)
			eighths[samples->time_ns[i] / width] += samples->period[i];
	}
}

static void check_density(const struct result *result, const struct model *model, size_t event,
			  bool of_cpu, uint64_t owner)
{
	uint64_t nr_owners = of_cpu ? (uint64_t)model->nr_cpus : model->nr_threads;
	const struct table *table = find_table(result, of_cpu ? CPU_DENSITY : THREAD_DENSITY,
					       event * nr_owners + owner);
	uint64_t *eighths = calloc(result->nr_buckets * 8, sizeof(*eighths)), total = 0;
	size_t *rows = table ? rows_of_buckets(result, table, 0, table->nr) : NULL;

	sum_eighths(result, model, event, of_cpu, owner, eighths);
	for (size_t i = 0; i < result->nr_buckets; i++) {
		uint64_t sum = 0, min = UINT64_MAX, max = 0;

		for (size_t j = i * 8; j < i * 8 + 8; j++) {
			sum += eighths[j];
			min = eighths[j] < min ? eighths[j] : min;
			max = eighths[j] > max ? eighths[j] : max;
		}
		total += sum;
		if (!table)
			continue;
		assert_int_equal(table->columns[1][rows[i]], sum);
		assert_int_equal(table->columns[2][rows[i]], min);
		assert_int_equal(table->columns[3][rows[i]], max);
	}
	assert_int_equal(!table, !total);
	free(rows);
	free(eighths);
}

void check_result(const struct result *result, const struct model *model)
{
	assert_true(result->nr_buckets * result->bucket_ns >= model->duration_ns);
	assert_true((result->nr_buckets - 1) * result->bucket_ns <= model->duration_ns);
	for (int cpu = 0; cpu < model->nr_cpus; cpu++) {
		check_cpu(result, model, cpu);
		check_idle(result, model, cpu);
		check_interrupts(result, model, cpu);
		check_frequencies(result, model, cpu);
	}
	check_devices(result, model);
	check_uncore(result, model);
	for (size_t i = 0; i < model->nr_threads; i++) {
		check_states(result, model, i);
		check_spans(result, model, i);
		check_marks(result, model, i);
		check_counters(result, model, i);
	}
	for (size_t event = 0; event < model->nr_pmu_events; event++) {
		for (int cpu = 0; cpu < model->nr_cpus; cpu++)
			check_density(result, model, event, true, (uint64_t)cpu);
		for (size_t i = 0; i < model->nr_threads; i++)
			check_density(result, model, event, false, i);
	}
}
