// SPDX-License-Identifier: GPL-2.0
/*
 * Usage: turns_load THREADS MS TRUTH.json
 *
 * With nmi_pmu.ko loaded: THREADS threads, one after the other, each of which runs for MS milliseconds and pokes the PMU all the
 * time, at a rate that changes. Writes how often each poked it, in all and in its span "work", which is
 * every second stretch of 10 ms.
 */
#include <fcntl.h>
#include <math.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include <annot/annot.h>

#define POKE "/sys/kernel/debug/nmi_pmu/poke"
#define MOST_THREADS 256
#define NS_PER_MS 1000000
#define TICK_NS (NS_PER_MS / 4)
#define SPAN_TICKS 40
#define MOST_POKES 200

enum kind {
	NOISE,
	LEVELS,
	ON_OFF,
	WALK,
	NR_KINDS
};

static const char *const kind_names[NR_KINDS] = { "noise", "levels", "on and off", "walk" };

struct worker {
	pid_t tid;
	enum kind kind;
	uint64_t random;
	double level; /* pokes in a tick */
	unsigned long pokes;
	unsigned long pokes_in_span;
};

static int length_ms;

static int fail(const char *what)
{
	perror(what);
	exit(1);
}

static double draw(struct worker *worker)
{
	worker->random ^= worker->random >> 12;
	worker->random ^= worker->random << 25;
	worker->random ^= worker->random >> 27;
	return (double)(worker->random * 0x2545f4914f6cdd1dull >> 11) * 0x1p-53;
}

/* Once in @ticks ticks on average. */
static bool is_time(struct worker *worker, double ticks)
{
	return draw(worker) * ticks < 1;
}

static unsigned int next_pokes(struct worker *worker)
{
	switch (worker->kind) {
	case NOISE:
		worker->level = MOST_POKES * draw(worker);
		break;
	case LEVELS:
		if (is_time(worker, 48))
			worker->level = MOST_POKES * draw(worker);
		break;
	case ON_OFF:
		if (is_time(worker, 60))
			worker->level = worker->level > 1 ? 1 : MOST_POKES;
		break;
	default:
		worker->level = fabs(worker->level + 12 * (draw(worker) - 0.5));
	}
	return (unsigned int)worker->level;
}

static uint64_t now_ns(void)
{
	struct timespec time;

	clock_gettime(CLOCK_MONOTONIC, &time);
	return (uint64_t)time.tv_sec * 1000000000 + (uint64_t)time.tv_nsec;
}

static void wait_until(uint64_t time_ns)
{
	while (now_ns() < time_ns)
		;
}

static void poke(int fd, unsigned int nr)
{
	char text[16];
	int length = snprintf(text, sizeof(text), "%u", nr);

	if (nr && write(fd, text, (size_t)length) != length)
		fail(POKE);
}

static void *work(void *argument)
{
	struct worker *worker = argument;
	int fd = open(POKE, O_WRONLY), nr_ticks = length_ms * NS_PER_MS / TICK_NS;
	uint64_t next_ns = now_ns();

	if (fd < 0)
		fail(POKE);
	worker->tid = gettid();
	for (int tick = 0; tick < nr_ticks; tick++) {
		bool is_inside = tick / SPAN_TICKS % 2;
		unsigned int nr = next_pokes(worker);

		if (tick % (2 * SPAN_TICKS) == SPAN_TICKS)
			annot_begin("work");
		wait_until(next_ns += TICK_NS / 2);
		poke(fd, nr);
		worker->pokes += nr;
		worker->pokes_in_span += is_inside ? nr : 0;
		wait_until(next_ns += TICK_NS / 2);
		if (tick % (2 * SPAN_TICKS) == 2 * SPAN_TICKS - 1)
			annot_end();
	}
	close(fd);
	return NULL;
}

static void run(struct worker *worker, int index)
{
	pthread_t thread;

	worker->kind = (enum kind)(index % NR_KINDS);
	worker->random = (uint64_t)(index + 1) * 0x9e3779b97f4a7c15ull;
	worker->level = MOST_POKES / 2;
	if (pthread_create(&thread, NULL, work, worker) || pthread_join(thread, NULL))
		fail("pthread");
}

static void write_truth(const char *path, const struct worker *workers, int nr_threads)
{
	FILE *out = fopen(path, "w");

	if (!out)
		fail(path);
	for (int i = 0; i < nr_threads; i++)
		fprintf(out,
			"%s\n{\"tid\": %d, \"kind\": \"%s\", \"pokes\": %lu, \"pokes_in_span\": %lu}",
			i ? "," : "[", workers[i].tid, kind_names[workers[i].kind],
			workers[i].pokes, workers[i].pokes_in_span);
	fputs("\n]\n", out);
	if (fclose(out))
		fail(path);
}

int main(int argc, char **argv)
{
	static struct worker workers[MOST_THREADS];
	int nr_threads = argc == 4 ? atoi(argv[1]) : 0;

	length_ms = argc == 4 ? atoi(argv[2]) : 0;
	if (nr_threads < 1 || nr_threads > MOST_THREADS || length_ms < 1) {
		fputs("usage: turns_load THREADS MS TRUTH.json\n", stderr);
		return 2;
	}
	for (int i = 0; i < nr_threads; i++)
		run(&workers[i], i);
	write_truth(argv[3], workers, nr_threads);
	return 0;
}
