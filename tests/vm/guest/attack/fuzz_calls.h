/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Of the fuzzer: calls that make processes and threads, which go on with the sequence there, and what
 * may befall these; and how a call of any kind is run.
 */
#ifndef FUZZ_CALLS_H
#define FUZZ_CALLS_H

#include <linux/userfaultfd.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/wait.h>

#include "fuzz.h"
#include "fuzz_files.h"
#include "fuzz_rings.h"

#define NR_DEPTH_MAX 2 /* of processes that sequences make */

static void run(const struct sequence *sequence, unsigned int from, unsigned int to);

static const struct sequence *running;
static __thread unsigned int position;

static unsigned int some_calls_on(const struct call *call)
{
	unsigned int to = position + 2 + call->a % 8;

	return to < running->nr ? to : running->nr;
}

static void wait_a_little(pid_t pid)
{
	for (int i = 0; i < 20 && waitpid(pid, NULL, WNOHANG | __WALL) == 0; i++)
		usleep(1000);
}

/* What comes now is the kernel's own: it warns where it finds no memory for the place of a new stack. */
static void stop_failing(void)
{
	int fd = open("/proc/thread-self/fail-nth", O_RDWR);

	if (fd >= 0 && write(fd, "0", 1) != 1)
		errno = 0;
	close(fd);
}

static long do_fork(const struct call *call)
{
	unsigned int from = position + 1, to = some_calls_on(call);
	pid_t pid;

	if (depth == NR_DEPTH_MAX)
		return -1;
	stop_failing();
	pid = fork();
	if (!pid) {
		depth++;
		run(running, from, to);
		_exit(0);
	}
	if (pid < 0)
		return -1;
	if (call->b & 1)
		wait_a_little(pid);
	if (call->b & 2)
		kill(pid, SIGKILL);
	return pid;
}

static int run_in_clone(void *argument)
{
	const struct call *call = argument;

	run(running, (unsigned int)call->d, (unsigned int)call->d + 1 + call->a % 4);
	_exit(0);
}

/* Another process in this memory. */
static long do_clone_vm(const struct call *call)
{
	static char stacks[4][1 << 16];
	static struct call calls[4];
	static volatile unsigned int nr;
	unsigned int which = nr++ % 4;
	pid_t pid;

	if (depth == NR_DEPTH_MAX || nr > 4)
		return -1;
	calls[which] = *call;
	calls[which].d = position + 1;
	stop_failing();
	pid = clone(run_in_clone, stacks[which] + sizeof(stacks[which]),
		    CLONE_VM | SIGCHLD | (call->b & 1 ? CLONE_FILES : 0) |
			    (call->b & 2 ? CLONE_VFORK : 0),
		    &calls[which]);
	if (pid > 0)
		wait_a_little(pid);
	return pid;
}

static long do_exec(const struct call *call)
{
	char *const arguments[] = { "true", NULL };
	pid_t pid;

	/* The file may be none: then it comes back. */
	if (call->b % 8 == 0)
		return execv(call->c & 1 ? "/bin/true" : "/etc", arguments);
	pid = vfork();
	if (!pid) {
		execv(call->c & 1 ? "/bin/true" : "/etc", arguments);
		_exit(1);
	}
	wait_a_little(pid);
	return pid;
}

struct part {
	unsigned int from;
	unsigned int to;
};

static void *run_in_thread(void *argument)
{
	struct part part = *(struct part *)argument;

	free(argument);
	run(running, part.from, part.to);
	return NULL;
}

static long do_thread(const struct call *call)
{
	static volatile int nr;
	struct part *part;
	pthread_t thread;
	int error;

	if (nr++ > 8)
		return -1;
	part = malloc(sizeof(*part));
	if (!part)
		return -1;
	*part = (struct part){ position + 1, some_calls_on(call) };
	stop_failing();
	error = pthread_create(&thread, NULL, run_in_thread, part);
	if (error)
		return -1;
	pthread_detach(thread);
	return 0;
}

static long do_move(const struct call *call)
{
	cpu_set_t cpus;

	CPU_ZERO(&cpus);
	CPU_SET(call->a % nr_cpus, &cpus);
	return sched_setaffinity(0, sizeof(cpus), &cpus);
}

static long do_pause(const struct call *call)
{
	return call->a & 1 ? sched_yield() : usleep(call->a * 10);
}

static void write_in_handler(int signal)
{
	int error = errno;

	(void)signal;
	if (write(files[0], "I signal\n", 9) < 0)
		errno = error;
}

static long do_signals(const struct call *call)
{
	struct itimerval often = { { 0, 500 + call->a * 20 }, { 0, 500 } };

	if (call->b % 16 == 0)
		return raise(SIGKILL);
	signal(SIGALRM, write_in_handler);
	return setitimer(ITIMER_REAL, call->b & 1 ? &often : &(struct itimerval){ 0 }, NULL);
}

/* Fills the pages of others in when they are touched, after a while. */
static void *serve(void *argument)
{
	int fd = (int)(intptr_t)argument;
	struct uffd_msg message;

	while (read(fd, &message, sizeof(message)) == sizeof(message)) {
		struct uffdio_copy copy = {
			.dst = message.arg.pagefault.address & ~(PAGE_BYTES - 1ull),
			.src = (uintptr_t)pages,
			.len = PAGE_BYTES,
		};

		usleep(2000);
		ioctl(fd, UFFDIO_COPY, &copy);
	}
	return NULL;
}

static long do_slow_page(const struct call *call)
{
	struct uffdio_api api = { .api = UFFD_API };
	struct uffdio_register wanted = { .mode = UFFDIO_REGISTER_MODE_MISSING };
	pthread_t thread;
	int fd;

	if (slow_page)
		return madvise(slow_page, PAGE_BYTES, MADV_DONTNEED);
	fd = (int)syscall(SYS_userfaultfd, O_CLOEXEC | (call->a & 1 ? 0 : UFFD_USER_MODE_ONLY));
	if (fd < 0 || ioctl(fd, UFFDIO_API, &api))
		return -1;
	slow_page = mmap(NULL, PAGE_BYTES, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1,
			 0);
	wanted.range.start = (uintptr_t)slow_page;
	wanted.range.len = PAGE_BYTES;
	if (ioctl(fd, UFFDIO_REGISTER, &wanted))
		return -1;
	return pthread_create(&thread, NULL, serve, (void *)(intptr_t)fd);
}

static long do_limit(const struct call *call)
{
	struct rlimit limit;

	if (getrlimit(RLIMIT_MEMLOCK, &limit))
		return -1;
	limit.rlim_cur = call->d % 65536;
	return setrlimit(RLIMIT_MEMLOCK, &limit);
}

/* One of the next allocations of this thread is to fail. */
static long do_fail(const struct call *call)
{
	char text[8];
	int fd = open("/proc/thread-self/fail-nth", O_RDWR), length;
	long done = -1;

	if (fd < 0)
		return -1;
	length = snprintf(text, sizeof(text), "%d", 1 + call->a % 24);
	done = write(fd, text, length);
	close(fd);
	return done;
}

/* --- all kinds */

static long (*const functions[NR_KINDS])(const struct call *call) = {
	[OPEN] = do_open,
	[CLOSE] = do_close,
	[DUP] = do_dup,
	[RING] = do_ring,
	[ANNOTATE] = do_annotate,
	[SCRIBBLE] = do_scribble,
	[MMAP] = do_mmap,
	[MUNMAP] = do_munmap,
	[MPROTECT] = do_mprotect,
	[MREMAP] = do_mremap,
	[MADVISE] = do_madvise,
	[MLOCK] = do_mlock,
	[PINNED] = do_pinned,
	[NAME] = do_name,
	[NAMES] = do_names,
	[DRAIN] = do_drain,
	[RECORD] = do_record,
	[EVENTS] = do_events,
	[ODD_IOCTL] = do_odd_ioctl,
	[WRITE] = do_write,
	[WRITEV] = do_writev,
	[SPLICE] = do_splice,
	[ODD_FILE] = do_odd_file,
	[FORK] = do_fork,
	[CLONE_VM_CHILD] = do_clone_vm,
	[EXEC] = do_exec,
	[THREAD] = do_thread,
	[MOVE] = do_move,
	[PAUSE] = do_pause,
	[SIGNALS] = do_signals,
	[SLOW_PAGE] = do_slow_page,
	[LIMIT] = do_limit,
	[FAIL] = do_fail,
};

static void run(const struct sequence *sequence, unsigned int from, unsigned int to)
{
	for (position = from; position < to && position < sequence->nr; position++) {
		const struct call *call = &sequence->calls[position];

		if (functions[call->kind](call) < 0)
			figures->failed[call->kind]++;
		else
			figures->done[call->kind]++;
	}
}

#endif /* FUZZ_CALLS_H */
