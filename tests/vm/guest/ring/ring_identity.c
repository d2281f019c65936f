// SPDX-License-Identifier: GPL-2.0
/*
 * Whose an annotation is, where threads and processes share CPUs and memory: in a guest with two
 * CPUs that has annot.ko loaded. Prints TAP.
 */
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <sys/wait.h>

#include "ring.h"

#define NR_TURNS 200
#define NR_PER_TURN 5
#define NR 100
#define STACK_BYTES 65536
#define RUNNING "/tmp/running" /* made by the program that has taken the process over */

/* --- threads of a process, by turns on one CPU and so in one ring */

struct turn {
	pthread_t thread;
	pid_t tid;
	int wait_fd;
	int next_fd;
};

static struct ring turns_ring;
static uint32_t turns_name;

static void *take_turns(void *argument)
{
	struct turn *turn = argument;
	char byte;

	stay_on(0);
	go_first();
	turn->tid = gettid();
	for (int i = 0; i < NR_TURNS; i++) {
		if (read(turn->wait_fd, &byte, 1) != 1)
			die("read");
		for (int j = 0; j < NR_PER_TURN; j++)
			put(&turns_ring, ANNOT_OP_COUNTER, turns_name, turn->tid);
		if (write(turn->next_fd, &byte, 1) != 1)
			die("write");
	}
	return NULL;
}

static void check_turns(void)
{
	struct turn turns[2];
	int pipes[2][2];
	size_t right = 0;

	record_as(true);
	stay_on(1);
	map_ring(&turns_ring, 0);
	turns_name = name_of(&turns_ring, "turn");
	if (pipe(pipes[0]) || pipe(pipes[1]))
		die("pipe");
	for (int i = 0; i < 2; i++) {
		turns[i].wait_fd = pipes[i][0];
		turns[i].next_fd = pipes[!i][1];
		pthread_create(&turns[i].thread, NULL, take_turns, &turns[i]);
	}
	if (write(pipes[0][1], "", 1) != 1)
		die("write");
	for (int i = 0; i < 2; i++)
		join(turns[i].thread, &turns[i].tid);
	collect();
	for (size_t i = 0; i < nr_seen; i++)
		right += atoi(seen[i].line + strlen("C turn ")) == seen[i].pid;
	if (right != 2 * NR_TURNS * NR_PER_TURN)
		show_seen();
	check(right == nr_seen && nr_seen == 2 * NR_TURNS * NR_PER_TURN,
	      "threads that take turns on a CPU keep their own annotations");
	unmap_ring(&turns_ring);
}

/* --- a process that shares the memory of another one, which has gone on to another program */

static int *stage; /* shared */

static int speak_for_parent(void *argument)
{
	const struct ring *ring = argument;
	uint32_t name = name_of(ring, "forged");

	stay_on(1);
	while (__atomic_load_n(stage, __ATOMIC_ACQUIRE) < 1)
		usleep(1000);
	/* Whether or not the ring is open. */
	for (int i = 0; i < NR; i++) {
		put_record(ring, 0, ANNOT_OP_COUNTER, name, ANNOT_RECORD_HAS_VALUE, i);
		usleep(10);
	}
	__atomic_store_n(stage, 2, __ATOMIC_RELEASE);
	_exit(0);
}

/* The child's own ring is one that it maps; what it puts into the parent's belongs to nobody. */
static void share_and_exec(void)
{
	static struct ring ring;
	static char stack[STACK_BYTES] __attribute__((aligned(16)));

	stay_on(1);
	map_ring(&ring, 1);
	name_of(&ring, "own");
	if (clone(speak_for_parent, stack + sizeof(stack), CLONE_VM | SIGCHLD, &ring) < 0)
		die("clone");
	execl("/bin/sh", "sh", "-c", ": >" RUNNING "; while :; do :; done", NULL);
	_exit(1);
}

static void check_shared_memory(void)
{
	pid_t child;

	record_as(true);
	stay_on(0);
	*stage = 0;
	unlink(RUNNING);
	fflush(stdout);
	child = fork();
	if (!child)
		share_and_exec();
	while (access(RUNNING, F_OK))
		usleep(1000);
	__atomic_store_n(stage, 1, __ATOMIC_RELEASE);
	while (__atomic_load_n(stage, __ATOMIC_ACQUIRE) < 2)
		usleep(1000);
	usleep(10000);
	kill(child, SIGKILL);
	waitpid(child, NULL, 0);
	collect();
	if (nr_seen)
		show_seen();
	check(nr_seen == 0, "memory shared with a process is no way to speak for its next program");
}

/* --- a thread executes a program: it takes the place of its process's leader */

static void *annotate_and_exec(void *unused)
{
	struct ring ring;
	uint32_t name;

	stay_on(1);
	map_ring(&ring, 1);
	name = name_of(&ring, "last words");
	for (int i = 0; i < NR; i++)
		put(&ring, ANNOT_OP_COUNTER, name, i);
	execl("/bin/true", "true", NULL);
	return unused;
}

static void check_exec_by_thread(void)
{
	size_t right = 0;
	pthread_t thread;
	pid_t child;

	record_as(true);
	fflush(stdout);
	child = fork();
	if (!child) {
		pthread_create(&thread, NULL, annotate_and_exec, NULL);
		for (;;)
			pause();
	}
	waitpid(child, NULL, 0);
	collect();
	for (size_t i = 0; i < nr_seen; i++)
		right += seen[i].pid == child || seen[i].pid == child + 1;
	printf("# %zu annotations, of the process %d, by the thread %d\n", nr_seen, child,
	       nr_seen ? seen[0].pid : 0);
	check(nr_seen == NR && right == NR,
	      "a thread that executes a program leaves nothing behind");
}

int main(void)
{
	stage = mmap(NULL, PAGE_BYTES, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	if (stage == MAP_FAILED)
		die("mmap");
	set(TRACEFS "tracing_on", "1");
	check_turns();
	check_shared_memory();
	check_exec_by_thread();
	enable("annot", false);
	return all_well ? 0 : 1;
}
