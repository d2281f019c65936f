// SPDX-License-Identifier: GPL-2.0
/* LINK: tests/lib/events.c tests/unit/page/page_reader.c */
/* SLOW */
/*
 * The overview, against sums over every row of a timeline; and that it is the same whether rows come
 * at once or in windows, and however often its buckets were made wider.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "events.h"
#include "model/window/window.h"
#include "page/overview/overview.h"
#include "page_reader.h"

#define FIRST_TID 100
#define NR_NAMES 4
#define NR_IDLE_STATES 256
#define NR_EVENTS 3 /* measured: two are counted, one is sampled */
#define MAX_COLUMNS 8

enum {
	CPU = 20,
	STATES,
	SPANS,
	CPU_DENSITY,
	THREAD_DENSITY,
	COUNTERS,
	MARKS,
	KERNEL = 29,
	IDLE = 34,
	FREQUENCIES,
	INTERRUPTS,
	KINDS
};

/* How the columns of each kind of table are written, and which of them is the run, or -1. */
static const struct {
	const char *columns;
	int run;
} formats[KINDS] = {
	[CPU] = { "vb", -1 },
	[STATES] = { "vbbbbbbb", 0 },
	[SPANS] = { "bvvbb", 1 },
	[CPU_DENSITY] = { "vvvv", 0 },
	[THREAD_DENSITY] = { "vvvv", 0 },
	[COUNTERS] = { "vvzzz", 1 },
	[MARKS] = { "vvv", 0 },
	[KERNEL] = { "bvvbb", 1 },
	[IDLE] = { "vbb", 0 },
	[FREQUENCIES] = { "vvvv", 0 },
	[INTERRUPTS] = { "vbb", 0 },
};

struct table {
	int kind;
	uint64_t owner;
	size_t nr;
	int64_t *columns[MAX_COLUMNS];
};

/* What was written, and the size of the buckets. */
struct result {
	struct block block;
	uint64_t bucket_ns;
	uint64_t nr_buckets;
	size_t nr;
	struct table *tables;
};

static void read_column(struct table *table, int column, const uint8_t **at)
{
	char as = formats[table->kind].columns[column];

	table->columns[column] = calloc(table->nr, sizeof(**table->columns));
	for (size_t i = 0; i < table->nr; i++) {
		if (as == 'b')
			table->columns[column][i] = *(*at)++;
		else
			table->columns[column][i] = as == 'z' ? page_reader_zigzag(at) :
								(int64_t)page_reader_varint(at);
	}
}

static void read_tables(struct result *result)
{
	const uint8_t *at = result->block.bytes, *end = at + result->block.nr_bytes;

	while (at < end) {
		struct table *table;

		result->tables = realloc(result->tables, (result->nr + 1) * sizeof(*table));
		table = &result->tables[result->nr++];
		*table = (struct table){ .kind = *at++ };
		assert_in_range(table->kind, CPU, INTERRUPTS);
		assert_non_null(formats[table->kind].columns);
		table->owner = page_reader_varint(&at);
		table->nr = page_reader_varint(&at);
		assert_true(table->nr > 0);
		for (int i = 0; formats[table->kind].columns[i]; i++)
			read_column(table, i, &at);
	}
	assert_ptr_equal(at, end);
}

/* Ends @overview. */
static struct result result_of(struct overview *overview, const struct model *rest)
{
	struct result result = { .bucket_ns = overview_bucket_ns(overview),
				 .nr_buckets = overview_nr_buckets(overview) };

	overview_write(overview, rest, &result.block);
	overview_free(overview);
	read_tables(&result);
	return result;
}

static void free_result(struct result *result)
{
	for (size_t i = 0; i < result->nr; i++)
		for (int j = 0; j < MAX_COLUMNS; j++)
			free(result->tables[i].columns[j]);
	free(result->tables);
	block_free(&result->block);
}

static const struct table *find_table(const struct result *result, int kind, uint64_t owner)
{
	const struct table *found = NULL;

	for (size_t i = 0; i < result->nr; i++) {
		if (result->tables[i].kind == kind && result->tables[i].owner == owner) {
			assert_null(found);
			found = &result->tables[i];
		}
	}
	return found;
}

/* Of the rows [first, past): that of each bucket, which must be as many as there are. */
static size_t *rows_of_buckets(const struct result *result, const struct table *table, size_t first,
			       size_t past)
{
	int run = formats[table->kind].run;
	size_t *rows = calloc(result->nr_buckets, sizeof(*rows)), at = 0;

	for (size_t i = first; i < past; i++) {
		uint64_t nr = run < 0 ? 1 : (uint64_t)table->columns[run][i];

		assert_in_range(nr, 1, result->nr_buckets - at);
		while (nr--)
			rows[at++] = i;
	}
	assert_int_equal(at, result->nr_buckets);
	return rows;
}

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

static void check_depth(const struct result *result, const struct nested_rows *spans, int depth,
			const struct table *table)
{
	size_t nr_both = NR_NAMES * spans->nr_kinds;
	uint64_t *sums = calloc(result->nr_buckets * nr_both, sizeof(*sums));
	size_t first = 0, past, *rows, nr = 0;

	for (size_t i = 0; i < spans->nr; i++) {
		if (spans->depth[i] != depth)
			continue;
		nr += spans->end_ns[i] > spans->start_ns[i];
		spread(result, sums, nr_both, both_of(spans, i), spans->start_ns[i],
		       spans->end_ns[i]);
	}
	while (table && first < table->nr && table->columns[0][first] != depth)
		first++;
	if (!nr) {
		free(sums);
		return;
	}
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
	const struct nested_rows in_kernel = { slices->nr,
					       slices->start_ns,
					       slices->end_ns,
					       slices->name,
					       slices->kind,
					       slices->depth,
					       8 };

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

static void check_result(const struct result *result, const struct model *model)
{
	assert_true(result->nr_buckets * result->bucket_ns >= model->duration_ns);
	assert_true((result->nr_buckets - 1) * result->bucket_ns <= model->duration_ns);
	for (int cpu = 0; cpu < model->nr_cpus; cpu++) {
		check_cpu(result, model, cpu);
		check_idle(result, model, cpu);
		check_interrupts(result, model, cpu);
		check_frequencies(result, model, cpu);
	}
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

/* @pace: the longest time between two events. */
static void feed_script(unsigned int seed, int nr_events, unsigned int pace)
{
	uint64_t time_ns = 1000;

	srand(seed);
	for (uint8_t i = 0; i < NR_EVENTS; i++)
		feed_pmu_event_at(time_ns, i, 50 + i, i < 2 ? 0 : 100, 0);
	for (int i = 0; i < nr_events; i++) {
		unsigned int chance = (unsigned int)rand();

		time_ns += (uint64_t)rand() % (pace + 1);
		/* Now and then nothing happens for long. */
		time_ns += rand() % 50 ? 0 : pace * 20;
		feed_drained_at(rand() % 4 ? 0 : time_ns + (uint64_t)rand() % (20 * pace));
		feed_anything_at(time_ns, FIRST_TID, chance);
		if (chance % 7 == 0)
			feed_sample_at(time_ns, (int)(chance / 7 % 3),
				       FIRST_TID + (int32_t)(chance % 5), 2, 1 + chance % 300, 0);
	}
	feed_drained_at(0);
}

static struct model *whole(unsigned int seed, int nr_events, unsigned int pace)
{
	script_begin();
	feed_script(seed, nr_events, pace);
	return script_end();
}

static void test_whole(void **state)
{
	(void)state;
	for (unsigned int seed = 1; seed <= 60; seed++) {
		struct model *model = whole(seed, 300, 2 + seed % 3 * 40);
		struct overview *overview = overview_new(model->duration_ns, 300);
		struct result result;

		overview_add(overview, model);
		result = result_of(overview, model);
		check_result(&result, model);
		free_result(&result);
		model_free(model);
	}
}

static void take(void *context, const struct model *window, uint64_t from_ns, uint64_t to_ns)
{
	(void)from_ns;
	(void)to_ns;
	overview_add(context, window);
}

/* Whatever was thought of the trace's length, as rows come in windows of so many events. */
static void check_windows(unsigned int seed, int nr_events, unsigned int pace, size_t nr_each,
			  uint64_t hint_ns)
{
	struct model *all = whole(seed, nr_events, pace), *rest;
	struct overview *overview = overview_new(hint_ns, 300), *same;
	const struct model_sink sink = { .take = take, .context = overview };
	struct model_windows windows = { .sink = &sink, .nr_events_each = nr_each };
	struct model_builder *builder = script_begin();
	struct result result, same_result;

	model_builder_use_windows(builder, &windows);
	feed_script(seed, nr_events, pace);
	rest = model_builder_finish(builder);
	overview_add(overview, rest);
	result = result_of(overview, rest);
	check_result(&result, all);
	same = overview_new(result.bucket_ns * 4096, 300);
	overview_add(same, all);
	same_result = result_of(same, all);
	assert_int_equal(same_result.bucket_ns, result.bucket_ns);
	assert_int_equal(same_result.block.nr_bytes, result.block.nr_bytes);
	assert_memory_equal(same_result.block.bytes, result.block.bytes, result.block.nr_bytes);
	free_result(&same_result);
	free_result(&result);
	model_free(rest);
	model_free(all);
}

static void test_windows(void **state)
{
	(void)state;
	for (unsigned int seed = 1; seed <= 100; seed++)
		check_windows(seed, 300, 2 + seed % 3 * 40, 1 + seed % 60, 30000);
}

/* Buckets of 8 ns are not enough: they are made wider, several times. */
static void test_wider(void **state)
{
	(void)state;
	for (unsigned int seed = 1; seed <= 20; seed++)
		check_windows(seed, 300, 1000 << seed % 8, 10 + seed % 60, 0);
	check_windows(5, 20000, 50, 1000, 0);
	check_windows(6, 20000, 500, 30000, 0);
}

/* Wider for want of room, after it was written: as if it had been so from the start. */
static void test_widen(void **state)
{
	struct model *model = whole(9, 20000, 50);
	struct overview *overview = overview_new(model->duration_ns, 0);
	uint64_t bucket_ns = overview_bucket_ns(overview);
	struct block block = { 0 };
	struct result result;

	(void)state;
	overview_add(overview, model);
	overview_write(overview, model, &block);
	assert_in_range(overview_nr_buckets(overview), 2048, 65536);
	while (overview_nr_buckets(overview) >= 4096) {
		assert_true(overview_widen(overview));
		bucket_ns *= 2;
	}
	assert_false(overview_widen(overview));
	assert_int_equal(overview_bucket_ns(overview), bucket_ns);
	result = result_of(overview, model);
	check_result(&result, model);
	free_result(&result);
	block_free(&block);
	model_free(model);
}

static void add_marks(struct overview *overview, struct mark_table marks)
{
	struct thread thread = { .marks = marks };

	overview_add(overview, &(struct model){ .nr_threads = 1, .threads = &thread });
}

/* What comes last may be what was first. */
static void test_late_marks(void **state)
{
	uint64_t times[] = { 12, 13 }, late_times[] = { 9, 10 };
	uint32_t names[] = { 2, 3 }, late_names[] = { 1, 3 };
	uint8_t is_counter[] = { 0, 1 }, yes[] = { 1, 1 };
	int64_t values[] = { 0, 7 }, late_values[] = { 0, -5 };
	struct overview *overview = overview_new(100, 0);
	const struct table *marks, *counters;
	struct thread thread = { 0 };
	struct result result;

	(void)state;
	add_marks(overview, (struct mark_table){ 2, times, names, is_counter, yes, values, times });
	add_marks(overview, (struct mark_table){ 2, late_times, late_names, is_counter, yes,
						 late_values, times });
	result = result_of(overview, &(struct model){ .nr_threads = 1, .threads = &thread });
	assert_int_equal(result.bucket_ns, 8);
	marks = find_table(&result, MARKS, 0);
	assert_int_equal(marks->nr, 2);
	assert_int_equal(marks->columns[1][1], 1);
	assert_int_equal(marks->columns[2][1], 2);
	counters = find_table(&result, COUNTERS, 0);
	assert_int_equal(counters->nr, 2);
	assert_int_equal(counters->columns[2][1], -5);
	assert_int_equal(counters->columns[3][1], 7);
	assert_int_equal(counters->columns[4][1], 7);
	free_result(&result);
}

/* Time runs back. */
static void test_any_order(void **state)
{
	uint64_t start_ns[] = { 96, 42, 24, 8 }, end_ns[] = { 104, 44, 30, 24 };
	uint8_t running[] = { STATE_RUNNING, STATE_RUNNING, STATE_RUNNING, STATE_RUNNING };
	static const int64_t runs[] = { 1, 2, 1, 1, 1, 6, 1, 1 };
	static const int64_t shares[] = { 0, 255, 191, 0, 63, 0, 255, 0 };
	struct thread thread = { .states = { 4, start_ns, running, .end_ns = end_ns } };
	struct model model = { .nr_threads = 1, .threads = &thread };
	struct overview *overview = overview_new(100, 0);
	struct result result;

	(void)state;
	overview_add(overview, &model);
	result = result_of(overview, &model);
	assert_int_equal(result.bucket_ns, 8);
	assert_int_equal(result.tables[0].nr, 8);
	for (size_t i = 0; i < 8; i++) {
		assert_int_equal(result.tables[0].columns[0][i], runs[i]);
		assert_int_equal(result.tables[0].columns[STATE_RUNNING][i], shares[i]);
	}
	free_result(&result);
}

/* One who was second in each half of a bucket may be first in the whole. */
static void test_longest_of_pieces(void **state)
{
	struct overview *overview = overview_new(8 * 4096, 0);
	struct result result;
	struct model *model;

	(void)state;
	script_begin();
	feed_switch_at(100, 0, 0, 1, TRACE_OUT_RUNNABLE);
	feed_switch_at(105, 0, 1, 2, TRACE_OUT_SLEEPING); /* 1: 5 */
	feed_switch_at(108, 0, 2, 3, TRACE_OUT_SLEEPING); /* 2: 3 */
	feed_switch_at(113, 0, 3, 2, TRACE_OUT_SLEEPING); /* 3: 5 */
	feed_switch_at(116, 0, 2, 0, TRACE_OUT_SLEEPING); /* 2: 3 */
	feed_switch_at(100 + 8 * 4096, 0, 0, 4, TRACE_OUT_SLEEPING);
	model = script_end();
	overview_add(overview, model);
	result = result_of(overview, model);
	assert_int_equal(result.bucket_ns, 16);
	assert_int_equal(find_table(&result, CPU, 0)->columns[0][0], thread_of(model, 2, 0) + 1);
	assert_int_equal(find_table(&result, CPU, 0)->columns[1][0], 255);
	free_result(&result);
	model_free(model);
}

/* Threads, each with a row of states that are @step_ns long. */
static struct model *many_threads(size_t nr_threads, size_t nr_states, uint64_t from_ns,
				  uint64_t step_ns)
{
	struct model *model = calloc(1, sizeof(*model));

	model->nr_threads = nr_threads;
	model->threads = calloc(nr_threads, sizeof(*model->threads));
	for (size_t i = 0; i < nr_threads; i++) {
		struct state_table *states = &model->threads[i].states;

		states->nr = nr_states;
		states->start_ns = calloc(nr_states + 1, sizeof(*states->start_ns));
		states->state = calloc(nr_states, sizeof(*states->state));
		for (size_t j = 0; j <= nr_states; j++)
			states->start_ns[j] = from_ns + j * step_ns;
		for (size_t j = 0; j < nr_states; j++)
			states->state[j] = j % 2 ? STATE_RUNNING : STATE_SLEEPING;
	}
	return model;
}

/* Detail is given up for memory, but only where there is any. */
static void test_memory(void **state)
{
	enum {
		THREADS = 3000,
		WINDOWS = 80,
		ROWS = 100,
		LEAST_CELL_BYTES = 6
	};
	uint64_t most = ((uint64_t)48 << 20) / LEAST_CELL_BYTES / THREADS;
	struct overview *busy = overview_new(WINDOWS * ROWS * 1000, 100000000);
	struct overview *asleep = overview_new(WINDOWS * ROWS * 1000, 100000000);
	struct model *model;
	struct result result;

	(void)state;
	for (uint64_t i = 0; i < WINDOWS; i++) {
		model = many_threads(THREADS, ROWS, i * ROWS * 1000, 1000);
		overview_add(busy, model);
		model_free(model);
	}
	model = many_threads(THREADS, 1, 0, WINDOWS * ROWS * 1000);
	overview_add(asleep, model);
	assert_in_range(overview_nr_buckets(asleep), 32768, 65536);
	assert_in_range(overview_nr_buckets(busy), most / 4, most);
	result = result_of(asleep, model);
	for (size_t i = 0; i < THREADS; i++)
		assert_int_equal(result.tables[i].nr,
				 2); /* the last bucket reaches beyond the end */
	free_result(&result);
	result = result_of(busy, model);
	for (size_t i = 0; i < THREADS; i++) {
		const struct table *table = &result.tables[i];
		/* All but the last bucket have as much of both states, to a step. */
		int64_t half = 255 / 2, error = 255 * 1000 / (int64_t)result.bucket_ns + 1;

		for (size_t j = 0; j + 1 < table->nr; j++)
			assert_in_range(table->columns[STATE_RUNNING][j] - half + error, 0,
					2 * error + 1);
	}
	free_result(&result);
	model_free(model);
}

/* Times that no trace has. */
static void test_absurd(void **state)
{
	static const uint64_t times[] = { 0, 5, UINT64_MAX, (uint64_t)1 << 63, 7, INT64_MAX, 1 };
	enum {
		NR = sizeof(times) / sizeof(times[0])
	};
	uint64_t start[NR * NR], end[NR * NR], period[NR * NR], counts[NR * NR];
	uint32_t names[NR * NR] = { 0 }, nobody[NR * NR];
	uint8_t zeros[NR * NR] = { 0 }, deep[NR * NR], running[NR * NR];
	int16_t cpu[NR * NR];
	int64_t values[NR * NR];
	struct pmu_event events[] = { { .name = 1 }, { .is_counted = true } };
	struct thread thread = {
		.states = { .nr = NR * NR, start, running, cpu, .end_ns = end },
		.spans = { NR * NR, start, end, names, zeros, deep, zeros, values, end },
		.marks = { NR * NR, start, names, zeros, zeros, values, start },
	};
	struct cpu on = { .slices = { NR * NR, start, end, names, zeros } };
	struct model model = {
		.nr_threads = 1,
		.threads = &thread,
		.nr_cpus = 1,
		.cpus = &on,
		.nr_pmu_events = 2,
		.pmu_events = events,
		.samples = { .nr = NR * NR,
			     .time_ns = start,
			     .thread = nobody,
			     .cpu = cpu,
			     .event = zeros,
			     .period = period },
		.slice_counts = { .nr = NR * NR,
				  .nr_counters = 1,
				  .start_ns = start,
				  .end_ns = end,
				  .thread = nobody,
				  .cpu = cpu,
				  .counts = counts },
	};

	(void)state;
	for (size_t i = 0; i < NR * NR; i++) {
		start[i] = times[i / NR];
		end[i] = times[i % NR];
		period[i] = counts[i] = UINT64_MAX;
		values[i] = i % 2 ? INT64_MIN : INT64_MAX;
		nobody[i] = MODEL_NO_THREAD;
		cpu[i] = (int16_t)(i % 3) - 1;
		deep[i] = i % 2 ? UINT8_MAX : (uint8_t)i;
		running[i] = (uint8_t)i;
	}
	for (int seen_before = 0; seen_before < 2; seen_before++) {
		struct overview *overview = overview_new(seen_before ? 1000 : UINT64_MAX,
							 UINT64_MAX);
		struct result result;

		overview_add(overview, &model);
		overview_add(overview, &model);
		result = result_of(overview, &model);
		assert_true(result.nr_buckets <= 65536);
		assert_true(result.bucket_ns >= ((uint64_t)1 << 63) / 65536);
		for (size_t i = 0; i < result.nr; i++) {
			const struct table *table = &result.tables[i];

			if (table->kind != SPANS && table->kind != KERNEL)
				free(rows_of_buckets(&result, table, 0, table->nr));
		}
		free_result(&result);
	}
}

static void test_nothing(void **state)
{
	static const struct model nothing;
	struct overview *overview = overview_new(0, 0);
	struct result result;

	(void)state;
	overview_add(overview, &nothing);
	result = result_of(overview, &nothing);
	assert_int_equal(result.nr, 0);
	assert_int_equal(result.nr_buckets, 1);
	free_result(&result);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_whole),
		cmocka_unit_test(test_windows),
		cmocka_unit_test(test_wider),
		cmocka_unit_test(test_widen),
		cmocka_unit_test(test_late_marks),
		cmocka_unit_test(test_any_order),
		cmocka_unit_test(test_longest_of_pieces),
		cmocka_unit_test(test_memory),
		cmocka_unit_test(test_absurd),
		cmocka_unit_test(test_nothing),
	};

	return cmocka_run_group_tests_name("page overview", tests, NULL, NULL);
}
