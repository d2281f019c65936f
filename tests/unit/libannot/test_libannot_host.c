// SPDX-License-Identifier: GPL-2.0
/* LINK: tests/unit/libannot/libannot_scenario.c */
/* What host programs do, and must not notice: fork, close, signals, threads, limits. */
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "annot/annot.h"
#include "libannot_scenario.h"
#include "uapi/annot.h"

/* Closes all but the standard descriptors, and opens files of the host's under their numbers. */
static void close_all_and_open_others(void)
{
	int fd;

	for (fd = 3; fd < 200; fd++)
		close(fd);
	for (fd = 3; fd < 200; fd++)
		check(open("stranger", O_RDWR | O_CREAT, 0600) == fd);
}

static int nr_open(void)
{
	int fd, nr = 0;

	for (fd = 0; fd < 1024; fd++)
		nr += fcntl(fd, F_GETFD) >= 0;
	return nr;
}

static void child_has_its_own_tgid(void)
{
	pid_t child;
	int status;

	annot_mark("p");
	child = fork();
	if (!child) {
		annot_mark("c");
		_exit(0);
	}
	check(waitpid(child, &status, 0) == child && !status);
	annot_mark("p");
	check_file("marker/trace_marker", "I|%d|pI|%d|cI|%d|p", getpid(), child, getpid());
}

static void marker_spares_strangers(void)
{
	annot_begin("a");
	close_all_and_open_others();
	annot_end();
	annot_mark("m");
	check_empty("stranger");
	/* opened again, this plain file is written from its start */
	check_file("marker/trace_marker", "E|%dI|%d|m", getpid(), getpid());
}

static void device_spares_strangers(void)
{
	const char *device;

	use_device(ANNOT_ABI_VERSION);
	device = pinned_device();
	annot_begin("a");
	close_all_and_open_others();
	annot_end();
	annot_mark("m");
	check_empty("stranger");
	check_file(device, "EI m");
}

static void closed_and_looked_for_again(void)
{
	const struct timespec interval = { 0, 250000000 };

	annot_begin("a");
	close_all_and_open_others();
	nanosleep(&interval, NULL);
	/* the files that tell whether there is a recording were closed too */
	check(annot_enabled());
	put_text("marker/tracing_on", "0\n");
	nanosleep(&interval, NULL);
	check(!annot_enabled());
}

/* They come back under each other's numbers. */
static void own_files_are_told_apart(void)
{
	const struct timespec interval = { 0, 250000000 };
	int fd;

	annot_begin("a");
	for (fd = 3; fd < 200; fd++)
		close(fd);
	put_text("marker/trace_marker", "");
	nanosleep(&interval, NULL);
	annot_end();
	check_file("marker/trace_marker", "E|%d", getpid());
}

static void gives_up_on_hostile_hosts(void)
{
	int i, fd;

	for (i = 0; i < 3000; i++) {
		annot_mark("m");
		for (fd = 48; fd < 58; fd++)
			close(fd);
	}
	put_text("marker/trace_marker", "");
	annot_mark("m");
	check_empty("marker/trace_marker");
	check(nr_open() < 20);
}

static void numbers_are_high(void)
{
	annot_mark("m");
	check(fcntl(3, F_GETFD) < 0);
	check(fcntl(48, F_GETFD) == FD_CLOEXEC);
}

static int descriptor_table_size(void)
{
	char line[128];
	int size = 0;
	FILE *status = fopen("/proc/self/status", "r");

	check(status);
	while (!size && fgets(line, sizeof(line), status))
		sscanf(line, "FDSize: %d", &size);
	fclose(status);
	return size;
}

/* A child has a table as small as the highest open number permits. */
static void descriptor_table_does_not_grow(void)
{
	int fd, before, status;
	pid_t child;

	for (fd = 3; fd < 1024; fd++)
		close(fd);
	child = fork();
	if (!child) {
		before = descriptor_table_size();
		annot_mark("m");
		check(before > 0 && descriptor_table_size() == before);
		_exit(0);
	}
	check(waitpid(child, &status, 0) == child && !status);
	check_file("marker/trace_marker", "I|%d|m", child);
}

static void numbers_under_a_low_limit(void)
{
	struct rlimit limit = { 40, 40 };

	close(0);
	close(1);
	check(!setrlimit(RLIMIT_NOFILE, &limit));
	annot_mark("m");
	check(fcntl(0, F_GETFD) < 0 && fcntl(1, F_GETFD) < 0);
	check(fcntl(3, F_GETFD) == FD_CLOEXEC);
	check_file("marker/trace_marker", "I|%d|m", getpid());
}

static void no_descriptors_left(void)
{
	struct rlimit limit = { 3, 3 };

	check(!setrlimit(RLIMIT_NOFILE, &limit));
	errno = 77;
	annotate_each_kind();
	check(errno == 77);
	check(strstr(annot_status(), "too many open files"));
}

#define NR_THREADS 8
#define NR_EACH 2000

static pthread_barrier_t together;

static void *annotate_at_once(void *argument)
{
	int i;

	pthread_barrier_wait(&together);
	for (i = 0; i < NR_EACH; i++)
		annot_mark("m");
	return argument;
}

static void threads_begin_together(void)
{
	pthread_t threads[NR_THREADS];
	char expected[32];
	size_t size;
	int i, before = nr_open();

	pthread_barrier_init(&together, NULL, NR_THREADS);
	for (i = 0; i < NR_THREADS; i++)
		check(!pthread_create(&threads[i], NULL, annotate_at_once, NULL));
	for (i = 0; i < NR_THREADS; i++)
		pthread_join(threads[i], NULL);
	size = strlen(get_text("marker/trace_marker"));
	snprintf(expected, sizeof(expected), "I|%d|m", getpid());
	check(size == strlen(expected) * NR_THREADS * NR_EACH);
	check(nr_open() == before + 3);
}

static volatile sig_atomic_t nr_signals;

static void annotate_in_handler(int signal)
{
	(void)signal;
	annot_mark("s");
	nr_signals++;
}

static size_t count_of(const char *text, const char *part)
{
	size_t nr = 0;

	while ((text = strstr(text, part))) {
		nr++;
		text += strlen(part);
	}
	return nr;
}

static void signals_annotate(void)
{
	struct sigaction action = { .sa_handler = annotate_in_handler };
	struct itimerval often = { { 0, 500 }, { 0, 1 } };
	char expected[32];
	int nr = 0;

	sigaction(SIGALRM, &action, NULL);
	setitimer(ITIMER_REAL, &often, NULL);
	while (nr_signals < 100) {
		errno = 77;
		annot_mark("m");
		check(errno == 77);
		nr++;
	}
	setitimer(ITIMER_REAL, &(struct itimerval){ 0 }, NULL);
	snprintf(expected, sizeof(expected), "I|%d|m", getpid());
	check(count_of(get_text("marker/trace_marker"), expected) == (size_t)nr);
	snprintf(expected, sizeof(expected), "I|%d|s", getpid());
	check(count_of(get_text("marker/trace_marker"), expected) == (size_t)nr_signals);
}

static void *annotate_cancelled(void *reached)
{
	pthread_cancel(pthread_self());
	annotate_each_kind();
	(void)annot_status();
	annot_thread_name("cancelled");
	*(bool *)reached = true;
	pthread_testcancel();
	return NULL;
}

static void not_a_cancellation_point(void)
{
	bool reached = false;
	pthread_t thread;
	void *result;

	check(!pthread_create(&thread, NULL, annotate_cancelled, &reached));
	pthread_join(thread, &result);
	check(reached && result == PTHREAD_CANCELED);
}

static void check_thread_name(const char *name, const char *kept)
{
	char got[16];

	annot_thread_name(name);
	prctl(PR_GET_NAME, got);
	if (strcmp(got, kept))
		fprintf(stderr, "named '%s', not '%s'\n", got, kept);
	check(!strcmp(got, kept));
}

static void thread_names(void)
{
	check_thread_name("pe0", "pe0");
	check_thread_name("0123456789abcdefgh", "0123456789abcde");
	check_thread_name("0123456789abcd\xc3\xa4", "0123456789abcd");
	check_thread_name(NULL, "?");
	check_thread_name("", "?");
}

/* The earliest constructors and the latest handlers there are. */
__attribute__((constructor(101))) static void before_main(void)
{
	if (getenv("TEST_BEFORE_MAIN"))
		annot_mark("first");
}

static void at_exit(void)
{
	annot_mark("last");
	check_file("marker/trace_marker", "I|%d|firstI|%d|last", getpid(), getpid());
}

static void before_main_and_at_exit(void)
{
	atexit(at_exit);
}

/* An op of a newer header; and a value that a counter always has. */
static void foreign_op_is_ignored(void)
{
	annot_emit(NULL, ANNOT_OP_NEXT + 1, "x", 0);
	annot_emit(NULL, ANNOT_OP_COUNTER, "c", 3);
	check_file("marker/trace_marker", "C|%d|c|3", getpid());
}

static const struct scenario scenarios[] = {
	{ SCENARIO(child_has_its_own_tgid) },
	{ SCENARIO(marker_spares_strangers) },
	{ SCENARIO(device_spares_strangers) },
	{ SCENARIO(closed_and_looked_for_again) },
	{ SCENARIO(own_files_are_told_apart) },
	{ SCENARIO(gives_up_on_hostile_hosts) },
	{ SCENARIO(numbers_are_high) },
	{ SCENARIO(descriptor_table_does_not_grow) },
	{ SCENARIO(numbers_under_a_low_limit) },
	{ SCENARIO(no_descriptors_left) },
	{ SCENARIO(threads_begin_together) },
	{ SCENARIO(signals_annotate) },
	{ SCENARIO(not_a_cancellation_point) },
	{ SCENARIO(thread_names) },
	{ SCENARIO(before_main_and_at_exit, .backend = "marker", .before_main = true) },
	{ SCENARIO(foreign_op_is_ignored) },
};

int main(int argc, char **argv)
{
	return scenarios_main(argc, argv, scenarios, sizeof(scenarios) / sizeof(scenarios[0]));
}
