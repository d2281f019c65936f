// SPDX-License-Identifier: GPL-2.0
/*
 * Usage: nmi_load TURNS POKES NICE TRUTH.json
 *
 * All at once, at full rate, with nmi_pmu.ko loaded: on each CPU, two threads that take turns, a
 * switch each time, and in a turn annotate a span with so many pokes of the PMU in it; and a third
 * one that has NMIs come to the next CPU, wherever that may be in its work, until the others are
 * done and there were enough. Writes what each thread did.
 */
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include <annot/annot.h>

#define DEBUGFS "/sys/kernel/debug/nmi_pmu/"
#define MAX_CPUS 8
#define NR_PARTNERS 2
#define NMIS_AT_A_TIME 16
#define LEAST_NMIS 1000
#define MOST_NMIS 250000 /* of which five such programs do not fill the PMU's log */

struct worker {
	pthread_t thread;
	pid_t tid;
	int cpu;
	int turn_fd; /* to be read: it is this one's turn */
	int partner_fd; /* to be written: it is the partner's */
	unsigned long pokes;
};

struct stormer {
	pthread_t thread;
	pid_t tid;
	int cpu;
	int target;
	unsigned long nmis;
};

static struct worker workers[MAX_CPUS][NR_PARTNERS];
static struct stormer stormers[MAX_CPUS];
static int nr_cpus;
static unsigned int nr_turns, pokes_per_turn;
static atomic_int nr_at_work;
static pthread_barrier_t begin;

static __attribute__((noreturn)) void die(const char *what)
{
	fprintf(stderr, "nmi_load: %s: %s\n", what, strerror(errno));
	exit(1);
}

static void stay_on(int cpu)
{
	cpu_set_t cpus;

	CPU_ZERO(&cpus);
	CPU_SET(cpu, &cpus);
	if (sched_setaffinity(0, sizeof(cpus), &cpus))
		die("sched_setaffinity");
}

static int open_file(const char *path)
{
	int fd = open(path, O_WRONLY | O_CLOEXEC);

	if (fd < 0)
		die(path);
	return fd;
}

static void put(int fd, const char *text)
{
	if (write(fd, text, strlen(text)) != (ssize_t)strlen(text))
		die("write");
}

static void take_turn(struct worker *worker, int poke_fd, unsigned int turn)
{
	char byte, pokes[16];

	if (read(worker->turn_fd, &byte, 1) != 1)
		die("read");
	snprintf(pokes, sizeof(pokes), "%u", pokes_per_turn);
	annot_begin_value("turn", turn);
	put(poke_fd, pokes);
	worker->pokes += pokes_per_turn;
	annot_end();
	put(worker->partner_fd, "t");
}

static void *work(void *argument)
{
	struct worker *worker = argument;
	int poke_fd = open_file(DEBUGFS "poke");
	unsigned int turn;

	stay_on(worker->cpu);
	worker->tid = gettid();
	annot_thread_name("worker");
	pthread_barrier_wait(&begin);
	for (turn = 0; turn < nr_turns; turn++)
		take_turn(worker, poke_fd, turn);
	atomic_fetch_sub(&nr_at_work, 1);
	return NULL;
}

/* The target may be offline. */
static void storm_on(struct stormer *stormer, int fd, const char *line)
{
	if (write(fd, line, strlen(line)) > 0)
		stormer->nmis += NMIS_AT_A_TIME;
	else if (errno == ENODEV)
		usleep(1000);
	else
		die("storm");
}

static void *storm(void *argument)
{
	struct stormer *stormer = argument;
	int fd = open_file(DEBUGFS "storm");
	char line[32];

	stay_on(stormer->cpu);
	stormer->tid = gettid();
	annot_thread_name("stormer");
	snprintf(line, sizeof(line), "%d %d", stormer->target, NMIS_AT_A_TIME);
	pthread_barrier_wait(&begin);
	while ((atomic_load(&nr_at_work) || stormer->nmis < LEAST_NMIS) &&
	       stormer->nmis < MOST_NMIS)
		storm_on(stormer, fd, line);
	return NULL;
}

static void start(int cpu)
{
	int pipes[NR_PARTNERS][2], i;

	for (i = 0; i < NR_PARTNERS; i++) {
		if (pipe(pipes[i]))
			die("pipe");
	}
	for (i = 0; i < NR_PARTNERS; i++) {
		workers[cpu][i].cpu = cpu;
		workers[cpu][i].turn_fd = pipes[i][0];
		workers[cpu][i].partner_fd = pipes[!i][1];
		pthread_create(&workers[cpu][i].thread, NULL, work, &workers[cpu][i]);
	}
	put(pipes[0][1], "t");
	stormers[cpu].cpu = cpu;
	stormers[cpu].target = (cpu + 1) % nr_cpus;
	pthread_create(&stormers[cpu].thread, NULL, storm, &stormers[cpu]);
}

static void finish(int cpu)
{
	int i;

	for (i = 0; i < NR_PARTNERS; i++)
		pthread_join(workers[cpu][i].thread, NULL);
	pthread_join(stormers[cpu].thread, NULL);
}

static void write_truth(const char *path)
{
	FILE *out = fopen(path, "we");
	int cpu, i;

	if (!out)
		die(path);
	fprintf(out, "{\"pid\": %d, \"turns\": %u, \"annot_status\": \"%s\",\n\"workers\": [",
		getpid(), nr_turns, annot_status());
	for (cpu = 0; cpu < nr_cpus; cpu++) {
		for (i = 0; i < NR_PARTNERS; i++)
			fprintf(out, "%s\n\t{\"tid\": %d, \"cpu\": %d, \"pokes\": %lu}",
				cpu || i ? "," : "", workers[cpu][i].tid, cpu,
				workers[cpu][i].pokes);
	}
	fputs("],\n\"stormers\": [", out);
	for (cpu = 0; cpu < nr_cpus; cpu++)
		fprintf(out, "%s\n\t{\"tid\": %d, \"target\": %d, \"nmis\": %lu}", cpu ? "," : "",
			stormers[cpu].tid, stormers[cpu].target, stormers[cpu].nmis);
	fputs("]}\n", out);
	if (fclose(out))
		die(path);
}

int main(int argc, char **argv)
{
	int cpu;

	if (argc != 5) {
		fputs("usage: nmi_load TURNS POKES NICE TRUTH.json\n", stderr);
		return 2;
	}
	nr_turns = (unsigned int)atoi(argv[1]);
	pokes_per_turn = (unsigned int)atoi(argv[2]);
	if (setpriority(PRIO_PROCESS, 0, atoi(argv[3])))
		die("setpriority");
	nr_cpus = (int)sysconf(_SC_NPROCESSORS_ONLN);
	if (nr_cpus > MAX_CPUS)
		nr_cpus = MAX_CPUS;
	nr_at_work = nr_cpus * NR_PARTNERS;
	pthread_barrier_init(&begin, NULL, (unsigned int)(nr_cpus * (NR_PARTNERS + 1)));
	for (cpu = 0; cpu < nr_cpus; cpu++)
		start(cpu);
	for (cpu = 0; cpu < nr_cpus; cpu++)
		finish(cpu);
	write_truth(argv[4]);
	return 0;
}
