/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What the workloads do: work of a known amount, on known CPUs. Whatever fails here ends the
 * program with one line on stderr.
 */
#ifndef WORKLOADS_LOAD_H
#define WORKLOADS_LOAD_H

#include <stdbool.h>
#include <stdint.h>

#define EXIT_CANNOT_RUN_HERE 77
#define MAX_SIZES 8

struct options {
	const char *letters; /* which of them the program has; NULL: those of the first four */
	unsigned int nr_threads; /* -t */
	unsigned int nr_rounds; /* -r */
	unsigned int unit_us; /* -u, of thread CPU time: one trip of a loop */
	const char *output; /* -o, of the truth; "-": stdout */
	unsigned int working_set_kib; /* -w */
	unsigned int nr_sizes, sizes_kib[MAX_SIZES]; /* -s */
	unsigned int nr_steps; /* -n */
	unsigned int padding_bytes; /* -p */
	const char *event; /* -e, what to count: see count.h */
	bool is_quiet; /* -q: the same without what is to be found */
};

/* Fills @options, which hold the defaults, from the command line. */
void parse_options(int argc, char **argv, struct options *options);

void die(const char *format, ...) __attribute__((noreturn, format(printf, 1, 2)));

uint64_t wall_ns(void); /* CLOCK_MONOTONIC */
uint64_t thread_cpu_ns(void); /* CLOCK_THREAD_CPUTIME_ID */

/*
 * A unit of work is a number of iterations, the same for every thread and trip, found once before
 * the threads start. So trip counts are work whatever the scheduler does, and on every machine a
 * unit takes about the time that was asked for.
 */
void calibrate_unit(unsigned int unit_us);
void work_unit(void);

/* Works until so much time is over, whatever part of it the thread is on a CPU: where a truth is about
 * waiting, that is not to depend on what a unit came to. */
void work_for(uint64_t ns);

/* The CPUs this process may use, lowest first. */
#define MAX_CPUS 1024
unsigned int allowed_cpus(int *cpus);

/* Binds the calling thread to one CPU; returns once it runs there. */
void pin_to(int cpu);

/* The calling thread runs ahead of all that have a lower priority, or none; where it may not, the
 * program ends with EXIT_CANNOT_RUN_HERE. */
void run_in_real_time(int priority);

/* Runs @run in so many threads, each with its number as argument, and waits for all of them. */
void run_in_threads(unsigned int nr, void *(*run)(void *number));

#endif /* WORKLOADS_LOAD_H */
