// SPDX-License-Identifier: GPL-2.0
/*
 * Threads, each bound to a CPU of its own, that count four things at the same time. In the task falsely
 * each has its own counters, but those of one thing lie in one cache line: whoever writes to it
 * takes it from the others, and each update misses. In the task truly there is one counter of a thing
 * for all, and no other layout would help. With -p so many bytes of padding after each counter the
 * task falsely is its own cure.
 *
 * Having counted each thing, a thread tells the CPU that it spins. An emulator that runs its CPUs in
 * turn goes on to the next one then: they alternate, as CPUs do that run at once.
 */
#include <inttypes.h>
#include <pthread.h>
#include <stdalign.h>
#include <stdio.h>

#include "load.h"
#include "truth.h"

#define LINE_BYTES 64
#define NR_THINGS 4
#define MAX_THREADS 8
#define MAX_PADDING_BYTES 120
#define MAX_THING_BYTES (MAX_THREADS * (sizeof(uint64_t) + MAX_PADDING_BYTES))

/* -n: updates of each counter by a thread, which are its annotations' value */
static struct options options = {
	.letters = "trnpo",
	.nr_threads = 2,
	.nr_rounds = 2,
	.nr_steps = 100000,
	.output = "-",
};
static struct truth *truth;
static pthread_barrier_t barrier;
static int cpus[MAX_CPUS];

static struct event_layout {
	const char *task;
	unsigned int part; /* of the updates: one in so many */
	size_t counter_bytes; /* from a thread's counter to the next thread's */
	alignas(LINE_BYTES) char counters[NR_THINGS][MAX_THING_BYTES];
} layouts[] = {
	{ .task = "falsely", .part = 1, .counter_bytes = sizeof(uint64_t) },
	{ .task = "truly", .part = 8 },
};

#define NR_LAYOUTS (sizeof(layouts) / sizeof(layouts[0]))

static void spin_hint(void)
{
#if defined(__x86_64__)
	__builtin_ia32_pause();
#elif defined(__aarch64__)
	__asm__ volatile("yield");
#endif
}

static void count(struct event_layout *layout, unsigned int thread, unsigned int nr)
{
	char *first = layout->counters[0] + thread * layout->counter_bytes;

	while (nr--) {
		for (size_t i = 0; i < NR_THINGS; i++)
			__atomic_fetch_add((uint64_t *)(first + i * MAX_THING_BYTES), 1,
					   __ATOMIC_RELAXED);
		spin_hint();
	}
}

static void run_task(struct truth_thread *thread, struct event_layout *layout, unsigned int index)
{
	unsigned int nr = options.nr_steps / layout->part;

	truth_wait_begin(thread, "barrier");
	pthread_barrier_wait(&barrier);
	truth_end(thread);
	truth_begin(thread, layout->task, nr);
	count(layout, index, nr);
	truth_end(thread);
}

static void *run_thread(void *argument)
{
	unsigned int index = (unsigned int)(uintptr_t)argument, round;
	struct truth_thread *thread;
	char name[16];

	snprintf(name, sizeof(name), "pe%u", index);
	pin_to(cpus[index]);
	thread = truth_thread_begin(truth, index, name);
	for (round = 0; round < options.nr_rounds; round++) {
		for (size_t i = 0; i < NR_LAYOUTS; i++)
			run_task(thread, &layouts[i], index);
	}
	truth_thread_end(thread);
	return NULL;
}

static void write_buffer(FILE *out, const struct event_layout *layout, const char *counters)
{
	uintptr_t start = (uintptr_t)counters;
	size_t nr_bytes = (options.nr_threads - 1) * layout->counter_bytes + sizeof(uint64_t);

	fprintf(out, "\t{\"name\": \"%s\", \"start\": %" PRIuPTR ", \"end\": %" PRIuPTR "}",
		layout->task, start, start + nr_bytes);
}

/* buffers[]: name (of a task), start, end: the counters of a thing */
static void write_details(FILE *out)
{
	fputs("\"buffers\": [", out);
	for (size_t i = 0; i < NR_LAYOUTS; i++) {
		for (size_t j = 0; j < NR_THINGS; j++) {
			fputs(i || j ? ",\n" : "\n", out);
			write_buffer(out, &layouts[i], layouts[i].counters[j]);
		}
	}
	fputs("\n]", out);
}

int main(int argc, char **argv)
{
	parse_options(argc, argv, &options);
	if (options.nr_threads > MAX_THREADS || options.padding_bytes > MAX_PADDING_BYTES)
		die("no more than %d threads, and %d bytes", MAX_THREADS, MAX_PADDING_BYTES);
	if (allowed_cpus(cpus) < options.nr_threads) {
		fputs("sharing: needs a CPU for each thread\n", stderr);
		return EXIT_CANNOT_RUN_HERE;
	}
	layouts[0].counter_bytes += options.padding_bytes;
	truth = truth_create(options.nr_threads);
	truth_add_details(truth, write_details);
	pthread_barrier_init(&barrier, NULL, options.nr_threads);
	run_in_threads(options.nr_threads, run_thread);
	truth_write(truth, options.output);
	return 0;
}
