// SPDX-License-Identifier: GPL-2.0
/*
 * Usage: decide SCENE ITERATIONS [changed]
 *        decide calibrate UNIT_US
 *
 * Programs with something to be changed, as they are and changed, to hold what annot what-if predicts of the one against the
 * other. Work is a number of iterations, so that both do the same but for the change. Prints how long it took, in ns of
 * CLOCK_MONOTONIC; calibrate: how many iterations take UNIT_US of a thread's time.
 *
 * - balance: in each round one thread has three times the work of the other; changed: both have the same.
 * - serial: one thread works alone, then both; changed: the part alone takes half the time.
 * - pipeline: one thread hands items to another over a queue of two places; changed: the slower one takes half the time.
 * - lock: two threads work in turns outside and inside of a mutex; changed: a third of the time inside.
 * - tree: a tree of threads, in which each waits for its children; changed: leaves take half the time.
 * - chunks: two threads take small chunks of work from a counter, which costs half of a chunk; changed: chunks 16 times as large.
 * - neighbour: another process works on the same CPUs; changed: it does not.
 * - wakeup: two threads sleep and work by turns, and another process comes before them for most of it; changed: it does not.
 * - queue: one thread gets items of a device, another one uses them; changed: the latter takes half the time.
 * - unlocked: two threads sleep and work inside of a mutex, by turns, and sleep outside; changed: there is none.
 *
 * On two CPUs:
 *
 * - wide: four threads work. Whoever runs it binds it to one CPU; changed: to none.
 * - bound: two threads are bound to one CPU, and one to the other; changed: none is.
 * - hop: a thread binds itself to one CPU after the other, and another one is bound to the first; changed: neither does.
 * - astray: a thread binds itself to the second CPU, and at times to the first, to which another one is bound; changed: it stays.
 * - ranks: one process computes and sends a message to another one, which spins until it comes; changed: the former takes half the
 *   time.
 */
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "../../libannot/attach/mpi/mpi_message.h"
#include "annot/annot.h"
#include "load.h"

#define NR_ROUNDS 8
#define NR_ITEMS 24
#define QUEUE_PLACES 2
#define TREE_DEPTH 3
#define NR_CHUNKS 240
#define LARGE_CHUNK 16
#define NR_TURNS 12
#define UNIT_US 2000

struct scene {
	const char *name;
	void (*run)(unsigned int number);
	unsigned int nr_threads;
	void (*run_neighbour)(void); /* another process does, unless changed */
};

static const struct scene *scene;
static unsigned long unit; /* iterations */
static bool is_changed;
static int cpus[MAX_CPUS];
static unsigned int nr_cpus;
static pthread_barrier_t barrier;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t filled = PTHREAD_COND_INITIALIZER, emptied = PTHREAD_COND_INITIALIZER;
static unsigned int nr_queued;

static void iterate(unsigned long nr)
{
	static _Thread_local volatile uint64_t sink;
	uint64_t value = sink | 1;

	while (nr--)
		value = value * 6364136223846793005ull + 1442695040888963407ull;
	sink = value;
}

static void work(const char *task, unsigned int nr_units)
{
	annot_begin(task);
	iterate(nr_units * unit);
	annot_end();
}

static void meet(void)
{
	annot_wait_begin("barrier");
	pthread_barrier_wait(&barrier);
	annot_end();
}

static void run_balance(unsigned int number)
{
	for (unsigned int round = 0; round < NR_ROUNDS; round++) {
		unsigned int own = (number + round) % 2 ? 12 : 4;

		work("share", is_changed ? 8 : own);
		meet();
	}
}

static void run_serial(unsigned int number)
{
	for (unsigned int round = 0; round < NR_ROUNDS; round++) {
		if (!number)
			work("serial", is_changed ? 4 : 8);
		meet();
		work("parallel", 6);
		meet();
	}
}

static void hand_over(int change, unsigned int wanted, pthread_cond_t *until, pthread_cond_t *then)
{
	pthread_mutex_lock(&lock);
	while (change > 0 ? nr_queued == wanted : !nr_queued)
		pthread_cond_wait(until, &lock);
	nr_queued += (unsigned int)change;
	pthread_cond_signal(then);
	pthread_mutex_unlock(&lock);
}

static void run_pipeline(unsigned int number)
{
	for (unsigned int item = 0; item < NR_ITEMS; item++) {
		if (number) {
			hand_over(-1, 0, &filled, &emptied);
			work("encode", is_changed ? 3 : 6);
		} else {
			work("produce", 4);
			hand_over(1, QUEUE_PLACES, &emptied, &filled);
		}
	}
}

static void run_queue(unsigned int number)
{
	for (unsigned int item = 0; item < NR_ITEMS; item++) {
		if (number) {
			hand_over(-1, 0, &filled, &emptied);
			work("consume", is_changed ? 2 : 4);
		} else {
			usleep(UNIT_US);
			work("produce", 1);
			hand_over(1, NR_ITEMS, &emptied, &filled);
		}
	}
}

static void run_lock(unsigned int number)
{
	for (unsigned int round = 0; round < 3 * NR_ROUNDS; round++) {
		work("outside", 2 + number);
		pthread_mutex_lock(&lock);
		work("inside", is_changed ? 1 : 3);
		pthread_mutex_unlock(&lock);
	}
}

static void run_unlocked(unsigned int number)
{
	(void)number;
	for (unsigned int round = 0; round < 2 * NR_ROUNDS; round++) {
		if (!is_changed)
			pthread_mutex_lock(&lock);
		annot_begin("section");
		usleep(2 * UNIT_US);
		iterate(unit / 4);
		annot_end();
		if (!is_changed)
			pthread_mutex_unlock(&lock);
		usleep(UNIT_US);
	}
}

/* A quarter of a unit each, and an eighth to take one or more. */
static void run_chunks(unsigned int number)
{
	static atomic_uint taken;
	unsigned int size = is_changed ? LARGE_CHUNK : 1;

	(void)number;
	while (atomic_fetch_add(&taken, size) < NR_CHUNKS) {
		iterate(unit / 8);
		annot_begin("chunk");
		iterate(size * unit / 4);
		annot_end();
	}
}

static void *run_node(void *argument)
{
	uintptr_t depth = (uintptr_t)argument;
	pthread_t children[2];

	if (!depth) {
		work("leaf", is_changed ? 18 : 36);
		return NULL;
	}
	work("node", 12);
	for (int i = 0; i < 2; i++)
		pthread_create(&children[i], NULL, run_node, (void *)(depth - 1));
	for (int i = 0; i < 2; i++)
		pthread_join(children[i], NULL);
	work("sum", 9);
	return NULL;
}

static void run_tree(unsigned int number)
{
	(void)number;
	run_node((void *)TREE_DEPTH);
}

static void run_alone(unsigned int number)
{
	(void)number;
	work("own", 12 * NR_ROUNDS);
}

static void run_wakeup(unsigned int number)
{
	for (unsigned int round = 0; round < 2 * NR_TURNS; round++) {
		if (round % 2 == number) {
			usleep(UNIT_US);
			work("serve", 1);
		}
		meet();
	}
}

static void run_wide(unsigned int number)
{
	(void)number;
	for (unsigned int round = 0; round < NR_ROUNDS; round++) {
		work("part", 2);
		meet();
	}
}

static void bind_to(unsigned int number)
{
	if (!is_changed)
		pin_to(cpus[number % nr_cpus]);
}

static void run_bound(unsigned int number)
{
	bind_to(number);
	work("bound", 3 * NR_ROUNDS);
}

static void run_hop(unsigned int number)
{
	for (unsigned int round = 0; round < NR_ROUNDS; round++) {
		bind_to(number ? round : 0);
		work(number ? "hop" : "stay", 3);
	}
}

/* Three rounds of eight on the wrong one. */
static void run_astray(unsigned int number)
{
	for (unsigned int round = 0; round < NR_ROUNDS; round++) {
		bool is_astray = !is_changed && round % 3 == 0;

		pin_to(cpus[(number && !is_astray) % nr_cpus]);
		work(number ? "astray" : "stay", 3);
	}
}

/* Tells of the message as an attached program does, in the call that is open. */
static void tell(const char *note, unsigned int partner)
{
	annot_mark_value(note, mpi_message_value((int)partner, 0, sizeof(partner)));
	annot_end();
}

static void run_rank(unsigned int rank, atomic_uint *nr_sent)
{
	pin_to(cpus[rank % nr_cpus]);
	annot_mark_value("@rank", rank);
	for (unsigned int round = 0; round < 2 * NR_ROUNDS; round++) {
		if (rank) {
			work("filter", 1);
			annot_wait_begin("receive");
			while (atomic_load(nr_sent) <= round)
				;
			tell("@recv", 0);
		} else {
			work("compute", is_changed ? 3 : 6);
			annot_wait_begin("send");
			atomic_fetch_add(nr_sent, 1);
			tell("@send", 1);
		}
	}
}

static void run_ranks(unsigned int number)
{
	atomic_uint *nr_sent = mmap(NULL, sizeof(*nr_sent), PROT_READ | PROT_WRITE,
				    MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	pid_t children[2];

	(void)number;
	if (nr_sent == MAP_FAILED)
		die("no memory");
	for (unsigned int rank = 0; rank < 2; rank++) {
		children[rank] = fork();
		if (!children[rank]) {
			run_rank(rank, nr_sent);
			exit(0);
		}
	}
	for (unsigned int rank = 0; rank < 2; rank++)
		waitpid(children[rank], NULL, 0);
}

static void *run_thread(void *number)
{
	scene->run((unsigned int)(uintptr_t)number);
	return NULL;
}

/* Works as long as the program would alone, with as many threads. */
static void neighbour_of_all(void)
{
	run_in_threads(scene->nr_threads, run_thread);
}

/* Whoever wakes up meanwhile has to wait. */
static void neighbour_in_front(void)
{
	run_in_real_time(1);
	for (unsigned int turn = 0; turn < NR_TURNS; turn++) {
		work("front", 3);
		usleep(UNIT_US);
	}
}

static const struct scene scenes[] = {
	{ .name = "balance", .run = run_balance, .nr_threads = 2 },
	{ .name = "serial", .run = run_serial, .nr_threads = 2 },
	{ .name = "pipeline", .run = run_pipeline, .nr_threads = 2 },
	{ .name = "lock", .run = run_lock, .nr_threads = 2 },
	{ .name = "tree", .run = run_tree, .nr_threads = 1 },
	{ .name = "chunks", .run = run_chunks, .nr_threads = 2 },
	{ .name = "neighbour",
	  .run = run_alone,
	  .nr_threads = 2,
	  .run_neighbour = neighbour_of_all },
	{ .name = "wakeup",
	  .run = run_wakeup,
	  .nr_threads = 2,
	  .run_neighbour = neighbour_in_front },
	{ .name = "queue", .run = run_queue, .nr_threads = 2 },
	{ .name = "wide", .run = run_wide, .nr_threads = 4 },
	{ .name = "bound", .run = run_bound, .nr_threads = 3 },
	{ .name = "hop", .run = run_hop, .nr_threads = 2 },
	{ .name = "unlocked", .run = run_unlocked, .nr_threads = 2 },
	{ .name = "astray", .run = run_astray, .nr_threads = 2 },
	{ .name = "ranks", .run = run_ranks, .nr_threads = 1 },
};

static pid_t start_neighbour(void)
{
	pid_t child = fork();

	if (child)
		return child;
	prctl(PR_SET_NAME, "neighbour");
	scene->run_neighbour();
	exit(0);
}

static void calibrate(unsigned long unit_us)
{
	unsigned long nr = 1000;
	uint64_t ns;

	do {
		uint64_t began_ns = thread_cpu_ns();

		nr *= 2;
		iterate(nr);
		ns = thread_cpu_ns() - began_ns;
	} while (ns < 100000000);
	printf("%lu\n", (unsigned long)((double)nr * (double)unit_us * 1e3 / (double)ns));
}

static void run_scene(void)
{
	pid_t neighbour = -1;
	uint64_t began_ns;

	pthread_barrier_init(&barrier, NULL, scene->nr_threads);
	nr_cpus = allowed_cpus(cpus);
	began_ns = wall_ns();
	if (scene->run_neighbour && !is_changed)
		neighbour = start_neighbour();
	run_in_threads(scene->nr_threads, run_thread);
	printf("%llu\n", (unsigned long long)(wall_ns() - began_ns));
	if (neighbour > 0)
		waitpid(neighbour, NULL, 0);
}

int main(int argc, char **argv)
{
	if (argc == 3 && !strcmp(argv[1], "calibrate")) {
		calibrate(strtoul(argv[2], NULL, 10));
		return 0;
	}
	for (size_t i = 0; argc >= 3 && i < sizeof(scenes) / sizeof(*scenes); i++) {
		if (!strcmp(scenes[i].name, argv[1]))
			scene = &scenes[i];
	}
	if (!scene)
		die("no such scene");
	unit = strtoul(argv[2], NULL, 10);
	is_changed = argc > 3;
	run_scene();
	return 0;
}
