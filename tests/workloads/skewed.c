// SPDX-License-Identifier: GPL-2.0
/*
 * Usage: skewed ROUNDS
 *
 * An OpenMP program that nobody annotated. In each round, a region of 2 threads gives the second one twice the work of
 * the first; then the master works alone. Before these rounds, there is one without work: attached, it tells names, which
 * takes time within what is measured. The program measures itself, and prints bounds, for a thread may lose its CPU between
 * an event and the reading of a clock:
 *
 *	regions NR
 *	useful THREAD LEAST MOST	CPU time in the region before the barrier, ns
 *	waited LEAST MOST		elapsed, from the master's arrival: to the other's, and to when it goes on
 *	spun LEAST MOST			the CPU time of the master in that
 *	serial LEAST			elapsed between regions
 *
 * A hypervisor may take the CPU from a thread that stays on it. A CPU clock does not have that time, and the kernel's
 * switches do: it is in the upper bounds, as the time that passed beyond the CPU clock while the thread was not switched.
 */
#include <omp.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <time.h>

#define THREADS 2
#define SHORT_NS 5000000

struct bounds {
	uint64_t least_ns, most_ns;
};

/* One moment on all clocks. */
struct reading {
	uint64_t elapsed_ns;
	uint64_t cpu_ns[THREADS];
	long nr_switches; /* of the thread that reads */
};

static struct bounds useful[THREADS], waited, spun;
static clockid_t cpu_clock[THREADS];
static bool has_clock[THREADS];

static uint64_t now_ns(clockid_t clock)
{
	struct timespec time;

	clock_gettime(clock, &time);
	return (uint64_t)time.tv_sec * 1000000000 + (uint64_t)time.tv_nsec;
}

static long nr_switches(void)
{
	struct rusage usage;

	getrusage(RUSAGE_THREAD, &usage);
	return usage.ru_nvcsw + usage.ru_nivcsw;
}

/* A thread that is not there yet has had no CPU. */
static struct reading read_clocks(void)
{
	struct reading reading = { .elapsed_ns = now_ns(CLOCK_MONOTONIC),
				   .nr_switches = nr_switches() };

	for (int thread = 0; thread < THREADS; thread++)
		reading.cpu_ns[thread] = has_clock[thread] ? now_ns(cpu_clock[thread]) : 0;
	return reading;
}

static uint64_t since(uint64_t from_ns, uint64_t to_ns)
{
	return to_ns > from_ns ? to_ns - from_ns : 0;
}

/* Returns how much of the time that it was on its CPU is not on its CPU clock. */
static uint64_t work(uint64_t length_ns)
{
	uint64_t cpu_ns = now_ns(CLOCK_THREAD_CPUTIME_ID), until_ns = cpu_ns + length_ns;
	uint64_t elapsed_ns = now_ns(CLOCK_MONOTONIC), off_clock_ns = 0;
	long switches = nr_switches();

	while (cpu_ns < until_ns) {
		uint64_t cpu_before_ns = cpu_ns, elapsed_before_ns = elapsed_ns;
		long switches_before = switches;

		cpu_ns = now_ns(CLOCK_THREAD_CPUTIME_ID);
		elapsed_ns = now_ns(CLOCK_MONOTONIC);
		switches = nr_switches();
		if (switches == switches_before)
			off_clock_ns += elapsed_ns - elapsed_before_ns - (cpu_ns - cpu_before_ns);
	}
	return (int64_t)off_clock_ns > 0 ? off_clock_ns : 0;
}

static void add_bounds(struct bounds *sum, uint64_t least_ns, uint64_t most_ns)
{
	sum->least_ns += least_ns < most_ns ? least_ns : most_ns;
	sum->most_ns += most_ns;
}

/* @is_measured: else the lower bounds are 0. */
static void solve(uint64_t short_ns, bool is_measured)
{
	struct reading began[THREADS], arrived[THREADS], before = read_clocks(), after;
	uint64_t spun_ns, spun_least_ns, off_clock_ns[THREADS];

#pragma omp parallel num_threads(THREADS)
	{
		int thread = omp_get_thread_num();

		if (!has_clock[thread])
			has_clock[thread] = pthread_getcpuclockid(pthread_self(),
								  &cpu_clock[thread]) == 0;
		began[thread] = read_clocks();
		off_clock_ns[thread] = work((uint64_t)(thread + 1) * short_ns);
		arrived[thread] = read_clocks();
	}
	after = read_clocks();
	spun_ns = after.nr_switches == arrived[0].nr_switches ?
			  after.elapsed_ns - arrived[0].elapsed_ns :
			  after.cpu_ns[0] - arrived[0].cpu_ns[0];
	spun_least_ns = is_measured ? since(arrived[0].cpu_ns[0], arrived[1].cpu_ns[0]) : 0;
	for (int thread = 0; thread < THREADS; thread++) {
		uint64_t least_ns = arrived[thread].cpu_ns[thread] - began[thread].cpu_ns[thread];
		uint64_t most_ns = after.cpu_ns[thread] - before.cpu_ns[thread] +
				   off_clock_ns[thread];

		add_bounds(&useful[thread], is_measured ? least_ns : 0,
			   thread == 0 ? most_ns - spun_least_ns : most_ns);
	}
	add_bounds(&waited, is_measured ? since(arrived[0].elapsed_ns, arrived[1].elapsed_ns) : 0,
		   after.elapsed_ns - arrived[0].elapsed_ns);
	add_bounds(&spun, spun_least_ns, spun_ns);
}

static void print_bounds(const char *what, struct bounds bounds)
{
	printf("%s %llu %llu\n", what, (unsigned long long)bounds.least_ns,
	       (unsigned long long)bounds.most_ns);
}

int main(int argc, char **argv)
{
	int rounds = argc > 1 ? atoi(argv[1]) : 1;
	uint64_t serial_ns = 0, from_ns;

	solve(0, false);
	for (int round = 0; round < rounds; round++) {
		solve(SHORT_NS, true);
		from_ns = now_ns(CLOCK_MONOTONIC);
		work(SHORT_NS);
		serial_ns += now_ns(CLOCK_MONOTONIC) - from_ns;
	}
	printf("regions %d\n", rounds + 1);
	print_bounds("useful 0", useful[0]);
	print_bounds("useful 1", useful[1]);
	print_bounds("waited", waited);
	print_bounds("spun", spun);
	printf("serial %llu\n", (unsigned long long)serial_ns);
	return 0;
}
