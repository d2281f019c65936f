// SPDX-License-Identifier: GPL-2.0
#include <errno.h>
#include <sched.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

#include "annot/annot.h"
#include "count.h"
#include "load.h"
#include "truth_log.h"

static struct truth_annotation *note(struct truth_thread *thread, char letter, const char *name)
{
	struct truth_annotation *annotation = &thread->annotations[thread->nr_annotations++];

	if (thread->nr_annotations > MAX_ANNOTATIONS)
		die("more than %d annotations in a thread", MAX_ANNOTATIONS);
	annotation->letter = letter;
	annotation->name = name;
	return annotation;
}

static void note_value(struct truth_annotation *annotation, int64_t value)
{
	annotation->has_value = true;
	annotation->value = value;
}

/* @annotation: the begin that was just noted and written. */
static void open_span(struct truth_thread *thread, const struct truth_annotation *annotation)
{
	struct truth_span *span = &thread->spans[thread->nr_spans];

	if (thread->nr_spans == MAX_SPANS || thread->depth == MAX_DEPTH)
		die("more than %d spans, or %d within each other", MAX_SPANS, MAX_DEPTH);
	span->begin = *annotation;
	span->depth = thread->depth;
	thread->open[thread->depth++] = thread->nr_spans++;
	span->start_ns = wall_ns();
	span->start_cpu_ns = thread_cpu_ns();
	span->start_count = count_read(thread->count_fd);
}

void truth_begin(struct truth_thread *thread, const char *name, int64_t value)
{
	struct truth_annotation *annotation = note(thread, 'B', name);

	note_value(annotation, value);
	annot_begin_value(name, value);
	open_span(thread, annotation);
}

void truth_wait_begin(struct truth_thread *thread, const char *name)
{
	struct truth_annotation *annotation = note(thread, 'W', name);

	annot_wait_begin(name);
	open_span(thread, annotation);
}

void truth_end(struct truth_thread *thread)
{
	int64_t count = count_read(thread->count_fd);
	uint64_t cpu_ns = thread_cpu_ns(), end_ns = wall_ns();
	struct truth_span *span;

	annot_end();
	if (!thread->depth)
		die("an end without a begin");
	span = &thread->spans[thread->open[--thread->depth]];
	span->cpu_ns = cpu_ns - span->start_cpu_ns;
	span->end_ns = end_ns;
	span->count = count < 0 ? -1 : count - span->start_count;
	note(thread, 'E', NULL);
}

void truth_mark(struct truth_thread *thread, const char *name, int64_t value)
{
	note_value(note(thread, 'I', name), value);
	annot_mark_value(name, value);
}

void truth_counter(struct truth_thread *thread, const char *name, int64_t value)
{
	note_value(note(thread, 'C', name), value);
	annot_counter(name, value);
}

void truth_move(struct truth_thread *thread, int to_cpu)
{
	struct truth_move *move = &thread->moves[thread->nr_moves++];

	if (thread->nr_moves > MAX_MOVES)
		die("more than %d moves of a thread", MAX_MOVES);
	move->from = sched_getcpu();
	move->to = to_cpu;
	if (move->from == to_cpu)
		die("a move from CPU %d to itself", to_cpu);
	truth_mark(thread, "move", to_cpu);
	move->before_ns = wall_ns();
	pin_to(to_cpu);
	move->after_ns = wall_ns();
}

struct truth *truth_create(unsigned int nr_threads)
{
	size_t nr_bytes = sizeof(struct truth) + nr_threads * sizeof(struct truth_thread);
	/* populated: no page fault inside a span comes from here */
	struct truth *truth = mmap(NULL, nr_bytes, PROT_READ | PROT_WRITE,
				   MAP_SHARED | MAP_ANONYMOUS | MAP_POPULATE, -1, 0);

	if (truth == MAP_FAILED)
		die("mmap: %s", strerror(errno));
	truth->nr_threads = nr_threads;
	truth->start_ns = wall_ns();
	return truth;
}

void truth_count_event(struct truth *truth, const char *event)
{
	truth->event = event;
}

void truth_add_details(struct truth *truth, void (*write)(FILE *out))
{
	truth->write_details = write;
}

static void open_count(struct truth_thread *thread, const char *event)
{
	thread->count_fd = event ? count_open(event) : -1;
	if (thread->count_fd < 0)
		thread->count_error = event ? -thread->count_fd : 0;
}

struct truth_thread *truth_thread_begin(struct truth *truth, unsigned int index, const char *name)
{
	struct truth_thread *thread = &truth->threads[index];

	annot_thread_name(name);
	snprintf(thread->name, sizeof(thread->name), "%s", name);
	thread->tid = gettid();
	thread->tgid = getpid();
	open_count(thread, truth->event);
	thread->start_ns = wall_ns();
	return thread;
}

/* The kernel's own account of the thread's time on a CPU, or -1. */
static int64_t schedstat_run_ns(pid_t tid)
{
	char path[64];
	long long run_ns = -1;
	FILE *file;

	snprintf(path, sizeof(path), "/proc/self/task/%d/schedstat", tid);
	file = fopen(path, "re");
	if (!file)
		return -1;
	if (fscanf(file, "%lld", &run_ns) != 1)
		run_ns = -1;
	fclose(file);
	return run_ns;
}

void truth_thread_end(struct truth_thread *thread)
{
	struct rusage usage;

	if (thread->depth)
		die("a span is still open at its thread's end");
	thread->count = count_read(thread->count_fd);
	getrusage(RUSAGE_THREAD, &usage);
	thread->voluntary_switches = usage.ru_nvcsw;
	thread->involuntary_switches = usage.ru_nivcsw;
	thread->end_ns = wall_ns();
	/* Reading this clock brings schedstat up to date, which else lags by up to a tick. */
	thread->cpu_ns = thread_cpu_ns();
	thread->schedstat_run_ns = schedstat_run_ns(thread->tid);
}
