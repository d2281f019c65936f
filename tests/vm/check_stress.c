// SPDX-License-Identifier: GPL-2.0
/*
 * Usage: check_stress TRACE TRUTH
 *
 * Holds the recording of tests/vm/guest/ring/stress.c against what its threads did. It goes by the
 * stream of events, as it stood in the kernel's buffers: whose an annotation is, on which CPU and
 * ahead of which switch, is where it stands and what ftrace says of it; the value of the record says
 * where it ought to be. Prints TAP.
 */
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../../viewer/trace/trace.h"
#include "guest/lib/stress.h"

#define NR_TIDS (1 << 22) /* PID_MAX_LIMIT of the kernel */
#define MAX_CPUS 64
#define MAX_TOLD 8
/* How many come by write() while the first annotation prepares the rings, at the most. */
#define BY_RING_SHARE 0.5

/*
 * What a thread should have, and what the trace had of it so far.
 *
 * @between:	of a `next`, the end was seen, and the begin must follow
 */
struct thread {
	uint32_t nr;
	uint32_t nr_handled;
	uint32_t seen;
	uint32_t seen_handled;
	bool between;
};

static struct thread threads[STRESS_NR_THREADS_MAX];
static unsigned int nr_threads;
static int32_t process;
static unsigned long long nr_aborts;
static unsigned int slowdown;
static int number_of[NR_TIDS]; /* plus 1; 0: no thread of ours */

/* --- complaints: of each rule the first few are printed, and all are counted */

enum rule {
	RULE_LOSS,
	RULE_ORDER,
	RULE_IDENTITY,
	RULE_PLACE,
	NR_RULES,
};

static uint64_t nr_complaints[NR_RULES];

static void __attribute__((format(printf, 2, 3))) complain(enum rule rule, const char *format, ...)
{
	va_list args;

	if (nr_complaints[rule]++ >= MAX_TOLD)
		return;
	printf("# ");
	va_start(args, format);
	vprintf(format, args);
	va_end(args);
	putchar('\n');
}

static bool all_well = true;

static void __attribute__((format(printf, 2, 3))) point(bool well, const char *format, ...)
{
	va_list args;

	printf(well ? "ok - " : "not ok - ");
	va_start(args, format);
	vprintf(format, args);
	va_end(args);
	putchar('\n');
	all_well = all_well && well;
}

static void point_of(enum rule rule, const char *name)
{
	if (nr_complaints[rule] > MAX_TOLD)
		printf("# and %" PRIu64 " more\n", nr_complaints[rule] - MAX_TOLD);
	point(!nr_complaints[rule], "%s", name);
}

/* --- the truth */

static int read_thread(FILE *file)
{
	unsigned int number, nr, nr_handled;
	int tid;

	if (fscanf(file, " thread %u tid %d records %u handled %u", &number, &tid, &nr,
		   &nr_handled) != 4)
		return -1;
	if (number != nr_threads || number >= STRESS_NR_THREADS_MAX || tid <= 0 || tid >= NR_TIDS)
		return -1;
	/* The numbers of threads are in use once: the guest does not start so many. */
	if (number_of[tid])
		return -1;
	threads[number] = (struct thread){ .nr = nr, .nr_handled = nr_handled };
	number_of[tid] = (int)number + 1;
	nr_threads++;
	return 0;
}

static bool read_truth(const char *path)
{
	FILE *file = fopen(path, "r");
	bool well;

	if (!file || fscanf(file, "process %d aborts %llu slowdown %u", &process, &nr_aborts,
			    &slowdown) != 3) {
		if (file)
			fclose(file);
		return false;
	}
	while (!read_thread(file))
		;
	well = feof(file) && slowdown >= 1 && slowdown <= STRESS_SLOWDOWN_MAX;
	fclose(file);
	return well;
}

/* --- the stream */

static int32_t running[MAX_CPUS]; /* on each CPU, by its last switch; -1: none was seen yet */
static uint64_t nr_by_ring;
static uint64_t nr_annotations;
static uint64_t nr_switches;

static void take_switch(const struct trace_event *event)
{
	if (running[event->cpu] >= 0 && running[event->cpu] != event->tid)
		complain(RULE_PLACE, "CPU %d switches from %d, but %d was running", event->cpu,
			 event->tid, running[event->cpu]);
	running[event->cpu] = event->sw.next_tid;
	nr_switches++;
}

/* The records of one batch come with one time, oldest first: times that go back are torn. */
static void check_time(const struct trace_event *event)
{
	static uint64_t last_event_ns, last_true_ns;
	static int last_cpu = -1;

	if (event->cpu == last_cpu && event->time_ns == last_event_ns &&
	    event->annot.true_ns < last_true_ns)
		complain(RULE_ORDER,
			 "thread %d at %" PRIu64 ": goes back in time by %" PRIu64 " ns",
			 event->tid, event->time_ns, last_true_ns - event->annot.true_ns);
	last_cpu = event->cpu;
	last_event_ns = event->time_ns;
	last_true_ns = event->annot.true_ns;
}

static enum trace_event_kind kind_of(const struct stress_kind *kind, bool between)
{
	switch (kind->op) {
	case ANNOT_OP_NEXT:
		return between ? TRACE_SPAN_BEGIN : TRACE_SPAN_END;
	case ANNOT_OP_END:
		return TRACE_SPAN_END;
	case ANNOT_OP_MARK:
		return TRACE_MARK;
	case ANNOT_OP_COUNTER:
		return TRACE_COUNTER;
	default:
		return TRACE_SPAN_BEGIN;
	}
}

static bool is_of_kind(const struct trace *trace, const struct trace_event *event,
		       const struct stress_kind *kind, bool between)
{
	bool is_wait = kind->op == ANNOT_OP_WAIT_BEGIN;

	if (event->kind != kind_of(kind, between))
		return false;
	if (event->kind == TRACE_SPAN_END)
		return true;
	return event->annot.has_value &&
	       !strcmp(trace_string(trace, event->annot.name), kind->name) &&
	       (event->kind != TRACE_SPAN_BEGIN ||
		event->annot.span_kind == (is_wait ? TRACE_SPAN_WAIT : TRACE_SPAN_WORK));
}

/* Whose the record is by its own word. False: somebody else's. */
static bool check_value(const struct trace_event *event, const struct stress_value *value)
{
	unsigned int number = (unsigned int)number_of[event->tid] - 1;

	if (value->thread != number) {
		complain(RULE_IDENTITY,
			 "at %" PRIu64 " thread %d, number %u, has record %u of number %u",
			 event->time_ns, event->tid, number, value->sequence, value->thread);
		return false;
	}
	if (value->cpu != STRESS_ANY_CPU && value->cpu != (unsigned int)event->cpu)
		complain(RULE_PLACE,
			 "record %u of thread %d, made on CPU %u, stands in the buffer of %d",
			 value->sequence, event->tid, value->cpu, event->cpu);
	return true;
}

static bool is_of_handler(const struct trace *trace, const struct trace_event *event)
{
	return event->kind == TRACE_MARK &&
	       !strcmp(trace_string(trace, event->annot.name), STRESS_HANDLER_NAME);
}

static void take_of_handler(const struct trace_event *event, struct thread *thread)
{
	struct stress_value value = stress_unpack(event->annot.value);

	if (!check_value(event, &value))
		return;
	if (!value.in_handler || value.sequence != thread->seen_handled)
		complain(RULE_ORDER, "thread %d: record %u of its handler in the place of %u",
			 event->tid, value.sequence, thread->seen_handled);
	thread->seen_handled = value.sequence + 1;
}

static void take_record(const struct trace *trace, const struct trace_event *event,
			struct thread *thread)
{
	struct stress_kind kind = stress_kind(thread->seen);
	struct stress_value value = { .sequence = thread->seen };

	if (event->kind != TRACE_SPAN_END) {
		value = stress_unpack(event->annot.value);
		if (!check_value(event, &value))
			return;
	}
	if (value.sequence != thread->seen || value.in_handler ||
	    !is_of_kind(trace, event, &kind, thread->between))
		complain(RULE_ORDER,
			 "thread %d: '%s' (value %#" PRIx64 ") in the place of record %u",
			 event->tid, trace_string(trace, event->annot.name),
			 (uint64_t)event->annot.value, thread->seen);
	if (event->kind == TRACE_SPAN_END && kind.op == ANNOT_OP_NEXT && !thread->between) {
		thread->between = true;
		return;
	}
	thread->between = false;
	thread->seen = value.sequence + 1;
}

static void take_annotation(const struct trace *trace, const struct trace_event *event)
{
	struct thread *thread;

	nr_annotations++;
	nr_by_ring += event->annot.true_ns < event->time_ns;
	if (event->tid < 0 || event->tid >= NR_TIDS || !number_of[event->tid] ||
	    event->annot.tgid != process) {
		complain(RULE_IDENTITY, "at %" PRIu64 ": thread %d of process %d annotated nothing",
			 event->time_ns, event->tid, event->annot.tgid);
		return;
	}
	if (running[event->cpu] >= 0 && running[event->cpu] != event->tid)
		complain(RULE_PLACE, "at %" PRIu64 " on CPU %d: an annotation of %d while %d runs",
			 event->time_ns, event->cpu, event->tid, running[event->cpu]);
	check_time(event);
	thread = &threads[number_of[event->tid] - 1];
	if (is_of_handler(trace, event))
		take_of_handler(event, thread);
	else
		take_record(trace, event, thread);
}

static int read_stream(struct trace *trace)
{
	struct trace_event event;
	int got;

	while ((got = trace_next(trace, &event)) > 0) {
		if (event.cpu >= MAX_CPUS)
			return -1;
		switch (event.kind) {
		case TRACE_SWITCH:
			take_switch(&event);
			break;
		case TRACE_SPAN_BEGIN:
		case TRACE_SPAN_END:
		case TRACE_MARK:
		case TRACE_COUNTER:
			take_annotation(trace, &event);
			break;
		case TRACE_LOST:
			complain(RULE_LOSS, "CPU %d lost %" PRIu64 " events before %" PRIu64,
				 event.cpu, event.lost.nr_events, event.time_ns);
			break;
		default:
			break;
		}
	}
	return got;
}

/* --- what came of it */

static void check_counts(const struct trace_info *info)
{
	unsigned int i;

	if (info->annotations.nr_lost || info->annotations.nr_altered ||
	    info->annotations.nr_nameless)
		complain(RULE_LOSS,
			 "%" PRIu64 " annotations lost, %" PRIu64 " altered, %" PRIu64 " nameless",
			 info->annotations.nr_lost, info->annotations.nr_altered,
			 info->annotations.nr_nameless);
	for (i = 0; i < nr_threads; i++) {
		if (threads[i].seen != threads[i].nr ||
		    threads[i].seen_handled != threads[i].nr_handled || threads[i].between)
			complain(RULE_ORDER,
				 "thread number %u: %u of %u records, %u of %u of its handler", i,
				 threads[i].seen, threads[i].nr, threads[i].seen_handled,
				 threads[i].nr_handled);
	}
}

static bool is_all_of_it(void)
{
	unsigned int i;

	for (i = 0; i < STRESS_NR_LONG; i++) {
		if (threads[i].nr != STRESS_NR_EACH / slowdown)
			return false;
	}
	return nr_threads >= STRESS_NR_LONG + STRESS_NR_SHORT_MIN;
}

static uint64_t sum_of_handlers(void)
{
	uint64_t sum = 0;
	unsigned int i;

	for (i = 0; i < nr_threads; i++)
		sum += threads[i].nr_handled;
	return sum;
}

static void print_points(void)
{
	point_of(RULE_LOSS, "nothing was lost or altered");
	point_of(RULE_ORDER, "each record arrives once, whole, in its thread's order");
	point_of(RULE_IDENTITY, "each bears the thread that made it, and nobody else's is there");
	point_of(RULE_PLACE,
		 "each stands where it was made, before the switch that ended its slice");
	point((double)nr_by_ring >= BY_RING_SHARE * (double)nr_annotations,
	      "%" PRIu64 " of %" PRIu64 " annotations came out of rings", nr_by_ring,
	      nr_annotations);
	point(nr_aborts > 0, "%llu sequences were interrupted and begun anew", nr_aborts);
	point(sum_of_handlers() > 0, "%" PRIu64 " signals were handled", sum_of_handlers());
	point(is_all_of_it(), "%d threads of %u records, %u short ones, %" PRIu64 " switches",
	      STRESS_NR_LONG, STRESS_NR_EACH / slowdown, nr_threads - STRESS_NR_LONG, nr_switches);
}

int main(int argc, char **argv)
{
	struct trace *trace;
	int status;

	if (argc != 3) {
		fprintf(stderr, "usage: check_stress TRACE TRUTH\n");
		return 2;
	}
	if (!read_truth(argv[2]) || trace_open(argv[1], &trace)) {
		point(false, "recording and truth can be read");
		return 1;
	}
	memset(running, -1, sizeof(running));
	status = read_stream(trace);
	check_counts(trace_info(trace));
	point(!status && !trace_info(trace)->truncated, "recording and truth can be read");
	print_points();
	trace_close(trace);
	return all_well ? 0 : 1;
}
