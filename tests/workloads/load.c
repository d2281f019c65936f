// SPDX-License-Identifier: GPL-2.0
#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "load.h"

void die(const char *format, ...)
{
	va_list arguments;

	fprintf(stderr, "%s: ", program_invocation_short_name);
	va_start(arguments, format);
	vfprintf(stderr, format, arguments);
	va_end(arguments);
	fputc('\n', stderr);
	exit(1);
}

#define DEFAULT_LETTERS "truo"

static const struct {
	char letter;
	const char *value;
} known[] = {
	{ 't', "THREADS" },    { 'r', "ROUNDS" }, { 'u', "UNIT_US" }, { 'w', "WORKING_SET_KIB" },
	{ 's', "KIB,..." },    { 'n', "STEPS" },  { 'p', "BYTES" },   { 'e', "EVENT" },
	{ 'o', "TRUTH.json" }, { 'q', NULL },
};

#define NR_KNOWN (sizeof(known) / sizeof(known[0]))

static void usage(const char *letters)
{
	size_t i;

	fprintf(stderr, "usage: %s", program_invocation_short_name);
	for (i = 0; i < NR_KNOWN; i++) {
		if (!strchr(letters, known[i].letter))
			continue;
		fprintf(stderr, " [-%c", known[i].letter);
		if (known[i].value)
			fprintf(stderr, " %s", known[i].value);
		fputc(']', stderr);
	}
	fputc('\n', stderr);
	exit(2);
}

/* Returns 0 for what is none from 1 to 100 million. */
static unsigned int parse_number(const char *text)
{
	char *end;
	unsigned long number;

	errno = 0;
	number = strtoul(text, &end, 10);
	if (errno || end == text || *end || number > 100000000)
		return 0;
	return (unsigned int)number;
}

/* Numbers with commas between them. */
static void parse_sizes(const char *text, struct options *options)
{
	char copy[128], *next = copy, *one;

	options->nr_sizes = 0;
	if (strlen(text) >= sizeof(copy))
		usage(options->letters);
	strcpy(copy, text);
	while ((one = strsep(&next, ","))) {
		unsigned int number = parse_number(one);

		if (!number || options->nr_sizes == MAX_SIZES)
			usage(options->letters);
		options->sizes_kib[options->nr_sizes++] = number;
	}
}

static unsigned int *number_of(struct options *options, int letter)
{
	switch (letter) {
	case 't':
		return &options->nr_threads;
	case 'r':
		return &options->nr_rounds;
	case 'u':
		return &options->unit_us;
	case 'w':
		return &options->working_set_kib;
	case 'p':
		return &options->padding_bytes;
	default:
		return &options->nr_steps;
	}
}

void parse_options(int argc, char **argv, struct options *options)
{
	const char *letters = options->letters ? options->letters : DEFAULT_LETTERS;
	int option;

	while ((option = getopt(argc, argv, "t:r:u:w:s:n:p:e:o:q")) != -1) {
		if (option == '?' || !strchr(letters, option))
			usage(letters);
		if (option == 'o') {
			options->output = optarg;
		} else if (option == 'e') {
			options->event = optarg;
		} else if (option == 's') {
			parse_sizes(optarg, options);
		} else if (option == 'q') {
			options->is_quiet = true;
		} else {
			unsigned int *number = number_of(options, option);

			*number = parse_number(optarg);
			if (!*number)
				usage(letters);
		}
	}
	if (optind != argc)
		usage(letters);
}

static uint64_t clock_ns(clockid_t clock)
{
	struct timespec time;

	clock_gettime(clock, &time);
	return (uint64_t)time.tv_sec * 1000000000 + (uint64_t)time.tv_nsec;
}

uint64_t wall_ns(void)
{
	return clock_ns(CLOCK_MONOTONIC);
}

uint64_t thread_cpu_ns(void)
{
	return clock_ns(CLOCK_THREAD_CPUTIME_ID);
}

static uint64_t unit_iterations;

static void iterate(uint64_t nr)
{
	uint64_t state = nr;

	while (nr--) {
		state = state * 6364136223846793005u + 1442695040888963407u;
		__asm__ volatile("" : "+r"(state)); /* each step is really taken */
	}
}

void calibrate_unit(unsigned int unit_us)
{
	const uint64_t enough_ns = 20000000;
	uint64_t nr = 1000, start_ns, taken_ns;

	for (;;) {
		start_ns = thread_cpu_ns();
		iterate(nr);
		taken_ns = thread_cpu_ns() - start_ns;
		if (taken_ns >= enough_ns)
			break;
		nr *= 2;
	}
	unit_iterations = nr * unit_us * 1000 / taken_ns;
}

void work_unit(void)
{
	iterate(unit_iterations);
}

void work_for(uint64_t ns)
{
	uint64_t until_ns = wall_ns() + ns;

	while (wall_ns() < until_ns)
		iterate(1000);
}

unsigned int allowed_cpus(int *cpus)
{
	cpu_set_t set;
	unsigned int nr = 0;
	int cpu;

	if (sched_getaffinity(0, sizeof(set), &set))
		die("sched_getaffinity: %s", strerror(errno));
	for (cpu = 0; cpu < MAX_CPUS; cpu++) {
		if (CPU_ISSET(cpu, &set))
			cpus[nr++] = cpu;
	}
	return nr;
}

void pin_to(int cpu)
{
	cpu_set_t set;

	CPU_ZERO(&set);
	CPU_SET(cpu, &set);
	if (sched_setaffinity(0, sizeof(set), &set))
		die("sched_setaffinity to CPU %d: %s", cpu, strerror(errno));
	if (sched_getcpu() != cpu)
		die("bound to CPU %d, but running on CPU %d", cpu, sched_getcpu());
}

void run_in_real_time(int priority)
{
	struct sched_param param = { .sched_priority = priority };

	if (!sched_setscheduler(0, SCHED_FIFO, &param))
		return;
	if (errno != EPERM)
		die("sched_setscheduler: %s", strerror(errno));
	fprintf(stderr, "%s: may not run in real time\n", program_invocation_short_name);
	exit(EXIT_CANNOT_RUN_HERE);
}

void run_in_threads(unsigned int nr, void *(*run)(void *number))
{
	pthread_t *threads = calloc(nr, sizeof(*threads));
	uintptr_t i;

	if (!threads)
		die("no memory");
	for (i = 0; i < nr; i++) {
		if (pthread_create(&threads[i], NULL, run, (void *)i))
			die("cannot create thread %u", (unsigned int)i);
	}
	for (i = 0; i < nr; i++)
		pthread_join(threads[i], NULL);
	free(threads);
}
