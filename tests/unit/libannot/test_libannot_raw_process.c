// SPDX-License-Identifier: GPL-2.0
/* LINK: tests/unit/libannot/libannot_scenario.c tests/unit/libannot/raw_file.c */
/*
 * The fall-back in batches in processes that fork and end: what is in whose trace, once, and what
 * a SIGKILL takes along.
 */
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "annot/annot.h"
#include "libannot_scenario.h"
#include "raw_file.h"
#include "uapi/annot.h"

#define RAW "marker/trace_marker_raw"
#define MAX_PENDING 250 /* as annot(3) tells */
#define MAX_AGE_NS 10000000

static uint64_t now_ns(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (uint64_t)now.tv_sec * 1000000000 + (uint64_t)now.tv_nsec;
}

static void sleep_us(long us)
{
	nanosleep(&(struct timespec){ 0, us * 1000 }, NULL);
}

static void check_ends_well(pid_t child)
{
	int status;

	check(waitpid(child, &status, 0) == child);
	check(status == 0);
}

/* By the bare system call, of which the C library tells nobody. */
static pid_t bare_fork(void)
{
	return (pid_t)syscall(SYS_clone, SIGCHLD, 0, 0, 0, 0);
}

static void mark_from_to(int64_t from, int64_t to)
{
	for (; from < to; from++)
		annot_mark_value("m", from);
}

/* The thread's annotations are marks with the values from 0 to @nr, in order, of one process. */
static void check_thread(const struct raw_file *file, int32_t tid, int32_t tgid, int64_t nr)
{
	uint64_t process = 0;
	int64_t next = 0;
	size_t i;

	for (i = 0; i < file->nr; i++) {
		const struct raw_annotation *annotation = &file->annotations[i];

		if (annotation->tid != tid)
			continue;
		check(annotation->tgid == tgid);
		check(!strcmp(annotation->name, "m"));
		check(annotation->value == next++);
		check(!process || annotation->process == process);
		process = annotation->process;
	}
	check(next == nr);
}

static void check_file_of_two(int32_t parent, int64_t nr_of_parent, int32_t child,
			      int64_t nr_of_child)
{
	struct raw_file file = raw_file_read(RAW);

	check(file.nr == (size_t)(nr_of_parent + nr_of_child));
	check_thread(&file, parent, parent, nr_of_parent);
	check_thread(&file, child, child, nr_of_child);
	check(file.nr_lost == 0);
	raw_file_free(&file);
	check_empty("marker/trace_marker");
}

static void fork_by(pid_t (*fork_somehow)(void))
{
	pid_t child;

	mark_from_to(0, 10);
	child = fork_somehow();
	if (!child) {
		mark_from_to(0, 300);
		exit(0);
	}
	mark_from_to(10, 400);
	check_ends_well(child);
	mark_from_to(400, 410);
	annot_flush();
	check_file_of_two(getpid(), 410, child, 300);
}

static void child_has_its_own(void)
{
	fork_by(fork);
}

static void child_of_a_bare_fork(void)
{
	fork_by(bare_fork);
}

/* What the parent has made is in the trace before the child begins. */
static void flushes_before_fork(void)
{
	pid_t child;

	mark_from_to(0, 10);
	child = fork();
	if (!child)
		_exit(raw_file_count(RAW) != 10);
	check_ends_well(child);
}

static void child_that_says_nothing(void)
{
	pid_t child;

	mark_from_to(0, 10);
	child = bare_fork();
	if (!child)
		exit(0);
	check_ends_well(child);
	annot_flush();
	check(raw_file_count(RAW) == 10);
}

static atomic_bool has_marked;

static void *mark_and_sleep(void *unused)
{
	mark_from_to(0, 20);
	has_marked = true;
	for (;;)
		pause();
	return unused;
}

/* Its first ring is that of a new thread, and not the one whose number the child inherits. */
static void thread_of_the_child_is_first(void)
{
	struct raw_file file;
	pid_t child;

	mark_from_to(0, 10);
	child = bare_fork();
	if (!child) {
		pthread_t thread;

		check(!pthread_create(&thread, NULL, mark_and_sleep, NULL));
		while (!has_marked)
			sleep_us(100);
		mark_from_to(0, 30);
		exit(0);
	}
	check_ends_well(child);
	annot_flush();
	file = raw_file_read(RAW);
	check(file.nr == 60);
	check_thread(&file, getpid(), getpid(), 10);
	check_thread(&file, child, child, 30);
	raw_file_free(&file);
}

static void generations(void)
{
	struct raw_file file;
	pid_t child;
	int i;

	for (i = 0; i < 20; i++) {
		mark_from_to(0, 5);
		child = fork();
		if (child) {
			check_ends_well(child);
			exit(0);
		}
	}
	file = raw_file_read(RAW);
	check(file.nr == 20 * 5);
	raw_file_free(&file);
}

#define NR_FORKS 150
#define NR_OF_CHILD 300

static volatile sig_atomic_t nr_forks;
static volatile sig_atomic_t is_child;
static pid_t children[NR_FORKS];

static void arm_timer(void)
{
	struct itimerval soon = { { 0, 0 }, { 0, 20 + nr_forks % 50 } };

	setitimer(ITIMER_REAL, &soon, NULL);
}

static void fork_in_handler(int signal)
{
	pid_t child = bare_fork();

	(void)signal;
	if (!child) {
		is_child = 1;
		return;
	}
	children[nr_forks] = child;
	check_ends_well(child);
	if (++nr_forks < NR_FORKS)
		arm_timer();
}

/*
 * The child goes on wherever the parent was interrupted; its first annotation may be the one that
 * the parent was making. Where the two have been is in their values.
 */
static void forks_between_any_two_instructions(void)
{
	struct sigaction action = { .sa_handler = fork_in_handler };
	static struct raw_annotation of_thread[NR_OF_CHILD + 2];
	int64_t made = 0, left_to_child = NR_OF_CHILD;
	struct raw_file file;
	int i;

	annot_mark_value("m", made++); /* opens the file: the children write on from there */
	sigaction(SIGALRM, &action, NULL);
	arm_timer();
	while (nr_forks < NR_FORKS && left_to_child) {
		annot_mark_value("m", made++);
		left_to_child -= is_child;
	}
	if (is_child)
		exit(0);
	annot_flush();
	file = raw_file_read(RAW);
	check_thread(&file, getpid(), getpid(), made);
	for (i = 0; i < NR_FORKS; i++) {
		size_t nr = raw_file_of_thread(&file, children[i], of_thread, NR_OF_CHILD + 2), at;

		check(nr == NR_OF_CHILD || nr == NR_OF_CHILD - 1);
		for (at = 1; at < nr; at++)
			check(of_thread[at].value == of_thread[at - 1].value + 1);
	}
	raw_file_free(&file);
}

static void mark_at_exit(void)
{
	mark_from_to(10, 12);
}

static void end_with_a_sleeper(void (*end)(int))
{
	pthread_t thread;

	mark_from_to(0, 10);
	check(!pthread_create(&thread, NULL, mark_and_sleep, NULL));
	atexit(mark_at_exit);
	at_quick_exit(mark_at_exit);
	while (!has_marked)
		sleep_us(100);
	end(0);
}

/* All is there: the atexit handlers', and of the thread that sleeps on. */
static void check_end(void (*end)(int))
{
	struct raw_file file;
	pid_t child = fork();
	size_t i, nr_of_child;

	if (!child)
		end_with_a_sleeper(end);
	check_ends_well(child);
	file = raw_file_read(RAW);
	check_thread(&file, child, child, 12);
	check(file.nr == 32);
	for (i = nr_of_child = 0; i < file.nr; i++) {
		nr_of_child += file.annotations[i].tid == child;
		check(file.annotations[i].tgid == child);
	}
	check(nr_of_child == 12);
	raw_file_free(&file);
}

static void all_is_there_after_exit(void)
{
	check_end(exit);
}

static void all_is_there_after_quick_exit(void)
{
	check_end(quick_exit);
}

/* By a thread that goes on while another one is in exit(). */
static void *mark_for_ever(void *count)
{
	for (;;) {
		annot_mark_value("m", *(atomic_long *)count);
		++*(atomic_long *)count;
	}
	return NULL;
}

static void *shared_memory(size_t nr_bytes)
{
	void *memory = mmap(NULL, nr_bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1,
			    0);

	check(memory != MAP_FAILED);
	return memory;
}

/* NULL unless exit() is to take its time. */
static atomic_long *lingering;

/* Linked before the library's own: runs behind it. */
__attribute__((destructor(101))) static void linger(void)
{
	long begin = lingering ? *lingering : 0;

	while (lingering && *lingering < begin + 100)
		sleep_us(100);
}

static void threads_that_go_on_after_exit(void)
{
	atomic_long *count = shared_memory(sizeof(*count));
	struct raw_file file;
	pthread_t thread;
	pid_t child;

	child = fork();
	if (!child) {
		lingering = count;
		check(!pthread_create(&thread, NULL, mark_for_ever, count));
		while (*count < 1000)
			sleep_us(100);
		exit(0);
	}
	check_ends_well(child);
	file = raw_file_read_cut(RAW); /* the thread may have been writing */
	/* the last one it counted, and one that it was making */
	check(file.nr == (size_t)*count || file.nr == (size_t)*count + 1);
	raw_file_free(&file);
}

#define NR_KILLS 30
#define MAX_MADE 2000000

/* What a process notes of itself, and is still there when it is not. */
struct notes {
	atomic_long nr;
	uint64_t before_ns[MAX_MADE];
	uint64_t after_ns[MAX_MADE];
};

static void mark_until_killed(struct notes *notes, unsigned int seed)
{
	long i;

	for (i = 0; i < MAX_MADE; i++) {
		notes->before_ns[i] = now_ns();
		annot_mark_value("m", i);
		notes->after_ns[i] = now_ns();
		notes->nr = i + 1;
		if (rand_r(&seed) % 400 == 0)
			sleep_us(rand_r(&seed) % 4000);
	}
	for (;;)
		pause();
}

/* At most the last MAX_PENDING, none of them MAX_AGE_NS older than its last one. */
static void check_loss(const struct notes *notes, int64_t nr_there)
{
	int64_t nr_made = notes->nr;

	check(nr_there <= nr_made + 1);
	check(nr_there + MAX_PENDING >= nr_made);
	if (nr_there < nr_made)
		check((int64_t)(notes->before_ns[nr_made - 1] - notes->after_ns[nr_there]) <
		      MAX_AGE_NS * 1.01);
}

static void killed(void)
{
	struct notes *notes = shared_memory(sizeof(*notes));
	unsigned int seed = 1;
	int i, nr_with_loss = 0;

	for (i = 0; i < NR_KILLS; i++) {
		struct raw_file file;
		int64_t nr_there;
		pid_t child;
		int status;

		notes->nr = 0;
		put_text(RAW, "");
		child = fork();
		if (!child)
			mark_until_killed(notes, seed);
		while (!notes->nr)
			sleep_us(100);
		sleep_us(rand_r(&seed) % 60000);
		kill(child, SIGKILL);
		check(waitpid(child, &status, 0) == child && WIFSIGNALED(status));
		file = raw_file_read_cut(RAW); /* which an event of ftrace never is */
		nr_there = (int64_t)raw_file_of_thread(&file, child, NULL, 0);
		check_thread(&file, child, child, nr_there);
		raw_file_free(&file);
		check_loss(notes, nr_there);
		nr_with_loss += nr_there < notes->nr;
	}
	check(nr_with_loss > NR_KILLS / 2); /* else nothing is gathered */
}

static const struct scenario scenarios[] = {
	{ SCENARIO(child_has_its_own, .batches = true) },
	{ SCENARIO(child_of_a_bare_fork, .batches = true) },
	{ SCENARIO(flushes_before_fork, .batches = true) },
	{ SCENARIO(child_that_says_nothing, .batches = true) },
	{ SCENARIO(thread_of_the_child_is_first, .batches = true) },
	{ SCENARIO(generations, .batches = true) },
	{ SCENARIO(forks_between_any_two_instructions, .batches = true) },
	{ SCENARIO(all_is_there_after_exit, .batches = true) },
	{ SCENARIO(all_is_there_after_quick_exit, .batches = true) },
	{ SCENARIO(threads_that_go_on_after_exit, .batches = true) },
	{ SCENARIO(killed, .batches = true) },
};

int main(int argc, char **argv)
{
	return scenarios_main(argc, argv, scenarios, sizeof(scenarios) / sizeof(scenarios[0]));
}
