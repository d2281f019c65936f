// SPDX-License-Identifier: GPL-2.0
/*
 * Usage: omp_all KERNEL THREADS
 *
 * All that OpenMP in C has, and what of it must be told. Built by gcc and by clang. KERNEL: all, or one below.
 */
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "omp_truth.h"

#define ITERATIONS 100
#define CANCELLED_AT 30

static int nr_threads;
static long sum;

static void add(long value)
{
	__atomic_add_fetch(&sum, value, __ATOMIC_RELAXED);
}

/* Each thread of a region, and the team's wait at its end. */
static void in_region(int line)
{
	did("parallel", line, 1);
	did("wait:team", 0, 1);
	if (omp_get_thread_num() == 0)
		did("team", 0, 1);
}

static void regions(void)
{
	for (int i = 0; i < 7; i++) {
		HERE(region);
#pragma omp parallel num_threads(nr_threads)
		{
			long begin_ns = now_ns();

			in_region(region);
			work_ns(3000000 * (1 + omp_get_thread_num()));
			took("parallel", region, now_ns() - begin_ns);
		}
	}
	HERE(alone);
#pragma omp parallel num_threads(1)
	{
		in_region(alone);
		add(1);
	}
}

static void loops(void)
{
	HERE(region);
#pragma omp parallel num_threads(nr_threads)
	{
		in_region(region);
		did("wait:barrier", 0, 4);
		did("for", __LINE__ + 1, 1);
#pragma omp for schedule(dynamic, 1)
		for (int i = 0; i < ITERATIONS; i++) {
			did("chunks", __LINE__ - 2, 1);
			add(i);
		}
		did("for", __LINE__ + 1, 1);
#pragma omp for schedule(guided) nowait
		for (long i = ITERATIONS; i > 0; i -= 3)
			add(i);
		did("for", __LINE__ + 1, 1);
#pragma omp for schedule(runtime)
		for (int i = 0; i < ITERATIONS; i++)
			add(i);
		did("for", __LINE__ + 1, 1);
#pragma omp for schedule(monotonic : dynamic, 7)
		for (unsigned long long i = 0; i < ITERATIONS; i++)
			add((long)i);
		/* What follows a loop is not in it. */
		for (int n = 0; n < 5; n++) {
			const int without_wait = __LINE__ + 4;

			did("for", without_wait, 1);
			long begin_ns = now_ns();
#pragma omp for schedule(dynamic, 1) nowait
			for (int i = 0; i < 16; i++)
				work_ns(500000);
			took("for", without_wait, now_ns() - begin_ns);
			work_ns(1000000);
		}
		/* Some threads get nothing. */
		did("for", __LINE__ + 1, 1);
#pragma omp for schedule(nonmonotonic : dynamic, 1)
		for (int i = 0; i < 1; i++) {
			did("chunks", __LINE__ - 2, 1);
			add(i);
		}
		add(1);
	}
	for (int i = 0; i < 3; i++) {
		HERE(combined);
#pragma omp parallel for num_threads(nr_threads) schedule(dynamic, 1)
		for (int k = 0; k < ITERATIONS; k++) {
			did("chunks", combined, 1);
			add(k);
		}
		did("parallel", combined, nr_threads);
		did("wait:team", 0, nr_threads);
		did("team", 0, 1);
		did("for", combined, nr_threads);
	}
}

/* gcc's code makes no call for these, but for the barrier at the end. */
static void static_loops(void)
{
	HERE(region);
#pragma omp parallel num_threads(nr_threads)
	{
		in_region(region);
		did("wait:barrier", 0, 1);
		did("static", __LINE__ + 1, 1);
#pragma omp for schedule(static)
		for (int i = 0; i < ITERATIONS; i++)
			add(i);
		add(1);
	}
}

static void ordered(void)
{
	HERE(region);
#pragma omp parallel num_threads(nr_threads)
	{
		in_region(region);
		did("wait:barrier", 0, 3);
		did("for", __LINE__ + 1, 1);
#pragma omp for schedule(dynamic, 1) ordered
		for (int i = 0; i < 20; i++) {
			did("wait:ordered", __LINE__ + 1, 1);
#pragma omp ordered
			add(i);
			did("chunks", __LINE__ - 5, 1);
		}
		did("for", __LINE__ + 1, 1);
#pragma omp for schedule(static, 1) ordered
		for (int i = 0; i < 20; i++) {
			did("wait:ordered", __LINE__ + 1, 1);
#pragma omp ordered
			add(i);
		}
		did("for", __LINE__ + 1, 1);
#pragma omp for schedule(dynamic, 1) ordered(2)
		for (int i = 1; i < 20; i++)
			for (int k = 1; k < 4; k++) {
				/* None for what lies before the loop. */
				if (i > 1)
					did("wait:ordered", __LINE__ + 3, 1);
				if (k > 1)
					did("wait:ordered", __LINE__ + 1, 1);
#pragma omp ordered depend(sink : i - 1, k) depend(sink : i, k - 1)
				add(i * k);
#pragma omp ordered depend(source)
			}
		add(1);
	}
}

static void sections(void)
{
	HERE(region);
#pragma omp parallel num_threads(nr_threads)
	{
		in_region(region);
		did("wait:barrier", 0, 1);
		did("sections", __LINE__ + 1, 1);
#pragma omp sections
		{
#pragma omp section
			add(1);
#pragma omp section
			add(2);
#pragma omp section
			add(3);
		}
		add(1);
	}
	HERE(combined);
#pragma omp parallel sections num_threads(nr_threads)
	{
#pragma omp section
		add(4);
#pragma omp section
		add(5);
	}
	did("parallel", combined, nr_threads);
	did("wait:team", 0, nr_threads);
	did("team", 0, 1);
	did("sections", combined, nr_threads);
}

static void singles(void)
{
	int copied = 0;

	HERE(region);
#pragma omp parallel num_threads(nr_threads) private(copied)
	{
		in_region(region);
		/* With copyprivate, there are two, and for gcc's one thread three. */
		did("wait:barrier", 0, 3);
		HERE(single);
#pragma omp single
		{
			did("single", single, 1);
			work_ns(1000000);
		}
		HERE(copying);
#pragma omp single copyprivate(copied)
		{
			did("single", copying, 1);
			did("wait:barrier", 0, 1);
			copied = 42;
		}
		add(copied);
		HERE(without_wait);
#pragma omp single nowait
		did("single", without_wait, 1);
	}
}

static long fibonacci(int n)
{
	long a, b;

	if (n < 2)
		return n;
	HERE(first);
#pragma omp task shared(a) firstprivate(n)
	{
		did("task", first, 1);
		a = fibonacci(n - 1);
	}
	HERE(second);
#pragma omp task shared(b) firstprivate(n) if (n > 5) final(n < 4) mergeable
	{
		did("task", second, 1);
		b = fibonacci(n - 2);
	}
	did("wait:taskwait", 0, 1);
#pragma omp taskwait
	return a + b;
}

struct big {
	char bytes[3000];
} __attribute__((aligned(64)));

static void tasks(void)
{
	struct big big;

	memset(&big, 1, sizeof(big));
	HERE(region);
#pragma omp parallel num_threads(nr_threads)
	{
		in_region(region);
		did("wait:barrier", 0, 1);
		HERE(single);
#pragma omp single
		{
			int first = 0, second = 0;

			did("single", single, 1);
			add(fibonacci(10));
			for (int i = 0; i < 50; i++) {
				HERE(aligned);
#pragma omp task firstprivate(big) priority(3)
				{
					did("task", aligned, 1);
					add(big.bytes[i] + ((long)&big & 63));
				}
			}
			HERE(writer);
#pragma omp task depend(out : first) shared(first)
			{
				did("task", writer, 1);
				first = 5;
			}
			HERE(reader);
#pragma omp task depend(in : first) depend(out : second) shared(first, second) untied
			{
				did("task", reader, 1);
				second = first + 1;
			}
			did("wait:taskwait", 0, 1);
#pragma omp taskwait
			add(second);
			did("wait:taskgroup", 0, 1);
#pragma omp taskgroup
			{
				HERE(inner);
#pragma omp task
				{
					did("task", inner, 1);
#pragma omp taskyield
					add(3);
				}
			}
		}
		add(1);
	}
}

static void taskloops(void)
{
	HERE(region);
#pragma omp parallel num_threads(nr_threads)
	{
		in_region(region);
		did("wait:barrier", 0, 1);
		HERE(single);
#pragma omp single
		{
			did("single", single, 1);
			did("taskloop", __LINE__ + 3, 1);
			did("task", __LINE__ + 2, 10);
			did("wait:taskgroup", 0, 1);
#pragma omp taskloop num_tasks(10)
			for (int i = 0; i < ITERATIONS; i++)
				add(i);
			did("taskloop", __LINE__ + 3, 1);
			did("task", __LINE__ + 2, 10);
			did("wait:taskgroup", 0, 1);
#pragma omp taskloop grainsize(5)
			for (unsigned long long i = 50; i > 0; i--)
				add((long)i);
			did("taskloop", __LINE__ + 2, 1);
			did("task", __LINE__ + 1, 4);
#pragma omp taskloop nogroup num_tasks(4)
			for (int i = 0; i < ITERATIONS; i++)
				add(i);
		}
		add(1);
	}
}

static void detached(void)
{
	omp_event_handle_t event = 0;

	HERE(region);
#pragma omp parallel num_threads(nr_threads)
	{
		in_region(region);
		did("wait:barrier", 0, 1);
		HERE(single);
#pragma omp single
		{
			did("single", single, 1);
			HERE(task);
#pragma omp task detach(event)
			did("task", task, 1);
			HERE(other);
#pragma omp task
			{
				did("task", other, 1);
				omp_fulfill_event(event);
			}
			did("wait:taskwait", 0, 1);
#pragma omp taskwait
		}
		add(1);
	}
}

static void nested(void)
{
	omp_set_max_active_levels(2);
	HERE(outer);
#pragma omp parallel num_threads(2)
	{
		in_region(outer);
		did("wait:barrier", 0, 1);
		did("for", __LINE__ + 1, 1);
#pragma omp for schedule(dynamic, 1)
		for (int i = 0; i < 4; i++) {
			did("chunks", __LINE__ - 2, 1);
			HERE(inner);
#pragma omp parallel num_threads(nr_threads)
			{
				in_region(inner);
				did("wait:barrier", 0, 1);
				did("for", __LINE__ + 1, 1);
#pragma omp for schedule(dynamic, 1)
				for (int k = 0; k < 10; k++) {
					did("chunks", __LINE__ - 2, 1);
					add(k);
				}
				add(1);
			}
		}
		add(1);
	}
	omp_set_max_active_levels(1);
}

static void criticals(void)
{
	HERE(region);
#pragma omp parallel num_threads(nr_threads)
	{
		in_region(region);
		for (int i = 0; i < 10; i++) {
			did("critical", 0, 1);
			did("wait:critical", 0, 1);
#pragma omp critical
			add(i);
			did("critical:dot", 0, 1);
			did("wait:critical:dot", 0, 1);
#pragma omp critical(dot)
			{
				add(i);
				did("critical:inner", 0, 1);
				did("wait:critical:inner", 0, 1);
#pragma omp critical(inner)
				add(1);
			}
		}
	}
}

/* A lock that is held for long is waited for by all others. */
static void locks(void)
{
	omp_nest_lock_t nest;
	omp_lock_t lock;

	omp_init_lock(&lock);
	omp_init_nest_lock(&nest);
	HERE(region);
#pragma omp parallel num_threads(nr_threads)
	{
		in_region(region);
		did("wait:barrier", 0, 1);
		if (omp_get_thread_num() == 0) {
			omp_set_lock(&lock);
			omp_set_nest_lock(&nest);
			omp_set_nest_lock(&nest);
		}
#pragma omp barrier
		if (omp_get_thread_num() == 0) {
			work_ns(30000000);
			omp_unset_lock(&lock);
			work_ns(30000000);
			omp_unset_nest_lock(&nest);
			omp_unset_nest_lock(&nest);
		} else {
			did("wait:lock", __LINE__ + 1, 1);
			omp_set_lock(&lock);
			work_ns(1000);
			omp_unset_lock(&lock);
			did("wait:lock", __LINE__ + 1, 1);
			omp_set_nest_lock(&nest);
			omp_unset_nest_lock(&nest);
		}
	}
	omp_destroy_lock(&lock);
	omp_destroy_nest_lock(&nest);
}

/* OMP_CANCELLATION=true */
static void cancellation(void)
{
	if (!omp_get_cancellation())
		abort();
	HERE(region);
#pragma omp parallel num_threads(nr_threads)
	{
		in_region(region);
		did("wait:barrier", 0, 2);
		did("for", __LINE__ + 1, 1);
#pragma omp for schedule(dynamic, 1)
		for (int i = 0; i < 1000000; i++) {
			did("chunks", __LINE__ - 2, 1);
			if (i == CANCELLED_AT) {
#pragma omp cancel for
			}
			work_ns(1000);
#pragma omp cancellation point for
		}
		HERE(single);
#pragma omp single
		{
			did("single", single, 1);
			did("wait:taskgroup", 0, 1);
#pragma omp taskgroup
			{
				for (int i = 0; i < 100; i++) {
					HERE(task);
#pragma omp task
					{
						did("task", task, 1);
#pragma omp cancel taskgroup
					}
				}
			}
		}
		add(1);
	}
	HERE(cancelled);
#pragma omp parallel num_threads(nr_threads)
	{
		in_region(cancelled);
		if (omp_get_thread_num() == 0) {
#pragma omp cancel parallel
		}
		for (;;) {
			work_ns(1000);
#pragma omp cancellation point parallel
		}
	}
}

static void reductions(void)
{
	long total = 0;

	HERE(region);
#pragma omp parallel num_threads(nr_threads) reduction(task, + : total)
	{
		in_region(region);
		HERE(task);
#pragma omp task in_reduction(+ : total)
		{
			did("task", task, 1);
			total += 7;
		}
	}
	add(total);
	total = 0;
	HERE(other);
#pragma omp parallel num_threads(nr_threads)
	{
		in_region(other);
		did("wait:barrier", 0, 1);
		did("for", __LINE__ + 1, 1);
#pragma omp for schedule(dynamic, 1) reduction(task, + : total)
		for (int i = 0; i < 20; i++) {
			did("chunks", __LINE__ - 2, 1);
			HERE(task);
#pragma omp task in_reduction(+ : total)
			{
				did("task", task, 1);
				total += i;
			}
		}
		did("wait:barrier", 0, 1);
		did("sections", __LINE__ + 1, 1);
#pragma omp sections reduction(task, + : total)
		{
#pragma omp section
			total++;
#pragma omp section
			total++;
		}
		did("wait:barrier", 0, 1);
		HERE(single);
#pragma omp single
		{
			did("single", single, 1);
			/* This one has its wait in it. */
			did("taskloop", __LINE__ + 2, 1);
			did("task", __LINE__ + 1, 4);
#pragma omp taskloop num_tasks(4) reduction(+ : total)
			for (int i = 0; i < 20; i++)
				total += i;
		}
		add(1);
	}
	add(total);
}

/* On this machine, the teams of a league are run one after another. */
static void teams(void)
{
	HERE(league);
#pragma omp teams num_teams(3) thread_limit(2)
	{
		did("teams", league, 1);
		add(1);
	}
}

static const struct {
	const char *name;
	void (*run)(void);
} kernels[] = {
	{ "regions", regions },	      { "loops", loops },
	{ "static", static_loops },   { "ordered", ordered },
	{ "sections", sections },     { "singles", singles },
	{ "tasks", tasks },	      { "taskloops", taskloops },
	{ "detached", detached },     { "nested", nested },
	{ "criticals", criticals },   { "locks", locks },
	{ "reductions", reductions }, { "cancellation", cancellation },
	{ "teams", teams },
};

int main(int argc, char **argv)
{
	if (argc != 3)
		return 2;
	nr_threads = atoi(argv[2]);
	for (size_t i = 0; i < sizeof(kernels) / sizeof(kernels[0]); i++) {
		if (!strcmp(argv[1], kernels[i].name) || !strcmp(argv[1], "all"))
			kernels[i].run();
	}
	printf("sum %ld\n", sum);
	return 3;
}
