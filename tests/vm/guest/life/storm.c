// SPDX-License-Identifier: GPL-2.0
/*
 * What comes too fast and at the wrong moment, in a guest whose /dev/annot may come and go.
 *
 *	storm churn MILLISECONDS [fail]	processes that annotate, in each way, fork, execute, end or are
 *					killed at any moment; with `fail` their allocations may fail
 *	storm annotate			annotates a little by the library
 *	storm nth			prints TAP: of what is asked of the module, one allocation after
 *					the other fails: ENOMEM (Not of loading it: of that the kernel
 *					itself gives a WARNING.)
 */
#include <linux/perf_event.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>

#include <annot/annot.h>

#include "ring.h"

#define NR_AT_ONCE 4
#define NR_NTH_MAX 5000

static uint64_t random_state = 88172645463325252ull;
static bool fails;
static int nr_cpus;

static uint64_t draw(void)
{
	random_state ^= random_state << 13;
	random_state ^= random_state >> 7;
	random_state ^= random_state << 17;
	return random_state;
}

/* --- allocations that fail */

/* Those of this thread, from now on. To begin or end that may fail itself, for lack of memory. */
static void let_fail(bool on)
{
	int fd = -1;

	if (!fails)
		return;
	for (int i = 0; i < 1000 && fd < 0; i++)
		fd = open("/proc/thread-self/make-it-fail", O_WRONLY | O_CLOEXEC);
	if (fd < 0 || write(fd, on ? "1" : "0", 1) != 1)
		die("make-it-fail");
	close(fd);
}

/* Not in the midst: the kernel warns where it finds no memory for the place of the child's stack. */
static pid_t fork_whole(void)
{
	pid_t pid;

	let_fail(false);
	pid = fork();
	let_fail(true);
	return pid;
}

static int start_thread(pthread_t *thread, void *(*run)(void *), void *argument)
{
	int error;

	let_fail(false);
	error = pthread_create(thread, NULL, run, argument);
	let_fail(true);
	return error;
}

/* --- processes that annotate */

static void *annotate_by_library(void *argument)
{
	long nr = (long)(intptr_t)argument;

	for (long i = 0; i < nr; i++) {
		annot_begin_value("storm", i);
		annot_mark("in it");
		annot_end();
	}
	return NULL;
}

static void *annotate_in_thread(void *argument)
{
	let_fail(true);
	return annotate_by_library(argument);
}

static void two_threads(void)
{
	pthread_t thread;

	if (start_thread(&thread, annotate_in_thread, (void *)(intptr_t)300))
		return;
	annotate_by_library((void *)(intptr_t)300);
	pthread_join(thread, NULL);
}

/* By the bare ABI, as far as there is one. */
static void annotate_in_ring(void)
{
	struct ring ring;
	char path[32];
	long name;
	void *map;

	snprintf(path, sizeof(path), "/dev/annot/cpu%d", (int)(draw() % nr_cpus));
	ring.fd = open(path, O_RDWR | O_CLOEXEC);
	if (ring.fd < 0)
		return;
	map = mmap(NULL, map_bytes(), PROT_READ | PROT_WRITE, MAP_SHARED, ring.fd, 0);
	name = name_id(ring.fd, "raw", 3);
	if (map == MAP_FAILED || name < 0)
		return;
	ring.shared = map;
	ring.records = (void *)((char *)map + PAGE_BYTES);
	for (long i = 0; i < 1000; i++) {
		if (ring.shared->head == ring.shared->limit && ioctl(ring.fd, ANNOT_IOC_DRAIN))
			usleep(100);
		else
			put_record(&ring, 0, ANNOT_OP_COUNTER, (uint32_t)name, 0, i);
	}
	if (draw() % 2)
		munmap(map, map_bytes());
}

static void annotate_by_write(void)
{
	static const char text[] = "B work 1\nC count 2\nE\n";
	int fd = open("/dev/annot/cpu0", O_WRONLY | O_CLOEXEC);

	for (int i = 0; i < 100 && write(fd, text, sizeof(text) - 1) > 0; i++)
		;
}

static void fork_on(int generations)
{
	annotate_by_library((void *)(intptr_t)20);
	for (int i = 0; generations && i < 2; i++) {
		if (!fork_whole()) {
			fork_on(generations - 1);
			_exit(0);
		}
	}
	annotate_by_library((void *)(intptr_t)20);
}

static void *execute(void *argument)
{
	char *const arguments[] = { "storm", "annotate", NULL };

	let_fail(true);
	annotate_by_library(argument);
	execv("/proc/self/exe", arguments);
	return NULL;
}

static void execute_from_thread(void)
{
	pthread_t thread;

	if (!start_thread(&thread, execute, (void *)(intptr_t)50))
		annotate_by_library((void *)(intptr_t)100000);
}

static __attribute__((noreturn)) void live(void)
{
	setsid();
	let_fail(true);
	switch (draw() % 6) {
	case 0:
		two_threads();
		break;
	case 1:
		annotate_in_ring();
		break;
	case 2:
		annotate_by_write();
		break;
	case 3:
		fork_on(3);
		break;
	case 4:
		execute((void *)(intptr_t)50);
		break;
	default:
		execute_from_thread();
	}
	_exit(0);
}

static uint64_t now_ms(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (uint64_t)now.tv_sec * 1000 + (uint64_t)now.tv_nsec / 1000000;
}

static void churn(uint64_t ms)
{
	pid_t pids[NR_AT_ONCE] = { 0 };
	uint64_t end = now_ms() + ms;
	long nr = 0;

	prctl(PR_SET_CHILD_SUBREAPER, 1);
	random_state ^= (uint64_t)getpid() << 32 ^ now_ms();
	while (now_ms() < end) {
		pid_t *pid = &pids[nr % NR_AT_ONCE];

		/* The session of the one before, if it has not ended, and what it made. */
		if (*pid > 0)
			kill(-*pid, SIGKILL);
		draw();
		*pid = fork();
		if (!*pid)
			live();
		usleep(draw() % (5000 * slowdown()));
		while (waitpid(-1, NULL, WNOHANG) > 0)
			;
		nr++;
	}
	for (int i = 0; i < NR_AT_ONCE; i++) {
		if (pids[i] > 0)
			kill(-pids[i], SIGKILL);
	}
	while (waitpid(-1, NULL, 0) > 0)
		;
	printf("# %ld processes, and what they made\n", nr);
}

/* --- one allocation after the other */

static int try_open(void)
{
	return open("/dev/annot/cpu0", O_RDWR) < 0 ? -1 : 0;
}

static int opened = -1;

static int try_map(void)
{
	/* The second page is in another table of pages, which may be what fails. */
	char *at = (char *)(0x200000000000ull + (2 << 20)) - PAGE_BYTES;

	return mmap(at, map_bytes(), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED_NOREPLACE,
		    opened, 0) == MAP_FAILED ?
		       -1 :
		       0;
}

static int try_name(void)
{
	struct annot_name name = { .text = (uintptr_t) "a name", .length_bytes = 6 };

	return ioctl(opened, ANNOT_IOC_NAME, &name);
}

static int try_drain(void)
{
	return ioctl(opened, ANNOT_IOC_DRAIN);
}

static int try_call(void)
{
	const struct annot_record record = { .op = ANNOT_OP_END };

	return ioctl(opened, ANNOT_IOC_RECORD, &record) < 0 ? -1 : 0;
}

static int try_write(void)
{
	static char text[4096];
	size_t length = 0;

	while (length < sizeof(text) - 64)
		length += (size_t)sprintf(text + length, "I \"mark number %zu\" 3\n", length);
	return write(opened, text, length) < 0 ? -1 : 0;
}

static int try_events(void)
{
	struct annot_event event[2] = {
		{ .type = PERF_TYPE_SOFTWARE,
		  .config = PERF_COUNT_SW_PAGE_FAULTS,
		  .period = 10,
		  .flags = 3,
		  .name = "sampled" },
		{ .type = PERF_TYPE_SOFTWARE,
		  .config = PERF_COUNT_SW_PAGE_FAULTS,
		  .flags = 3,
		  .mode = ANNOT_EVENT_COUNT,
		  .name = "counted" },
	};
	struct annot_events head = { .events = (uintptr_t)event, .nr = 2 };
	int fd = open("/dev/annot/ctl", O_RDONLY);

	return fd < 0 ? -1 : ioctl(fd, ANNOT_IOC_EVENTS, &head);
}

static int try_enable(void)
{
	int fd = open(TRACEFS "events/annot/enable", O_WRONLY);

	return fd < 0 ? -1 : write(fd, "1", 1) == 1 ? 0 : -1;
}

static const struct {
	const char *name;
	int (*try)(void);
	bool records; /* while recording */
} tries[] = {
	{ "opening", try_open, false },		 { "mapping a ring", try_map, false },
	{ "naming", try_name, false },		 { "mapping a ring, recorded", try_map, true },
	{ "naming, recorded", try_name, true },	 { "draining, recorded", try_drain, true },
	{ "a call, recorded", try_call, true },	 { "writing, recorded", try_write, true },
	{ "setting events", try_events, false }, { "enabling events", try_enable, false },
};

/* Return: what the child saw: 0, or errno, and 256 if the allocation was reached and failed. */
static int try_with_failure(int (*try)(void), int nth)
{
	int ends[2], result = 0, fd;
	char text[16];
	pid_t pid;

	if (pipe(ends))
		die("pipe");
	pid = fork();
	if (!pid) {
		opened = open("/dev/annot/cpu0", O_RDWR);
		fd = open("/proc/thread-self/fail-nth", O_RDWR);
		snprintf(text, sizeof(text), "%d", nth);
		if (fd < 0 || write(fd, text, strlen(text)) < 0)
			die("fail-nth");
		errno = 0;
		result = try() < 0 ? errno : 0;
		if (pread(fd, text, sizeof(text), 0) > 0 && atoi(text) == 0)
			result += 256;
		if (write(fd, "0", 1) < 0 || write(ends[1], &result, sizeof(result)) < 0)
			die("fail-nth");
		_exit(0);
	}
	close(ends[1]);
	if (read(ends[0], &result, sizeof(result)) != sizeof(result))
		result = -1;
	close(ends[0]);
	waitpid(pid, NULL, 0);
	return result;
}

static void one_after_the_other(size_t which)
{
	bool well = true;
	int nth, failed = 0, survived = 0;

	record_as(tries[which].records);
	for (nth = 1; nth < NR_NTH_MAX; nth++) {
		int result = try_with_failure(tries[which].try, nth);

		enable("annot", tries[which].records);
		if (result < 256) {
			well = well && result == 0;
			if (result)
				printf("# the %d. is not reached, and yet: %d\n", nth, result);
			break;
		}
		if (result == 256)
			survived++;
		else if (result == 256 + ENOMEM)
			failed++;
		else
			well = false;
		if (result != 256 && result != 256 + ENOMEM)
			printf("# without the %d. allocation: %s\n", nth, strerror(result - 256));
	}
	printf("# %s: %d allocations, without %d of them ENOMEM\n", tries[which].name, nth - 1,
	       failed);
	check(well && nth < NR_NTH_MAX, "%s: any allocation may fail", tries[which].name);
}

int main(int argc, char **argv)
{
	nr_cpus = (int)sysconf(_SC_NPROCESSORS_CONF);
	if (argc >= 3 && !strcmp(argv[1], "churn")) {
		fails = argc > 3;
		if (!access("/sys/module/annot", F_OK))
			ring_bytes();
		churn(strtoull(argv[2], NULL, 0));
	} else if (argc == 2 && !strcmp(argv[1], "annotate")) {
		annotate_by_library((void *)(intptr_t)100);
	} else if (argc == 2 && !strcmp(argv[1], "nth")) {
		ring_bytes();
		/* The kernel's own probes for it are missed where they could not be put in. */
		set(TRACEFS "options/record-cmd", "0");
		for (size_t i = 0; i < sizeof(tries) / sizeof(tries[0]); i++)
			one_after_the_other(i);
	} else {
		return 2;
	}
	return all_well ? 0 : 1;
}
