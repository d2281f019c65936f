// SPDX-License-Identifier: GPL-2.0
/*
 * Usage: serve UNIT_US [quiet]	(as root, on one CPU)
 *
 * Serves requests one after the other. Each works for a unit, a tenth more or less; some are slow for one of four reasons, which
 * are drawn, as is for how long. Prints how many were so for each reason, and what that took all in all, as it measured it itself;
 * and the same of all that took 1.3 units or longer, whyever:
 * - work: it works more
 * - blocked: it sleeps
 * - preempted: another program, backup, takes its CPU
 * - late: it sleeps, and backup has its CPU when it is woken
 * quiet: none is slow.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "annot/annot.h"
#include "load.h"

#define NR_REQUESTS 400
#define SLOW_PERCENT 12
#define NAP_US 400u /* of a request that is woken late */
#define EARLIER_US 200u /* than it, backup is woken */

enum reason {
	WORK,
	BLOCKED,
	PREEMPTED,
	LATE,
	NR_REASONS,
};

static const char *const names[] = { "work", "blocked", "preempted", "late" };

struct order {
	unsigned int after_us; /* backup sleeps */
	unsigned int for_us; /* and has the CPU */
};

static unsigned int unit_us;
static int orders[2];
static uint64_t told_ns[NR_REASONS];
static unsigned int told[NR_REASONS];
static uint64_t long_ns;
static unsigned int nr_long;

/* In [from, to). */
static unsigned int draw(unsigned int from, unsigned int to)
{
	static uint64_t state = 20260;

	state = state * 6364136223846793005ull + 1442695040888963407ull;
	return from + (unsigned int)(state >> 33) % (to - from);
}

static void nap(unsigned int us)
{
	nanosleep(&(struct timespec){ .tv_nsec = (long)us * 1000 }, NULL);
}

static void work_cpu_for(uint64_t ns)
{
	for (uint64_t end_ns = thread_cpu_ns() + ns; thread_cpu_ns() < end_ns;)
		;
}

static void have_cpu(void)
{
	struct order order;

	prctl(PR_SET_NAME, "backup");
	run_in_real_time(1);
	while (read(orders[0], &order, sizeof(order)) == sizeof(order)) {
		if (order.after_us)
			nap(order.after_us);
		work_cpu_for((uint64_t)order.for_us * 1000);
	}
	exit(0);
}

static void order_backup(unsigned int after_us, unsigned int for_us)
{
	struct order order = { after_us, for_us };

	if (write(orders[1], &order, sizeof(order)) != sizeof(order))
		die("no backup");
}

static void be_slow(enum reason reason, unsigned int us)
{
	uint64_t began_ns = wall_ns();

	if (reason == WORK)
		work_cpu_for((uint64_t)us * 1000);
	if (reason == BLOCKED)
		nap(us);
	if (reason == PREEMPTED)
		order_backup(0, us);
	if (reason == LATE) {
		order_backup(NAP_US - EARLIER_US, us);
		nap(NAP_US);
	}
	told[reason]++;
	told_ns[reason] += wall_ns() - began_ns;
}

static void serve(bool is_slow)
{
	uint64_t began_ns, ns;

	annot_begin("request");
	began_ns = wall_ns();
	work_cpu_for((uint64_t)draw(unit_us * 9, unit_us * 11) * 100);
	if (is_slow)
		be_slow((enum reason)draw(0, NR_REASONS), draw(unit_us * 3, unit_us * 9));
	ns = wall_ns() - began_ns;
	annot_end();
	if (ns < (uint64_t)unit_us * 1300)
		return;
	nr_long++;
	long_ns += ns;
}

int main(int argc, char **argv)
{
	bool is_quiet = argc > 2 && !strcmp(argv[2], "quiet");
	pid_t child;

	if (argc < 2 || pipe(orders))
		die("usage: serve UNIT_US [quiet]");
	unit_us = (unsigned int)strtoul(argv[1], NULL, 10);
	child = fork();
	if (!child) {
		close(orders[1]);
		have_cpu();
	}
	nap(20000);
	for (unsigned int i = 0; i < NR_REQUESTS; i++)
		serve(draw(0, 100) < SLOW_PERCENT && !is_quiet);
	close(orders[1]);
	waitpid(child, NULL, 0);
	for (int reason = 0; reason < NR_REASONS; reason++)
		printf("%s %u %llu\n", names[reason], told[reason],
		       (unsigned long long)told_ns[reason]);
	printf("long %u %llu\n", nr_long, (unsigned long long)long_ns);
	return 0;
}
