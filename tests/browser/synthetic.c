// SPDX-License-Identifier: GPL-2.0
/*
 * Pages of made-up models, for what no recording gives on demand: a million slices, ten hours,
 * names of any bytes, nothing at all. Stands in for the trace reader: it has the functions of
 * trace.h that the page needs.
 *
 * usage: synthetic empty|one|hostile|hours|misses|messages|busy|events|many
 *	[SLICES [WINDOWS [MOST_BYTES]]] >PAGE
 *
 * "events" is "busy", with two events for each slice: event i has the text "count=i".
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <uapi/annot.h>

#include "model/table_rows.h"
#include "model/model.h"
#include "model/window/window.h"
#include "page/data.h"
#include "page/page.h"
#include "util/string_table.h"

#define MAX_STRINGS 64
#define MAX_DEPTH 4

struct trace {
	struct trace_info info;
	const char *strings[MAX_STRINGS];
	uint32_t nr_strings;
};

const struct trace_info *trace_info(const struct trace *trace)
{
	return &trace->info;
}

const char *trace_string(const struct trace *trace, uint32_t id)
{
	return trace->strings[id];
}

uint64_t trace_nr_textless(const struct trace *trace)
{
	(void)trace;
	return 0;
}

uint32_t trace_nr_strings(const struct trace *trace)
{
	return trace->nr_strings;
}

uint32_t trace_intern(struct trace *trace, const char *string)
{
	for (uint32_t id = 0; id < trace->nr_strings; id++)
		if (!strcmp(trace->strings[id], string))
			return id;
	if (trace->nr_strings == MAX_STRINGS)
		abort();
	trace->strings[trace->nr_strings] = string;
	return trace->nr_strings++;
}

/* Always the same numbers, so that a failing test fails again. */
static uint64_t random_below(uint64_t limit)
{
	static uint64_t state = 88172645463325252;

	state ^= state << 13;
	state ^= state >> 7;
	state ^= state << 17;
	return state % limit;
}

static void *grown(void *array, size_t nr, size_t item_bytes)
{
	if (nr & (nr - 1))
		return array;
	array = realloc(array, (nr ? nr * 2 : 1) * item_bytes);
	if (!array)
		abort();
	return array;
}

#define APPEND(column, field, item)                                                               \
	do {                                                                                      \
		(column)->field = grown((column)->field, (column)->nr, sizeof(*(column)->field)); \
		(column)->field[(column)->nr] = (item);                                           \
	} while (0)

static void add_state(struct thread *thread, uint64_t at_ns, enum thread_state state, int cpu)
{
	struct state_table *states = &thread->states;

	if (states->nr && states->start_ns[states->nr - 1] == at_ns) {
		states->state[states->nr - 1] = (uint8_t)state;
		states->cpu[states->nr - 1] = (int16_t)cpu;
		return;
	}
	APPEND(states, start_ns, at_ns);
	APPEND(states, state, (uint8_t)state);
	APPEND(states, cpu, (int16_t)cpu);
	APPEND(states, migrated, 0);
	states->nr++;
}

/* The same for all slices of a thread. */
static const uint8_t priorities[] = {
	120 + TRACE_PRIORITY_OFFSET, 139 + TRACE_PRIORITY_OFFSET, 98 + TRACE_PRIORITY_OFFSET,
	0 + TRACE_PRIORITY_OFFSET,   -1 + TRACE_PRIORITY_OFFSET,  TRACE_PRIORITY_UNKNOWN,
};

static void add_slice(struct cpu *cpu, uint64_t from_ns, uint64_t to_ns, uint32_t thread,
		      enum thread_state end_state)
{
	struct slice_table *slices = &cpu->slices;

	APPEND(slices, start_ns, from_ns);
	APPEND(slices, end_ns, to_ns);
	APPEND(slices, thread, thread);
	APPEND(slices, end_state, (uint8_t)end_state);
	APPEND(slices, priority, priorities[thread % 6]);
	slices->nr++;
}

static void add_gap(struct cpu *cpu, uint64_t from_ns, uint64_t to_ns, uint64_t nr_events)
{
	struct gap_table *gaps = &cpu->gaps;

	APPEND(gaps, start_ns, from_ns);
	APPEND(gaps, end_ns, to_ns);
	APPEND(gaps, nr_events, nr_events);
	APPEND(gaps, kind, GAP_LOST);
	gaps->nr++;
}

/* Returns the row, whose end is given later. */
static size_t add_span(struct thread *thread, uint64_t from_ns, uint32_t name,
		       enum trace_span_kind kind, int depth, int64_t value)
{
	struct span_table *spans = &thread->spans;

	APPEND(spans, start_ns, from_ns);
	APPEND(spans, end_ns, from_ns);
	APPEND(spans, name, name);
	APPEND(spans, kind, (uint8_t)kind);
	APPEND(spans, depth, (uint8_t)depth);
	APPEND(spans, flags, SPAN_HAS_VALUE);
	APPEND(spans, value, value);
	APPEND(spans, drained_ns, from_ns);
	return spans->nr++;
}

static void add_mark(struct thread *thread, uint64_t at_ns, uint32_t name, bool is_counter,
		     int64_t value)
{
	struct mark_table *marks = &thread->marks;

	APPEND(marks, time_ns, at_ns);
	APPEND(marks, name, name);
	APPEND(marks, is_counter, is_counter);
	APPEND(marks, has_value, 1);
	APPEND(marks, value, value);
	APPEND(marks, drained_ns, at_ns);
	marks->nr++;
}

static void add_migration(struct model *model, uint64_t at_ns, uint64_t left_ns, uint32_t thread,
			  int from, int to)
{
	struct migration_table *migrations = &model->migrations;

	APPEND(migrations, time_ns, at_ns);
	APPEND(migrations, left_ns, left_ns);
	APPEND(migrations, thread, thread);
	APPEND(migrations, from_cpu, (int16_t)from);
	APPEND(migrations, to_cpu, (int16_t)to);
	migrations->nr++;
}

static void add_wakeup(struct model *model, uint64_t at_ns, uint32_t waker, uint32_t wakee, int cpu)
{
	struct wakeup_table *wakeups = &model->wakeups;

	APPEND(wakeups, time_ns, at_ns);
	APPEND(wakeups, waker, waker);
	APPEND(wakeups, wakee, wakee);
	APPEND(wakeups, cpu, (int16_t)cpu);
	wakeups->nr++;
}

static void make(struct model *model, struct trace *trace, int nr_cpus, size_t nr_threads)
{
	trace_intern(trace, "");
	trace->info =
		(struct trace_info){ .path = "synthetic", .clock = "mono", .nr_cpus = nr_cpus };
	model->trace = trace;
	model->start_ns = 123456789012345;
	model->nr_cpus = nr_cpus;
	model->cpus = calloc((size_t)nr_cpus, sizeof(*model->cpus));
	model->nr_threads = nr_threads;
	model->threads = calloc(nr_threads + 1, sizeof(*model->threads));
	if (!model->cpus || !model->threads)
		abort();
	for (int cpu = 0; cpu < nr_cpus; cpu++)
		model->cpus[cpu].seen = true;
}

static void name_thread(struct model *model, uint32_t thread, int32_t tgid, const char *comm,
			bool in_session)
{
	struct thread *t = &model->threads[thread];

	t->tid = 1000 + (int32_t)thread;
	t->tgid = tgid;
	t->comm = trace_intern(model->trace, comm);
	t->parent = thread ? 0 : MODEL_NO_THREAD;
	t->in_session = in_session;
}

/* One CPU, one thread, one event. */
static void make_one(struct model *model, struct trace *trace)
{
	make(model, trace, 1, 1);
	name_thread(model, 0, 1000, "single", true);
	add_state(&model->threads[0], 0, STATE_RUNNING, 0);
	add_slice(&model->cpus[0], 0, 0, 0, STATE_RUNNING);
	trace->info.nr_events = 1;
}

/* Every kind of byte that could break out of the place it is written to. */
static void make_hostile(struct model *model, struct trace *trace)
{
	static const char *const names[] = {
		"</script><script>window.hostile = 1</script>",
		"<img src=x onerror=\"window.hostile = 2\">",
		"quote\" 'single' \\back\\ `tick` ${window.hostile = 3}",
		"<!--<script>",
		"bytes \xff\xfe\x80 \xc3\x28 end",
		"\xe2\x80\xae"
		"bidi \xf0\x9f\xa7\xb5 \xe6\x97\xa5\xe6\x9c\xac",
		"]]>&amp;&lt;%s%n",
		"constructor",
		"__proto__",
	};
	size_t nr = sizeof(names) / sizeof(names[0]);

	make(model, trace, 2, nr);
	model->duration_ns = 1000 * nr;
	for (uint32_t i = 0; i < nr; i++) {
		uint64_t from_ns = 1000 * i;
		size_t row;

		name_thread(model, i, 1000, names[i], true);
		add_state(&model->threads[i], from_ns, STATE_RUNNING, 0);
		add_state(&model->threads[i], from_ns + 1000, STATE_SLEEPING, 0);
		add_slice(&model->cpus[0], from_ns, from_ns + 1000, i, STATE_SLEEPING);
		row = add_span(&model->threads[i], from_ns + 100, trace_intern(trace, names[i]),
			       TRACE_SPAN_WORK, 0, i % 2 ? INT64_MIN : INT64_MAX);
		model->threads[i].spans.end_ns[row] = from_ns + 900;
		add_mark(&model->threads[i], from_ns + 500, trace_intern(trace, names[i]), false,
			 1);
		add_mark(&model->threads[i], from_ns + 600, trace_intern(trace, names[i]), true, i);
	}
	trace->info.path = names[0];
	trace->info.clock = names[1];
	trace->info.nr_events = 6 * nr;
}

/* Ten hours, three slices, to the nanosecond. */
static void make_hours(struct model *model, struct trace *trace)
{
	const uint64_t hour_ns = 3600000000000;
	size_t row;

	make(model, trace, 2, 1);
	name_thread(model, 0, 1000, "patient", true);
	model->duration_ns = 10 * hour_ns;
	add_state(&model->threads[0], 0, STATE_RUNNING, 0);
	add_state(&model->threads[0], 1, STATE_SLEEPING, 0);
	add_state(&model->threads[0], 5 * hour_ns, STATE_RUNNING, 1);
	add_state(&model->threads[0], 5 * hour_ns + 7, STATE_SLEEPING, 1);
	add_state(&model->threads[0], 10 * hour_ns - 3, STATE_RUNNING, 1);
	add_slice(&model->cpus[0], 0, 1, 0, STATE_SLEEPING);
	add_slice(&model->cpus[1], 5 * hour_ns, 5 * hour_ns + 7, 0, STATE_SLEEPING);
	add_slice(&model->cpus[1], 10 * hour_ns - 3, 10 * hour_ns, 0, STATE_RUNNING);
	add_migration(model, 5 * hour_ns, 1, 0, 0, 1);
	row = add_span(&model->threads[0], 5 * hour_ns + 2, trace_intern(trace, "blink"),
		       TRACE_SPAN_WORK, 0, 1);
	model->threads[0].spans.end_ns[row] = 5 * hour_ns + 5;
	add_gap(&model->cpus[0], hour_ns, 2 * hour_ns, 12345);
	trace->info.nr_events = 6;
	trace->info.nr_lost_events = 12345;
	trace->info.nr_lost_gaps = 1;
}

struct worker {
	int cpu; /* where it last ran */
	uint64_t left_ns; /* when it left it */
	uint64_t ready_ns; /* from then on it may run */
	bool has_run;
	int depth;
	size_t open[MAX_DEPTH]; /* rows of its open spans */
};

static const char *const task_names[MAX_DEPTH][3] = {
	{ "frame", "solve", "exchange" },
	{ "loop48", "loop12", "barrier" },
	{ "gather", "kernel", "lock" },
	{ "row", "column", "element" },
};

/* A few spans begin and end while the worker runs in [from_ns, to_ns). */
static void annotate(struct model *model, uint32_t thread, struct worker *worker, uint64_t from_ns,
		     uint64_t to_ns)
{
	struct thread *t = &model->threads[thread];
	uint64_t at_ns = from_ns;

	for (;;) {
		at_ns += 1 + random_below((to_ns - from_ns) * 2);
		if (at_ns >= to_ns)
			return;
		if (worker->depth == MAX_DEPTH || (worker->depth && random_below(2))) {
			t->spans.end_ns[worker->open[--worker->depth]] = at_ns;
		} else {
			const char *name = task_names[worker->depth][random_below(3)];
			bool waits = !strcmp(name, "barrier") || !strcmp(name, "lock");

			worker->open[worker->depth] =
				add_span(t, at_ns, trace_intern(model->trace, name),
					 waits ? TRACE_SPAN_WAIT : TRACE_SPAN_WORK, worker->depth,
					 (int64_t)random_below(1000));
			worker->depth++;
		}
		if (!random_below(50))
			add_mark(t, at_ns, trace_intern(model->trace, "tick"), false, 1);
		if (!random_below(30))
			add_mark(t, at_ns, trace_intern(model->trace, "queue"), true,
				 (int64_t)random_below(64));
	}
}

static uint32_t next_worker(const struct worker *workers, uint32_t nr, uint32_t after, uint64_t now)
{
	for (uint32_t i = 1; i <= nr; i++) {
		uint32_t thread = (after + i) % nr;

		if (workers[thread].ready_ns <= now)
			return thread;
	}
	return MODEL_NO_THREAD;
}

static void run(struct model *model, uint32_t thread, struct worker *worker, int cpu,
		uint64_t from_ns, uint64_t to_ns)
{
	struct thread *t = &model->threads[thread];
	bool blocks = random_below(3);
	uint64_t sleep_ns = blocks ? random_below(2000000) : 0;
	enum thread_state after = blocks ? STATE_SLEEPING : STATE_PREEMPTED;

	if (worker->has_run && worker->cpu != cpu)
		add_migration(model, from_ns, worker->left_ns, thread, worker->cpu, cpu);
	add_state(t, from_ns, STATE_RUNNING, cpu);
	t->states.migrated[t->states.nr - 1] = worker->has_run && worker->cpu != cpu;
	add_slice(&model->cpus[cpu], from_ns, to_ns, thread, after);
	if (thread % 4 != 3)
		annotate(model, thread, worker, from_ns, to_ns);
	add_state(t, to_ns, after, cpu);
	if (blocks)
		add_state(t, to_ns + sleep_ns, STATE_RUNNABLE, cpu);
	worker->cpu = cpu;
	worker->left_ns = to_ns;
	worker->ready_ns = to_ns + sleep_ns;
	worker->has_run = true;
}

/* What it would have done after the end of the trace did not happen; what is open ends there. */
static void end_thread(struct thread *thread, struct worker *worker, uint64_t end_ns)
{
	struct state_table *states = &thread->states;

	while (states->nr && states->start_ns[states->nr - 1] > end_ns)
		states->nr--;
	while (worker->depth) {
		size_t row = worker->open[--worker->depth];

		thread->spans.end_ns[row] = end_ns;
		thread->spans.flags[row] |= SPAN_OPEN_END;
	}
}

struct machine {
	int nr_cpus;
	uint32_t nr_threads;
	uint32_t nr_processes;
};

static const struct machine busy_machine = { 16, 64, 4 };
static const struct machine many_machine = { 96, 3000, 40 };

/* Each fourth process is not of the session. */
static void make_busy(struct model *model, struct trace *trace, const struct machine *machine,
		      size_t nr_slices)
{
	static const char *const comms[] = { "solver", "render", "io-server", "kworker/0:1" };
	struct worker *workers = calloc(machine->nr_threads, sizeof(*workers));
	uint64_t *clocks = calloc((size_t)machine->nr_cpus, sizeof(*clocks));
	uint32_t last = 0;

	if (!workers || !clocks)
		abort();
	make(model, trace, machine->nr_cpus, machine->nr_threads);
	for (uint32_t i = 0; i < machine->nr_threads; i++)
		name_thread(model, i, 1000 + (int32_t)(i % machine->nr_processes), comms[i % 4],
			    i % 4 != 3);
	for (size_t i = 0; i < nr_slices;) {
		int cpu = 0;
		uint64_t until_ns;
		uint32_t thread;

		for (int other = 1; other < machine->nr_cpus; other++)
			if (clocks[other] < clocks[cpu])
				cpu = other;
		thread = next_worker(workers, machine->nr_threads, last, clocks[cpu]);
		until_ns = clocks[cpu] + 1000 + random_below(200000);
		if (thread == MODEL_NO_THREAD) {
			clocks[cpu] += 20000;
			continue;
		}
		if (!random_below(5000)) {
			add_gap(&model->cpus[cpu], clocks[cpu], until_ns, random_below(1000));
			trace->info.nr_lost_gaps++;
		} else {
			if (workers[thread].has_run)
				add_wakeup(model, clocks[cpu], last, thread, cpu);
			run(model, thread, &workers[thread], cpu, clocks[cpu], until_ns);
			last = thread;
			i++;
		}
		workers[thread].ready_ns = until_ns > workers[thread].ready_ns ?
						   until_ns :
						   workers[thread].ready_ns;
		clocks[cpu] = until_ns;
		model->duration_ns = until_ns > model->duration_ns ? until_ns : model->duration_ns;
	}
	for (uint32_t i = 0; i < machine->nr_threads; i++)
		end_thread(&model->threads[i], &workers[i], model->duration_ns);
	trace->info.nr_events = nr_slices * 3;
	trace->info.nr_lost_events = 1;
	free(workers);
	free(clocks);
}

#define MS 1000000u
#define SAMPLE_PERIOD 1000

static void add_sample(struct model *model, uint64_t at_ns, uint8_t has)
{
	struct sample_table *samples = &model->samples;

	APPEND(samples, time_ns, at_ns);
	APPEND(samples, thread, 0);
	APPEND(samples, cpu, 0);
	APPEND(samples, event, 0);
	APPEND(samples, has, has);
	APPEND(samples, period, SAMPLE_PERIOD);
	APPEND(samples, ip, has & ANNOT_SAMPLE_USER ? 0x401000 + samples->nr : 0xffffffff81000000);
	APPEND(samples, addr, 0x7fff00000000 + 64 * samples->nr);
	APPEND(samples, weight, 0);
	APPEND(samples, stack, 0);
	samples->nr++;
}

/*
 * One thread on CPU 0 for 20 ms. "hot", 2 to 4 ms: 200 samples of user code. "cold", 6 to 16 ms:
 * 20 samples, the last in the kernel. 10 M instructions in its first slice of 10 ms, 5 M in its
 * second. On CPU 1 nothing but a time without a counter.
 */
static void make_misses(struct model *model, struct trace *trace)
{
	static uint64_t slice_start_ns[] = { 0, 10 * MS }, slice_end_ns[] = { 10 * MS, 20 * MS };
	static int16_t gap_cpu[] = { 1 };
	static const uint64_t counts[] = { 10000000, 5000000 };
	static uint64_t gap_start_ns[] = { 1 * MS }, gap_end_ns[] = { 2 * MS };
	static uint8_t gap_event[] = { 0 }, gap_state[] = { ANNOT_PMU_FAILED };
	static struct pmu_event events[3];
	const uint8_t user = ANNOT_SAMPLE_USER | ANNOT_SAMPLE_HAS_ADDR;
	struct thread *thread;
	size_t hot, cold;

	make(model, trace, 2, 1);
	model->duration_ns = 20 * MS;
	name_thread(model, 0, 1000, "chase", true);
	thread = &model->threads[0];
	for (int i = 0; i < 2; i++) {
		add_state(thread, slice_start_ns[i], STATE_RUNNING, 0);
		add_slice(&model->cpus[0], slice_start_ns[i], slice_end_ns[i], 0, STATE_PREEMPTED);
	}
	hot = add_span(thread, 2 * MS, trace_intern(trace, "hot"), TRACE_SPAN_WORK, 0, 0);
	thread->spans.end_ns[hot] = 4 * MS;
	cold = add_span(thread, 6 * MS, trace_intern(trace, "cold"), TRACE_SPAN_WORK, 0, 0);
	thread->spans.end_ns[cold] = 16 * MS;
	for (uint64_t i = 0; i < 200; i++)
		add_sample(model, 2 * MS + 5000 + i * 10000, user);
	for (uint64_t i = 0; i < 20; i++)
		add_sample(model, 6 * MS + 250000 + i * 500000, i == 19 ? 0 : user);
	events[0] = (struct pmu_event){ .name = trace_intern(trace, "l1_cache_miss"),
					.user = true,
					.kernel = true,
					.precise_asked = 3,
					.precise = 2,
					.period = SAMPLE_PERIOD,
					.nr_lost = 7 };
	events[1] = (struct pmu_event){ .name = trace_intern(trace, "instr_retired"),
					.is_counted = true,
					.user = true };
	events[2] = (struct pmu_event){ .name = trace_intern(trace, "l3_cache_miss"), .error = 2 };
	model->pmu_events = events;
	model->nr_pmu_events = 3;
	slice_count_table_widen(&model->slice_counts);
	for (int i = 0; i < 2; i++) {
		*slice_count_table_add(&model->slice_counts, slice_start_ns[i], slice_end_ns[i], 0,
				       0) = counts[i];
		model->slice_counts.invalid[i] = 0;
	}
	model->pmu_gaps = (struct pmu_gap_table){ 1,	   gap_start_ns, gap_end_ns,
						  gap_cpu, gap_event,	 gap_state };
	trace->info.nr_events = 230;
}

enum {
	NR_MESSAGE_STEPS = 1000,
	MESSAGE_STEP_NS = 10000,
	CALL_NS = 1000,
	CALLS_IN_STEP = MESSAGE_STEP_NS / CALL_NS,
};

static void add_call(struct thread *thread, uint64_t from_ns, uint32_t name,
		     enum trace_span_kind kind)
{
	size_t row = add_span(thread, from_ns, name, kind, 0, 0);

	thread->spans.end_ns[row] = from_ns + CALL_NS;
}

/*
 * Two threads run for 10 ms. In the first 9 ms, message i leaves the first one at i * 10 us + 500 ns, and comes to the
 * second one 5 us later; of ten, the last one 503 us later. Each call is 1 us around that.
 */
static void make_messages(struct model *model, struct trace *trace, struct message_table *messages)
{
	static bool receives[NR_MESSAGE_STEPS * CALLS_IN_STEP];
	uint32_t send = trace_intern(trace, "MPI_Send"), receive = trace_intern(trace, "MPI_Recv");

	make(model, trace, 2, 2);
	model->duration_ns = NR_MESSAGE_STEPS * MESSAGE_STEP_NS;
	for (uint32_t i = 0; i < 2; i++) {
		name_thread(model, i, 1000 + (int32_t)i, i ? "rank-1" : "rank-0", true);
		add_state(&model->threads[i], 0, STATE_RUNNING, (int)i);
		add_slice(&model->cpus[i], 0, model->duration_ns, i, STATE_RUNNING);
	}
	for (uint32_t i = 0; i < NR_MESSAGE_STEPS * 9 / 10; i++) {
		uint64_t call_ns = (uint64_t)i * MESSAGE_STEP_NS;
		uint64_t latency_ns = i % 10 == 9 ? 503000 : 5000;

		add_call(&model->threads[0], call_ns, send, TRACE_SPAN_WORK);
		receives[(call_ns + latency_ns) / CALL_NS] = true;
		message_table_add(messages, &(struct message_row){
						    .start_ns = call_ns + CALL_NS / 2,
						    .end_ns = call_ns + latency_ns + CALL_NS / 2,
						    .receiver = 1,
						    .receiver_rank = 1,
						    .tag = i,
						    .bytes = 64 });
	}
	for (uint64_t call = 0; call < NR_MESSAGE_STEPS * CALLS_IN_STEP; call++)
		if (receives[call])
			add_call(&model->threads[1], call * CALL_NS, receive, TRACE_SPAN_WAIT);
	trace->info.nr_events = 4 * messages->nr;
}

/* In so many windows of equal length. */
static int write_page(struct model *model, const struct page_options *options, size_t nr_windows)
{
	struct page_data *data = page_data_new(model->duration_ns,
					       trace_info(model->trace)->nr_events);
	const struct model_sink sink = { .take = page_data_take, .context = data };
	uint64_t *cuts_ns = calloc(nr_windows, sizeof(*cuts_ns));
	int status;

	if (!cuts_ns || !nr_windows)
		abort();
	page_data_set_messages(data, options->analysis.messages);
	for (size_t i = 0; i + 1 < nr_windows; i++)
		cuts_ns[i] = model->duration_ns / nr_windows * (i + 1);
	model_divide(model, cuts_ns, nr_windows - 1, &sink);
	free(cuts_ns);
	status = page_write_data(data, model, options, stdout);
	page_data_free(data);
	return status < 0 || fflush(stdout) ? 1 : 0;
}

/* Of three systems; each fifth is of no thread. */
static void add_events(struct model *model, struct trace *trace, size_t nr)
{
	static const char *const names[] = { "irq:softirq_entry", "timer:timer_start",
					     "probe:thing" };
	struct event_table *events = &model->events;

	events->texts = string_table_new();
	for (size_t i = 0; i < nr; i++) {
		char text[32];
		int nr_bytes = snprintf(text, sizeof(text), "count=%zu", i);
		const struct event_row row = {
			.time_ns = model->duration_ns / nr * i,
			.thread = i % 5 ? (uint32_t)(i % model->nr_threads) : MODEL_NO_THREAD,
			.cpu = (int16_t)(i % (size_t)model->nr_cpus),
			.name = trace_intern(trace, names[i % 3]),
			.text = string_table_intern(events->texts, text, (size_t)nr_bytes),
		};

		event_table_add(events, &row);
	}
}

int main(int argc, char **argv)
{
	static struct trace trace;
	static struct model model;
	static struct message_table messages;
	const char *what = argc > 1 ? argv[1] : "";
	struct page_options options = { .title = what };

	if (!strcmp(what, "empty")) {
		make(&model, &trace, 2, 0);
	} else if (!strcmp(what, "one")) {
		make_one(&model, &trace);
	} else if (!strcmp(what, "hostile")) {
		make_hostile(&model, &trace);
		options.title = "</title><script>window.hostile = 4</script>\xff";
	} else if (!strcmp(what, "hours")) {
		make_hours(&model, &trace);
	} else if (!strcmp(what, "misses")) {
		make_misses(&model, &trace);
	} else if (!strcmp(what, "messages")) {
		make_messages(&model, &trace, &messages);
		options.analysis.messages = &messages;
	} else if (!strcmp(what, "busy")) {
		make_busy(&model, &trace, &busy_machine,
			  argc > 2 ? strtoul(argv[2], NULL, 10) : 1000000);
	} else if (!strcmp(what, "events")) {
		size_t nr_slices = argc > 2 ? strtoul(argv[2], NULL, 10) : 100000;

		make_busy(&model, &trace, &busy_machine, nr_slices);
		add_events(&model, &trace, 2 * nr_slices);
		options.analysis.json = "{}"; /* the list is a tab beside those of analyses */
	} else if (!strcmp(what, "many")) {
		make_busy(&model, &trace, &many_machine,
			  argc > 2 ? strtoul(argv[2], NULL, 10) : 300000);
	} else {
		fputs("usage: synthetic empty|one|hostile|hours|misses|messages|busy|events|many "
		      "[SLICES [WINDOWS [MOST_BYTES]]] >PAGE\n",
		      stderr);
		return 2;
	}
	if (argc > 4)
		options.most_bytes = strtoul(argv[4], NULL, 10);
	return write_page(&model, &options, argc > 3 ? strtoul(argv[3], NULL, 10) : 1);
}
