// SPDX-License-Identifier: GPL-2.0
/*
 * Usage: idlers
 *
 * Keeps every CPU that it may use from being idle, in threads to which all others come first, for recordings on kernels that do
 * not tell when a CPU ceases to be idle. Prints the thread of each CPU, as "TID CPU", and goes on until whoever started it ends.
 * tests/bench/as_idle.py makes idle CPUs of them in what was recorded.
 */
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "load.h"

#define NR_PAUSES 100 /* some microseconds */

static int cpus[MAX_CPUS];
static pthread_mutex_t output = PTHREAD_MUTEX_INITIALIZER;

static void pause_a_little(void)
{
	for (int i = 0; i < NR_PAUSES; i++) {
#ifdef __x86_64__
		__builtin_ia32_pause();
#else
		__asm__ volatile("");
#endif
	}
}

/* Even such a thread gets a slice now and then where another one is ready: it does not keep it. */
static void *be_idle(void *number)
{
	const struct sched_param none = { 0 };
	int cpu = cpus[(uintptr_t)number];

	pin_to(cpu);
	if (sched_setscheduler(0, SCHED_IDLE, &none))
		die("no SCHED_IDLE");
	pthread_mutex_lock(&output);
	printf("%ld %d\n", (long)syscall(SYS_gettid), cpu);
	fflush(stdout);
	pthread_mutex_unlock(&output);
	for (;;) {
		pause_a_little();
		sched_yield();
	}
}

int main(void)
{
	pid_t parent = getppid();

	if (prctl(PR_SET_PDEATHSIG, SIGKILL) || getppid() != parent)
		return 1;
	run_in_threads(allowed_cpus(cpus), be_idle);
	return 0;
}
