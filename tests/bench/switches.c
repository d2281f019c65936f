// SPDX-License-Identifier: GPL-2.0
/*
 * Usage: switches PAIRS TURNS
 *
 * Switches and wakeups, as many as can be: each pair of threads hands a byte to and fro TURNS times
 * on one CPU. A turn is two switches and two wakeups.
 */
#include <pthread.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

struct player {
	pthread_t thread;
	int cpu;
	long turns;
	int get;
	int put;
};

static void die(const char *what)
{
	perror(what);
	exit(1);
}

static void *play(void *argument)
{
	const struct player *player = argument;
	cpu_set_t cpus;
	char ball;
	long turn;

	CPU_ZERO(&cpus);
	CPU_SET(player->cpu, &cpus);
	if (sched_setaffinity(0, sizeof(cpus), &cpus))
		die("sched_setaffinity");
	for (turn = 0; turn < player->turns; turn++) {
		if (read(player->get, &ball, 1) != 1 || write(player->put, &ball, 1) != 1)
			die("pipe");
	}
	return NULL;
}

/* The second one begins, for the ball is in its pipe. */
static void start(struct player pair[2], int cpu, long turns)
{
	int to_first[2], to_second[2], i;

	if (pipe(to_first) || pipe(to_second) || write(to_second[1], "o", 1) != 1)
		die("pipe");
	pair[0] = (struct player){ .get = to_first[0], .put = to_second[1] };
	pair[1] = (struct player){ .get = to_second[0], .put = to_first[1] };
	for (i = 0; i < 2; i++) {
		pair[i].cpu = cpu;
		pair[i].turns = turns;
		if (pthread_create(&pair[i].thread, NULL, play, &pair[i]))
			die("pthread_create");
	}
}

int main(int argc, char **argv)
{
	long nr_cpus = sysconf(_SC_NPROCESSORS_ONLN), nr_pairs, i;
	struct player *players;

	if (argc != 3) {
		fprintf(stderr, "usage: switches PAIRS TURNS\n");
		return 2;
	}
	nr_pairs = atol(argv[1]);
	players = calloc((size_t)nr_pairs * 2, sizeof(*players));
	if (!players)
		die("calloc");
	for (i = 0; i < nr_pairs; i++)
		start(&players[2 * i], (int)(i % nr_cpus), atol(argv[2]));
	for (i = 0; i < 2 * nr_pairs; i++)
		pthread_join(players[i].thread, NULL);
	free(players);
	return 0;
}
