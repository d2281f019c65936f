// SPDX-License-Identifier: GPL-2.0
/*
 * Usage: stack_waits [TRACE_MARKER]
 *
 * Waits at the ends of two known chains of calls, and says how long by its own clock: "read NS", "sleep NS". With
 * TRACE_MARKER it tells its mappings to the trace first, in place of a recorder that does not. The system calls are made here,
 * as the C library's functions have no frame pointers.
 *
 *	main < serve < fetch < read_pipe	a pipe that another thread writes to
 *	main < idle < nap < sleep_ns		nanosleep
 */
#include <fcntl.h>
#include <pthread.h>
#include <sched.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#define ROUNDS 8
#define WAIT_NS 20000000

static uint64_t read_ns, sleep_sum_ns;
static int ends[2];

static uint64_t now_ns(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (uint64_t)now.tv_sec * 1000000000 + (uint64_t)now.tv_nsec;
}

/* Within the function that it is in, which gets a frame by that. */
__attribute__((always_inline)) static inline long call(long nr, long first, long second, long third)
{
	long result;

	__asm__ volatile("syscall"
			 : "=a"(result)
			 : "0"(nr), "D"(first), "S"(second), "d"(third),
			   "r"(__builtin_frame_address(0))
			 : "rcx", "r11", "memory");
	return result;
}

__attribute__((noipa)) static long read_pipe(char *byte)
{
	return call(SYS_read, ends[0], (long)byte, 1);
}

__attribute__((noipa)) static int fetch(void)
{
	uint64_t from_ns = now_ns();
	char byte = 0;
	long got = read_pipe(&byte);

	read_ns += now_ns() - from_ns;
	return got == 1 ? byte : -1;
}

__attribute__((noipa)) static int serve(void)
{
	return fetch() + 1;
}

__attribute__((noipa)) static long sleep_ns(const struct timespec *length)
{
	return call(SYS_nanosleep, (long)length, 0, 0);
}

__attribute__((noipa)) static long nap(void)
{
	const struct timespec length = { .tv_nsec = WAIT_NS };
	uint64_t from_ns = now_ns();
	long result = sleep_ns(&length);

	sleep_sum_ns += now_ns() - from_ns;
	return result;
}

__attribute__((noipa)) static int idle(void)
{
	return nap() ? 1 : 0;
}

static void *feed(void *unused)
{
	(void)unused;
	for (int i = 0; i < ROUNDS; i++) {
		usleep(WAIT_NS / 1000);
		if (write(ends[1], "x", 1) != 1)
			exit(1);
	}
	return NULL;
}

/* Whatever else the machine does, a wait is over when the thread runs again. */
static void run_at_once(void)
{
	const struct sched_param first = { .sched_priority = 1 };

	sched_setscheduler(0, SCHED_FIFO, &first);
}

static void tell_mappings(const char *marker)
{
	FILE *maps = fopen("/proc/self/maps", "r");
	int fd = open(marker, O_WRONLY);
	char line[4096], path[4096], text[4096];
	unsigned long start, end, offset;
	char may[8];

	while (maps && fgets(line, sizeof(line), maps)) {
		if (sscanf(line, "%lx-%lx %7s %lx %*s %*s %4095s", &start, &end, may, &offset,
			   path) != 5 ||
		    may[2] != 'x')
			continue;
		if (snprintf(text, sizeof(text), "annot|map|%d|%lx|%lx|%lx||0|%s", getpid(), start,
			     end - start, offset, path) < (int)sizeof(text) &&
		    write(fd, text, strlen(text)) < 0)
			exit(1);
	}
	if (maps)
		fclose(maps);
	close(fd);
}

int main(int argc, char **argv)
{
	pthread_t feeder;
	int failed = 0;

	if (argc > 2 || pipe(ends))
		return 2;
	run_at_once();
	if (argc == 2)
		tell_mappings(argv[1]);
	if (pthread_create(&feeder, NULL, feed, NULL))
		return 2;
	for (int i = 0; i < ROUNDS; i++)
		failed |= serve() < 0;
	pthread_join(feeder, NULL);
	for (int i = 0; i < ROUNDS; i++)
		failed |= idle();
	printf("read %llu\nsleep %llu\n", (unsigned long long)read_ns,
	       (unsigned long long)sleep_sum_ns);
	return failed;
}
