// SPDX-License-Identifier: GPL-2.0
#include "doctor/switch_probe.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#define ROUNDS 200
#define SLEEP_NS 2000000
#define LONGEST_S 1
#define COMM_BYTES 16

struct probe {
	char instance[PATH_MAX];
	char comm[COMM_BYTES]; /* of both threads, while their switches count */
	int to_partner[2]; /* pipes: read, write */
	int to_sleeper[2];
	struct switch_counts *counts;
	pthread_mutex_t lock; /* of counts->made */
};

static int write_file(const struct probe *probe, const char *file, const char *text)
{
	char path[PATH_MAX + 64];
	ssize_t written;
	int fd, error;

	snprintf(path, sizeof(path), "%s/%s", probe->instance, file);
	fd = open(path, O_WRONLY | O_TRUNC | O_CLOEXEC);
	if (fd < 0)
		return errno;
	written = write(fd, text, strlen(text));
	error = written < 0 ? errno : 0;
	close(fd);
	return error;
}

/* How often the calling thread has left the CPU, of its own will or not. */
static uint64_t own_switches(void)
{
	static const char key[] = "voluntary_ctxt_switches:";
	FILE *file = fopen("/proc/thread-self/status", "re");
	char line[256];
	uint64_t nr = 0;

	while (file && fgets(line, sizeof(line), file)) {
		/* "nonvoluntary..." has it, too. */
		const char *at = strstr(line, key);

		if (at)
			nr += strtoull(at + strlen(key), NULL, 10);
	}
	if (file)
		fclose(file);
	return nr;
}

static uint64_t begin_counting(const struct probe *probe)
{
	prctl(PR_SET_NAME, probe->comm, 0, 0, 0);
	return own_switches();
}

static void end_counting(struct probe *probe, uint64_t before)
{
	uint64_t switches = own_switches() - before;

	prctl(PR_SET_NAME, "annot", 0, 0, 0);
	pthread_mutex_lock(&probe->lock);
	probe->counts->made += switches;
	pthread_mutex_unlock(&probe->lock);
}

static bool is_asked_to_end(void)
{
	sigset_t pending;

	return !sigpending(&pending) &&
	       (sigismember(&pending, SIGINT) || sigismember(&pending, SIGTERM) ||
		sigismember(&pending, SIGHUP) || sigismember(&pending, SIGQUIT));
}

static double now_s(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

static void *run_sleeper(void *argument)
{
	static const struct timespec nap = { .tv_nsec = SLEEP_NS };
	struct probe *probe = argument;
	uint64_t before = begin_counting(probe);
	double end_s = now_s() + LONGEST_S;
	char byte = 0;

	for (int i = 0; i < ROUNDS && !is_asked_to_end() && now_s() < end_s; i++) {
		nanosleep(&nap, NULL);
		if (write(probe->to_partner[1], &byte, 1) != 1 ||
		    read(probe->to_sleeper[0], &byte, 1) != 1)
			break;
	}
	end_counting(probe, before);
	/* The partner reads the end of the file, and ends. */
	close(probe->to_partner[1]);
	probe->to_partner[1] = -1;
	return NULL;
}

static void *run_partner(void *argument)
{
	struct probe *probe = argument;
	uint64_t before = begin_counting(probe);
	char byte;

	while (read(probe->to_partner[0], &byte, 1) == 1 &&
	       write(probe->to_sleeper[1], &byte, 1) == 1)
		;
	end_counting(probe, before);
	return NULL;
}

static void close_pipe(const int *ends)
{
	for (int i = 0; i < 2; i++) {
		if (ends[i] >= 0)
			close(ends[i]);
	}
}

static int run_threads(struct probe *probe)
{
	pthread_t partner, sleeper;
	int error = pthread_create(&partner, NULL, run_partner, probe);

	if (error)
		return error;
	error = pthread_create(&sleeper, NULL, run_sleeper, probe);
	if (error) {
		close(probe->to_partner[1]);
		probe->to_partner[1] = -1;
	} else {
		pthread_join(sleeper, NULL);
	}
	pthread_join(partner, NULL);
	return error;
}

static int ping_pong(struct probe *probe)
{
	int error;

	if (pipe2(probe->to_partner, O_CLOEXEC))
		return errno;
	if (pipe2(probe->to_sleeper, O_CLOEXEC)) {
		error = errno;
		close_pipe(probe->to_partner);
		return error;
	}
	error = run_threads(probe);
	close_pipe(probe->to_partner);
	close_pipe(probe->to_sleeper);
	return error;
}

static int read_trace(struct probe *probe)
{
	char path[PATH_MAX + 8];
	char *line = NULL;
	size_t room = 0;
	FILE *file;

	snprintf(path, sizeof(path), "%s/trace", probe->instance);
	file = fopen(path, "re");
	if (!file)
		return errno;
	while (getline(&line, &room, file) >= 0)
		switch_counts_add_line(probe->counts, line, probe->comm);
	free(line);
	fclose(file);
	return 0;
}

static int record_probe(struct probe *probe)
{
	char filter[96];
	int error;

	snprintf(filter, sizeof(filter), "prev_comm == \"%s\" || next_comm == \"%s\"", probe->comm,
		 probe->comm);
	error = write_file(probe, "events/sched/sched_switch/filter", filter);
	if (!error)
		error = write_file(probe, "events/sched/sched_switch/enable", "1");
	if (!error)
		error = ping_pong(probe);
	if (!error)
		error = write_file(probe, "events/sched/sched_switch/enable", "0");
	return error ? error : read_trace(probe);
}

static void block_signals(sigset_t *before)
{
	sigset_t deadly;

	sigemptyset(&deadly);
	sigaddset(&deadly, SIGINT);
	sigaddset(&deadly, SIGTERM);
	sigaddset(&deadly, SIGHUP);
	sigaddset(&deadly, SIGQUIT);
	sigprocmask(SIG_BLOCK, &deadly, before);
}

void switch_probe(const char *tracing, struct switch_counts *counts)
{
	struct probe probe = { .counts = counts, .lock = PTHREAD_MUTEX_INITIALIZER };
	sigset_t before;

	*counts = (struct switch_counts){ .tried = true };
	snprintf(probe.instance, sizeof(probe.instance), "%.2000s/instances/annot-doctor-%d",
		 tracing, getpid());
	snprintf(probe.comm, sizeof(probe.comm), "doctor-%d", getpid());
	block_signals(&before);
	if (mkdir(probe.instance, 0700)) {
		counts->error = errno;
	} else {
		counts->error = record_probe(&probe);
		rmdir(probe.instance);
	}
	/* What was held back comes now. */
	sigprocmask(SIG_SETMASK, &before, NULL);
}
