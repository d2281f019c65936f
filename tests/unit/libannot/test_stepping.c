// SPDX-License-Identifier: GPL-2.0
/* LINK: tests/unit/libannot/libannot_scenario.c tests/lib/anon_rings.c tests/unit/libannot/raw_file.c */
/* SLOW */
/*
 * A debugger that goes through an annotation one instruction at a time interrupts each restartable
 * sequence in it: there must be an end to that, and the annotation be made once.
 */
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/ptrace.h>
#include <sys/wait.h>
#include <unistd.h>

#include "../../../libannot/rseq.h"
#include "annot/annot.h"
#include "anon_rings.h"
#include "libannot_scenario.h"
#include "raw_file.h"

#define RING_BYTES 65536

/* Of seven annotations, with all system calls and copies: 60,000 where threads have rings. */
#define MAX_STEPS 200000

static void annotate_each_way(void)
{
	char made[] = "made";

	annot_begin("span");
	annot_next_value("span", 1);
	annot_end();
	annot_mark(made);
	annot_counter("counter", -1);
	annot_wait_begin_value("wait", INT64_MIN);
	annot_end();
}

#define TEXT_OF_EACH_WAY                                                   \
	"B|%1$d|spanE|%1$dB|%1$d|span|1E|%1$dI|%1$d|madeC|%1$d|counter|-1" \
	"B|%1$d|wait|wait|-9223372036854775808E|%1$d"

/* Which continues from one SIGSTOP to the next; how many steps that took. */
static long step_through(pid_t child)
{
	long nr = 0;
	int status;

	check(waitpid(child, &status, 0) == child);
	check(WIFSTOPPED(status) && WSTOPSIG(status) == SIGSTOP);
	do {
		check(!ptrace(PTRACE_SINGLESTEP, child, NULL, NULL));
		check(waitpid(child, &status, 0) == child && WIFSTOPPED(status));
	} while (WSTOPSIG(status) == SIGTRAP && ++nr <= MAX_STEPS);
	if (WSTOPSIG(status) != SIGSTOP)
		fprintf(stderr, "no end after %ld steps\n", nr);
	check(WSTOPSIG(status) == SIGSTOP);
	return nr;
}

static void check_steps(void (*made)(void))
{
	pid_t child;
	int status;
	long nr;

	child = fork();
	if (!child) {
		check(!ptrace(PTRACE_TRACEME, NULL, NULL, NULL));
		made();
	}
	nr = step_through(child);
	check(!ptrace(PTRACE_CONT, child, NULL, NULL));
	check(waitpid(child, &status, 0) == child);
	check(!status);
	printf("# %ld steps\n", nr);
	check(nr > 100);
}

static uint64_t nr_in_rings(void)
{
	uint64_t nr_bytes = 0;
	uint32_t cpu;

	for (cpu = 0; cpu < anon_rings_nr_cpus(); cpu++)
		nr_bytes += anon_ring(cpu)->head;
	return nr_bytes / sizeof(struct annot_record);
}

/* The rings of CPUs, without a kernel to empty them: what they do not take is written. */
static void with_rings_of_cpus(void)
{
	uint64_t nr_before;

	check(!anon_rings_install(RING_BYTES, NULL));
	annotate_each_way();
	nr_before = nr_in_rings();
	check(nr_before == 7);
	check_empty("marker/trace_marker");
	raise(SIGSTOP);
	annotate_each_way();
	raise(SIGSTOP);
	check(nr_in_rings() == nr_before);
	check_file("marker/trace_marker", TEXT_OF_EACH_WAY, getpid());
	_exit(0);
}

static void rings_of_cpus(void)
{
	if (annot_rseq_have())
		fprintf(stderr, "# no restartable sequences: not tested\n");
	else
		check_steps(with_rings_of_cpus);
}

static void with_rings_of_threads(void)
{
	struct raw_file file;

	annotate_each_way();
	raise(SIGSTOP);
	annotate_each_way();
	raise(SIGSTOP);
	annot_flush();
	file = raw_file_read("marker/trace_marker_raw");
	check(!file.nr_lost && file.nr == 7);
	check_file("marker/trace_marker", TEXT_OF_EACH_WAY, getpid());
	_exit(0);
}

static void rings_of_threads(void)
{
	check_steps(with_rings_of_threads);
}

static const struct scenario scenarios[] = {
	{ SCENARIO(rings_of_cpus, .backend = "marker") },
	{ SCENARIO(rings_of_threads, .batches = true) },
};

int main(int argc, char **argv)
{
	return scenarios_main(argc, argv, scenarios, sizeof(scenarios) / sizeof(scenarios[0]));
}
