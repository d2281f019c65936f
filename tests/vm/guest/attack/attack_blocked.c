// SPDX-License-Identifier: GPL-2.0
/*
 * Usage: attack_blocked SECONDS
 *
 * Falls asleep in all ways that may mislead who looks at a sleeping thread: descriptors that become other files meanwhile, files
 * that are renamed, futexes whose memory goes away or looks like a mutex and is none, and, by ptrace(), system calls and
 * arguments that no thread could sleep in. Prints how often each was done.
 */
#include <errno.h>
#include <fcntl.h>
#include <linux/futex.h>
#include <pthread.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/mman.h>
#include <sys/ptrace.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/timerfd.h>
#include <sys/user.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define PAGE_BYTES 4096
#define SHARED_FD 200
#define KERNEL_ADDRESS 0xffffffff81000000ul
#define NON_CANONICAL 0x8000000000000000ul

static volatile bool is_over;

static void nap(long ns)
{
	nanosleep(&(struct timespec){ .tv_nsec = ns }, NULL);
}

static void die(const char *what)
{
	fprintf(stderr, "attack_blocked: %s: %s\n", what, strerror(errno));
	exit(1);
}

/* SIGALRM, which the reader gets all the time, ends a read(). */
static void nothing(int number)
{
	(void)number;
}

static pthread_t reader;

static void *read_shared(void *count)
{
	char bytes[64];

	while (!is_over) {
		if (read(SHARED_FD, bytes, sizeof(bytes)) >= 0 || errno == EINTR)
			++*(long *)count;
	}
	return NULL;
}

static int open_any(int kind)
{
	static int pairs[2];

	switch (kind % 7) {
	case 0:
		if (pipe(pairs))
			return -1;
		close(pairs[1]);
		return pairs[0];
	case 1:
		return eventfd(0, 0);
	case 2:
		return timerfd_create(CLOCK_MONOTONIC, 0);
	case 3:
		if (socketpair(AF_UNIX, SOCK_STREAM, 0, pairs))
			return -1;
		close(pairs[1]);
		return pairs[0];
	case 4:
		return open("/tmp/file", O_RDWR | O_CREAT, 0600);
	case 5:
		return epoll_create1(0);
	default:
		return memfd_create("attack", 0);
	}
}

static void *replace_shared(void *count)
{
	for (int kind = 0; !is_over; kind++) {
		int fd = open_any(kind);

		if (fd >= 0) {
			dup2(fd, SHARED_FD);
			close(fd);
		}
		if (kind % 3 == 0)
			close(SHARED_FD);
		pthread_kill(reader, SIGALRM);
		++*(long *)count;
	}
	return NULL;
}

static const char *const renamed[] = {
	"/tmp/renamed",
	"/tmp/a name that is longer than what fits into the entry of a directory itself",
	"/tmp/with\nline\x1b[31m",
};

static void *rename_file(void *count)
{
	close(open(renamed[0], O_RDWR | O_CREAT, 0600));
	for (int i = 0; !is_over; i++) {
		rename(renamed[i % 3], renamed[(i + 1) % 3]);
		++*(long *)count;
	}
	return NULL;
}

/* Waits with a lock on the file that is renamed, by whatever name it has, so that its name is looked at. */
static void *lock_file(void *count)
{
	struct flock lock = { .l_type = F_WRLCK };

	for (int i = 0; !is_over; i++) {
		int fd = open(renamed[i % 3], O_RDWR);

		if (fd < 0)
			continue;
		fcntl(fd, F_OFD_SETLK, &lock);
		nap(10000);
		if (fcntl(fd, F_OFD_SETLKW, &lock) == 0)
			++*(long *)count;
		close(fd);
	}
	return NULL;
}

static char *page;

/* What looks like a mutex, at the end of a page, without owners that there could be. */
static void *wait_on_futex(void *count)
{
	static const uint32_t owners[] = { 0, 1, 0xffffffff, 0x3fffffff, 0x80000000 };

	for (int i = 0; !is_over; i++) {
		unsigned int offset = i % 2 ? PAGE_BYTES - 4 : PAGE_BYTES - 20;
		uint32_t mutex[5] = { 2, 0, owners[i % 5], 1, (uint32_t)i % 4 };
		int operation = i % 3 ? FUTEX_WAIT : FUTEX_LOCK_PI;

		if (syscall(SYS_process_vm_writev, getpid(),
			    &(struct iovec){ mutex, i % 2 ? 4 : 20 }, 1,
			    &(struct iovec){ page + offset, i % 2 ? 4 : 20 }, 1, 0) < 0)
			continue;
		syscall(SYS_futex, page + offset, operation, 2,
			&(struct timespec){ .tv_nsec = 100000 });
		++*(long *)count;
	}
	return NULL;
}

static void *take_memory_away(void *count)
{
	while (!is_over) {
		mprotect(page, PAGE_BYTES, PROT_NONE);
		mprotect(page, PAGE_BYTES, PROT_READ | PROT_WRITE);
		madvise(page, PAGE_BYTES, MADV_DONTNEED);
		mmap(page, PAGE_BYTES, PROT_READ | PROT_WRITE,
		     MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0);
		++*(long *)count;
	}
	return NULL;
}

/* A thread that another one stops in a call sleeps with whatever registers that one gives it. */
static const unsigned long addresses[] = {
	0,	   1,	       KERNEL_ADDRESS, NON_CANONICAL, ~0ul, ~0ul << 32, 0x7ffffffffffful,
	SHARED_FD, 0x7fffffff,
};

static const long numbers[] = { SYS_futex, SYS_read, -1,	 SYS_io_uring_enter, 455,
				511,	   512,	     0x3fffffff, 0x40000000,	     SYS_epoll_wait,
				INT32_MIN, 100000 };

#define NR_OF(array) (sizeof(array) / sizeof((array)[0]))

static void spoil(pid_t child, unsigned int chance)
{
	struct user_regs_struct regs;

	if (ptrace(PTRACE_GETREGS, child, NULL, &regs))
		die("PTRACE_GETREGS");
	regs.orig_rax = (unsigned long)numbers[chance % NR_OF(numbers)];
	regs.rdi = addresses[chance / 12 % NR_OF(addresses)];
	regs.rsi = chance / 108 % 2 ? FUTEX_LOCK_PI : FUTEX_WAIT;
	regs.rdx = 2;
	if (ptrace(PTRACE_SETREGS, child, NULL, &regs))
		die("PTRACE_SETREGS");
}

/* Spoilt at the exit from each call; the next stop is the entry of another, so once more at that, which then fails. */
static long spoil_calls(double seconds)
{
	struct timespec from, now;
	pid_t child = fork();
	int status;
	long nr = 0;

	if (!child) {
		ptrace(PTRACE_TRACEME, 0, NULL, NULL);
		raise(SIGSTOP);
		for (;;)
			syscall(SYS_getppid);
	}
	clock_gettime(CLOCK_MONOTONIC, &from);
	do {
		if (waitpid(child, &status, 0) != child || !WIFSTOPPED(status))
			die("the child");
		/* What is set at the entry is what it sleeps with at the exit: all have to come there. */
		spoil(child, (unsigned int)(nr / 2 * 7));
		/* A stop within a stop: it sleeps with these registers. */
		if (ptrace(PTRACE_SYSCALL, child, NULL, NULL))
			die("PTRACE_SYSCALL");
		nr++;
		clock_gettime(CLOCK_MONOTONIC, &now);
	} while ((double)(now.tv_sec - from.tv_sec) + (double)(now.tv_nsec - from.tv_nsec) / 1e9 <
		 seconds);
	kill(child, SIGKILL);
	waitpid(child, NULL, 0);
	return nr;
}

int main(int argc, char **argv)
{
	static struct {
		const char *name;
		void *(*run)(void *);
		long count;
		pthread_t thread;
	} attacks[] = {
		{ .name = "reads", .run = read_shared },
		{ .name = "replaced", .run = replace_shared },
		{ .name = "renamed", .run = rename_file },
		{ .name = "locks", .run = lock_file },
		{ .name = "locks2", .run = lock_file },
		{ .name = "futexes", .run = wait_on_futex },
		{ .name = "memory", .run = take_memory_away },
	};
	double seconds = argc > 1 ? atof(argv[1]) : 3;
	bool failed;
	long spoilt;

	sigaction(SIGALRM, &(struct sigaction){ .sa_handler = nothing }, NULL);
	page = mmap(NULL, 2 * PAGE_BYTES, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1,
		    0);
	if (page == MAP_FAILED || munmap(page + PAGE_BYTES, PAGE_BYTES))
		die("mmap");
	spoilt = spoil_calls(seconds / 2);
	failed = spoilt < 100;
	printf("spoilt %ld\n", spoilt);
	for (size_t i = 0; i < NR_OF(attacks); i++) {
		if (pthread_create(&attacks[i].thread, NULL, attacks[i].run, &attacks[i].count))
			die("pthread_create");
		if (!i)
			reader = attacks[0].thread;
	}
	for (double at = 0; at < seconds; at += 0.1)
		nap(100000000);
	is_over = true;
	/* The reader may sleep for good. */
	for (size_t i = 1; i < NR_OF(attacks); i++)
		pthread_join(attacks[i].thread, NULL);
	for (size_t i = 0; i < NR_OF(attacks); i++) {
		printf("%s %ld\n", attacks[i].name, attacks[i].count);
		failed |= attacks[i].count < 10;
	}
	return failed;
}
