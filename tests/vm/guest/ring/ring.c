// SPDX-License-Identifier: GPL-2.0
/*
 * The rings of /dev/annot/cpuN, by the bare ABI, in a guest with two CPUs that has annot.ko loaded.
 *
 *	ring check	prints TAP
 *	ring hold	maps the rings of both CPUs, annotates, says so, and stays until it is killed
 */
#include <linux/sched.h>
#include <pthread.h>
#include <signal.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>

#include "ring.h"
#include "switches.h"

#define NR 100 /* records of one slice: less than a ring holds */

static volatile int *flags; /* shared with children */

static void spin_until(volatile int *flag)
{
	while (!*flag)
		;
}

static void spin_ns(uint64_t ns)
{
	struct timespec begin, now;

	clock_gettime(CLOCK_MONOTONIC, &begin);
	do
		clock_gettime(CLOCK_MONOTONIC, &now);
	while ((now.tv_sec - begin.tv_sec) * 1000000000ull + now.tv_nsec - begin.tv_nsec < ns);
}

/* NR records of all kinds; what they must look like is in check_mix(). */
static void put_mix(const struct ring *ring, int nr)
{
	uint32_t work = name_of(ring, "work"), wait = name_of(ring, "wait for it");
	uint32_t mark = name_of(ring, "mark"), depth = name_of(ring, "depth");

	for (int i = 0; i < nr; i += 5) {
		put(ring, ANNOT_OP_BEGIN, work, i);
		put_at(ring, 0, ANNOT_OP_MARK, mark, 0, 77);
		put(ring, ANNOT_OP_COUNTER, depth, -i);
		put(ring, ANNOT_OP_END, 0, 0);
		put(ring, ANNOT_OP_WAIT_BEGIN, wait, i);
	}
}

static bool next_is(size_t *at, int pid, const char *format, int value)
{
	char want[80];

	while (*at < nr_seen && seen[*at].pid != pid)
		++*at;
	snprintf(want, sizeof(want), format, value);
	if (*at < nr_seen && !strcmp(seen[*at].line, want)) {
		++*at;
		return true;
	}
	printf("# annotation %zu of %zu: wanted '%s', got '%s'\n", *at, nr_seen, want,
	       *at < nr_seen ? seen[*at].line : "none");
	return false;
}

/* What @pid wrote with put_mix(), wherever other threads' stand, and nothing else of it. */
static bool is_mix(int pid, int nr)
{
	size_t at = 0, of_pid = 0;

	for (int i = 0; i < nr; i += 5) {
		if (!next_is(&at, pid, "B work %d", i) ||
		    !next_is(&at, pid, "I mark 0 (none)", i) ||
		    !next_is(&at, pid, "C depth %d", -i) || !next_is(&at, pid, "E", 0) ||
		    !next_is(&at, pid, "W wait for it %d", i))
			return false;
	}
	for (size_t i = 0; i < nr_seen; i++)
		of_pid += seen[i].pid == pid;
	if (of_pid != (size_t)nr)
		printf("# %zu annotations of %d\n", of_pid, pid);
	return of_pid == (size_t)nr;
}

static void check_mix(int pid, int nr, const char *what)
{
	bool well;

	collect();
	well = is_mix(pid, nr) && nr_seen == (size_t)nr;
	if (!well)
		show_seen();
	check(well, "%s", what);
}

/*
 * NULL: none. What tells of the recording comes when the kernel has time for it, and what tells of threads that fall
 * asleep whenever one does.
 */
static char *find_annotation(char *text)
{
	while ((text = strstr(text, ": annot_")) &&
	       (!strncmp(text, ": annot_config", 14) || !strncmp(text, ": annot_blocked", 15)))
		text++;
	return text;
}

/* The records stand before the switch by which the thread went to sleep; others may come at any time. */
static bool before_the_switch(int pid)
{
	char next[80], *at, *ended;

	snprintf(next, sizeof(next), "prev_comm=ring prev_pid=%d prev_prio=120 prev_state=S ", pid);
	read_trace();
	at = find_annotation(trace_text);
	ended = at ? strstr(at, next) : NULL;
	if (ended && !find_annotation(ended))
		return true;
	show_trace();
	return false;
}

static void check_switch(void)
{
	struct ring ring;

	stay_on(0);
	map_ring(&ring, 0);
	enable("sched/sched_switch", true);
	leave_cpu();
	set(TRACEFS "trace", "");
	put_mix(&ring, NR);
	be_switched_away(&ring);
	enable("sched/sched_switch", false);
	check(before_the_switch(getpid()), "annotations stand before the switch of their thread");
	check_mix(getpid(), NR, "a switch drains the ring, in order");
	unmap_ring(&ring);
}

static void check_full(bool batches)
{
	int nr = ring_bytes() / sizeof(struct annot_record) * 5;
	struct ring ring;

	map_ring(&ring, 0);
	put_mix(&ring, nr);
	ioctl(ring.fd, ANNOT_IOC_DRAIN);
	check_mix(getpid(), nr, "five times what a ring holds: all of it arrives");
	check(ring.shared->limit == ring.shared->head + (batches ? ring_bytes() : 0),
	      batches ? "and the ring is empty afterwards" : "by write(): the ring is closed");

	put(&ring, ANNOT_OP_BEGIN, name_of(&ring, "first"), 1);
	put(&ring, ANNOT_OP_NEXT, name_of(&ring, "second"), 2);
	if (write(ring.fd, "E\nI text 3\n", 11) != 11)
		die("write");
	collect();
	check(nr_seen == 5 && !strcmp(seen[0].line, "B first 1") && !strcmp(seen[1].line, "E") &&
		      !strcmp(seen[2].line, "B second 2") && seen[1].tgid == getpid() &&
		      !strcmp(seen[3].line, "E") && !strcmp(seen[4].line, "I text 3") &&
		      !seen[4].ago_ns && !!seen[2].ago_ns == batches,
	      "a text comes after what is in the ring; next is end and begin");
	unmap_ring(&ring);
}

/* --- how a thread may leave */

struct thread {
	pthread_t id;
	pid_t tid;
	int cpu;
	struct ring ring;
};

static void *annotate_and_return(void *argument)
{
	struct thread *thread = argument;

	thread->tid = gettid();
	stay_on(thread->cpu);
	map_ring(&thread->ring, thread->cpu);
	put_mix(&thread->ring, NR);
	return NULL;
}

static void check_threads(void)
{
	struct thread threads[2] = { { .cpu = 0 }, { .cpu = 1 } };
	bool well;

	for (int i = 0; i < 2; i++)
		pthread_create(&threads[i].id, NULL, annotate_and_return, &threads[i]);
	for (int i = 0; i < 2; i++)
		join(threads[i].id, &threads[i].tid);
	collect();
	well = is_mix(threads[0].tid, NR) && is_mix(threads[1].tid, NR) && nr_seen == 2 * NR;
	if (!well)
		show_seen();
	check(well, "threads that exit leave nothing behind");
	for (int i = 0; i < 2; i++)
		unmap_ring(&threads[i].ring);
}

static void leave_by_exit(struct ring *ring)
{
	(void)ring;
	_exit(0);
}

static void leave_by_exec(struct ring *ring)
{
	(void)ring;
	execl("/bin/true", "true", NULL);
}

static void leave_by_munmap(struct ring *ring)
{
	unmap_ring(ring);
	raise(SIGKILL);
}

static void leave_by_fault(struct ring *ring)
{
	static volatile int *volatile nowhere;

	(void)ring;
	*nowhere = 0;
}

static void wait_and_spin(struct ring *ring)
{
	(void)ring;
	flags[0] = 1;
	for (;;)
		;
}

/* A child on CPU 1 annotates and leaves. Returns its pid, at once. */
static pid_t leave(void (*how)(struct ring *ring))
{
	pid_t child;

	flags[0] = 0;
	fflush(stdout);
	child = fork();
	if (!child) {
		struct ring ring;

		stay_on(1);
		map_ring(&ring, 1);
		put_mix(&ring, NR);
		how(&ring);
		_exit(1);
	}
	return child;
}

static void check_leaving(void)
{
	static const struct {
		void (*how)(struct ring *ring);
		const char *name;
	} ways[] = {
		{ leave_by_exit, "exit" },
		{ leave_by_exec, "exec" },
		{ leave_by_munmap, "munmap" },
		{ leave_by_fault, "a segmentation fault" },
	};
	pid_t child;

	for (size_t i = 0; i < sizeof(ways) / sizeof(ways[0]); i++) {
		char what[80];

		child = leave(ways[i].how);
		waitpid(child, NULL, 0);
		snprintf(what, sizeof(what), "%s leaves nothing behind", ways[i].name);
		check_mix(child, NR, what);
	}
	child = leave(wait_and_spin);
	spin_until(&flags[0]);
	kill(child, SIGKILL);
	waitpid(child, NULL, 0);
	check_mix(child, NR, "nor does SIGKILL");

	child = leave(wait_and_spin);
	spin_until(&flags[0]);
	set("/sys/devices/system/cpu/cpu1/online", "0");
	check_mix(child, NR, "nor its CPU going offline");
	kill(child, SIGKILL);
	waitpid(child, NULL, 0);
	set("/sys/devices/system/cpu/cpu1/online", "1");
}

static void check_disabling(bool batches)
{
	pid_t child = leave(wait_and_spin);

	spin_until(&flags[0]);
	enable("annot", false);
	check_mix(child, NR, "disabling the events drains what runs");
	kill(child, SIGKILL);
	waitpid(child, NULL, 0);
	record_as(batches);
}

/* --- what is refused */

static int map_errno(size_t bytes, int prot, int kind, off_t offset)
{
	int fd = open_cpu(0);
	void *map = mmap(NULL, bytes, prot, kind, fd, offset);
	int err = map == MAP_FAILED ? errno : 0;

	if (!err)
		munmap(map, bytes);
	close(fd);
	return err;
}

static bool child_sees(const struct ring *ring)
{
	int status;
	pid_t child;

	fflush(stdout);
	child = fork();
	if (!child) {
		signal(SIGSEGV, SIG_DFL);
		ring->shared->head = 32;
		_exit(0);
	}
	waitpid(child, &status, 0);
	return !(WIFSIGNALED(status) && WTERMSIG(status) == SIGSEGV);
}

static void check_maps(void)
{
	const int rw = PROT_READ | PROT_WRITE;
	size_t bytes = map_bytes();
	char *map, *elsewhere;
	struct ring ring;

	stay_on(0);
	check(map_errno(bytes - PAGE_BYTES, rw, MAP_SHARED, 0) == EINVAL &&
		      map_errno(bytes + PAGE_BYTES, rw, MAP_SHARED, 0) == EINVAL &&
		      map_errno(bytes, rw, MAP_SHARED, PAGE_BYTES) == EINVAL,
	      "a ring is mapped whole, from offset 0");
	check(map_errno(bytes, rw, MAP_PRIVATE, 0) == EINVAL &&
		      map_errno(bytes, PROT_READ, MAP_SHARED, 0) == EINVAL,
	      "shared, readable and writable");
	map_ring(&ring, 0);
	check(map_errno(bytes, rw, MAP_SHARED, 0) == EBUSY, "and once");
	map = (char *)ring.shared;
	check(munmap(map + PAGE_BYTES, PAGE_BYTES) && errno == EINVAL &&
		      mprotect(map, PAGE_BYTES, PROT_READ) && errno == EINVAL,
	      "it is not unmapped or protected in part");
	elsewhere = mmap(NULL, bytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	check(mremap(map, bytes, bytes, MREMAP_MAYMOVE | MREMAP_FIXED, elsewhere) == MAP_FAILED &&
		      mremap(map, bytes, 2 * bytes, MREMAP_MAYMOVE) == MAP_FAILED &&
		      mremap(map, 0, bytes, MREMAP_MAYMOVE) == MAP_FAILED,
	      "not moved, grown or doubled");
	check(!child_sees(&ring), "not inherited by a child");
	check(madvise(map, bytes, MADV_DOFORK) && !child_sees(&ring), "not by MADV_DOFORK either");
	madvise(map, bytes, MADV_DONTNEED);
	put_mix(&ring, NR);
	be_switched_away(&ring);
	check_mix(getpid(), NR, "it works after all that");
	unmap_ring(&ring);
	map_ring(&ring, 0);
	check(ring.shared->head == 0 && ring.shared->limit == 0 &&
		      ring.shared->mask == ring_bytes() - 1,
	      "mapped once more, it is a new one");
	unmap_ring(&ring);
}

static int check_names(void)
{
	static char long_name[300];
	int fd = open_cpu(0);
	struct annot_name name = { .text = 8, .length_bytes = 3 };
	long first = name_id(fd, "one", 3), id = 0;
	int nr;

	memset(long_name, 'x', sizeof(long_name));
	check(first > 0 && name_id(fd, "one more", 3) == first && name_id(fd, "two", 3) > 0 &&
		      name_id(fd, "two", 3) != first,
	      "the same name, the same id");
	check(name_id(fd, "", 0) == -EINVAL && name_id(fd, "a\nb", 3) == -EINVAL &&
		      name_id(fd, "a\x7f", 2) == -EINVAL && name_id(fd, "a", 2) == -EINVAL &&
		      name_id(fd, long_name, 256) == -EINVAL && name_id(fd, long_name, 255) > 0,
	      "names that are empty, too long, or hold control characters are EINVAL");
	check(ioctl(fd, ANNOT_IOC_NAME, &name) && errno == EFAULT && ioctl(fd, ANNOT_IOC_NAME, 8) &&
		      errno == EFAULT,
	      "EFAULT");
	check(ioctl(fd, _IO('@', 0xaf)) && errno == ENOTTY, "other ioctls are ENOTTY");
	for (nr = 0; nr < 70000 && id >= 0; nr++) {
		char text[16];

		id = name_id(fd, text, snprintf(text, sizeof(text), "n%d", nr));
	}
	printf("# %d names fit\n", nr);
	check(id == -ENOSPC && nr > 10000 && name_id(fd, "one", 3) == first,
	      "a process has as many names as fit, and keeps those that it has");
	return all_well ? 0 : 1;
}

/* As a process of its own has them. */
static void check_names_in_child(void)
{
	int status;
	pid_t child;

	fflush(stdout);
	child = fork();
	if (!child)
		_exit(check_names());
	waitpid(child, &status, 0);
	all_well = all_well && !status;
}

/* --- true times */

#define NR_TIMES 9

static uint64_t clock_ns(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return now.tv_sec * 1000000000ull + now.tv_nsec;
}

/*
 * Where the machine stands still between reading the two clocks, it is within the time and not
 * within the ticks: the most is the truest.
 */
static double ticks_per_us(void)
{
	double most = 0;

	for (int i = 0; i < NR_TIMES; i++) {
		uint64_t begin_ns = clock_ns(), begin = read_ticks(), ticks;
		double rate;

		spin_ns(20000000);
		ticks = read_ticks() - begin;
		rate = ticks * 1e3 / (clock_ns() - begin_ns);
		if (rate > most)
			most = rate;
	}
	return most;
}

static int by_size(const void *left, const void *right)
{
	double difference = *(const double *)left - *(const double *)right;

	return (difference > 0) - (difference < 0);
}

/*
 * Two marks, 3 ms apart, and a text when they are drained, 2 ms later. Returns how much they are
 * further apart by the trace's clock than by our own.
 */
static double put_three(const struct ring *ring, uint32_t name, double trace_unit, double rate)
{
	uint64_t at[3];
	double wrong = 0;

	leave_cpu();
	set(TRACEFS "trace", "");
	for (int i = 0; i < 2; i++) {
		at[i] = read_ticks();
		put_at(ring, at[i], ANNOT_OP_MARK, name, 0, 0);
		spin_ns(3000000 - i * 1000000);
	}
	at[2] = read_ticks();
	if (write(ring->fd, "I text", 6) != 6)
		die("write");
	collect();
	if (nr_seen != 3 || seen[2].ago_ns) {
		printf("# not three marks, of which the last is new\n");
		show_seen();
		return 1e9;
	}
	for (int i = 0; i < 2; i++) {
		double trace_us = (seen[i + 1].time_us - seen[i].time_us) / trace_unit -
				  ((double)seen[i + 1].ago_ns - (double)seen[i].ago_ns) / 1e3;
		double difference = trace_us - (at[i + 1] - at[i]) / rate;

		wrong += difference < 0 ? -difference : difference;
	}
	return wrong;
}

/*
 * An emulated machine may stand still for milliseconds anywhere, even between the kernel's reading
 * of the trace's clock and of ours; on a busy one that is so more often than not. But what is wrong
 * is wrong each time: the least tells, and the median that it is no accident.
 */
static void check_ago(const char *clock)
{
	double rate = ticks_per_us(), trace_unit = strcmp(clock, "x86-tsc") ? 1 : rate;
	double wrong[NR_TIMES];
	struct ring ring;
	uint32_t name;

	set(TRACEFS "trace_clock", clock);
	map_ring(&ring, 0);
	name = name_of(&ring, "now");
	for (int i = 0; i < NR_TIMES; i++)
		wrong[i] = put_three(&ring, name, trace_unit, rate);
	qsort(wrong, NR_TIMES, sizeof(wrong[0]), by_size);
	printf("# clock %s: off by %.1f to %.1f us, median %.1f\n", clock, wrong[0],
	       wrong[NR_TIMES - 1], wrong[NR_TIMES / 2]);
	check(wrong[0] < 200 * slowdown() && wrong[NR_TIMES / 2] < 1000 * slowdown(),
	      "true times with the trace clock %s", clock);
	unmap_ring(&ring);
	set(TRACEFS "trace_clock", "local");
}

/* What was written while nobody recorded does not turn up in the next recording. */
static void check_left_over(bool batches)
{
	struct ring ring;

	stay_on(0);
	map_ring(&ring, 0);
	enable("annot", false);
	usleep(20000);
	put_mix(&ring, NR / 2);
	nr_names = 0; /* the new recording is to tell them */
	record_as(batches);
	leave_cpu();
	put_mix(&ring, NR);
	be_switched_away(&ring);
	check_mix(getpid(), NR, "records written outside a recording are dropped");
	unmap_ring(&ring);
}

static void check_all(bool batches)
{
	printf("# %s\n", batches ? "in batches" : "one by one");
	record_as(batches);
	check_switch();
	check_full(batches);
	check_threads();
	check_leaving();
	check_disabling(batches);
	check_left_over(batches);
	check_ago("local");
	check_ago("mono");
#ifdef __x86_64__
	check_ago("x86-tsc");
#endif
}

static __attribute__((noreturn)) void hold(void)
{
	struct ring rings[2];

	for (int cpu = 0; cpu < 2; cpu++) {
		stay_on(cpu);
		map_ring(&rings[cpu], cpu);
		put_mix(&rings[cpu], NR);
		close(rings[cpu].fd);
	}
	puts("held");
	fflush(stdout);
	for (;;)
		pause();
}

int main(int argc, char **argv)
{
	if (argc == 2 && !strcmp(argv[1], "hold"))
		hold();
	if (argc != 2 || strcmp(argv[1], "check")) {
		fprintf(stderr, "usage: ring check | hold\n");
		return 2;
	}
	flags = mmap(NULL, PAGE_BYTES, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	if (flags == MAP_FAILED)
		die("mmap");
	set(TRACEFS "tracing_on", "1");
	check_all(false);
	check_maps();
	check_names_in_child();
	check_all(true);
	enable("annot", false);
	return all_well ? 0 : 1;
}
