// SPDX-License-Identifier: GPL-2.0
/*
 * Slots and the four metrics of level 1, which the kernel counts as a group of events, of loops whose slots are known. On the Ice
 * Lake of tests/vm/pebs-qemu, whose README.md has the model, with one CPU and a last-level cache of 1 MiB. Prints TAP.
 */
#include <errno.h>
#include <linux/perf_event.h>
#include <math.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

/* The model: each instruction takes a cycle, and a load that no cache has this many more. */
#define SLOTS_OF_CYCLE 5
#define STALL_OF_MISS (230 - 4)

#define PAGE_BYTES 4096
#define LINE_BYTES 64
#define HUGE_PAGE_BYTES ((size_t)2 << 20) /* two of them are always in the TLB */
#define MEMORY_BYTES (2 * HUGE_PAGE_BYTES) /* four times the cache */
#define SAMPLES_BYTES ((size_t)16 * PAGE_BYTES)
#define WITHIN 0.02
#define WITHIN_COUNTERS 0.001

enum {
	SLOTS,
	RETIRING,
	BAD_SPEC,
	FE_BOUND,
	BE_BOUND,
	NR_EVENTS
};

static const char *const names[NR_EVENTS] = { "slots", "retiring", "bad speculation",
					      "front-end bound", "back-end bound" };
static const uint64_t configs[NR_EVENTS] = { 0x0400, 0x8000, 0x8100, 0x8200, 0x8300 };
/* The same by general counters; 0: there is none */
static const uint64_t counter_configs[NR_EVENTS] = { 0x01a4, 0x02c2, 0, 0x019c, 0x02a4 };
/* Of four instructions */
static const double slots_of_4[NR_EVENTS] = { 20, 11, 2, 3, 4 };

/* What read(2) gives of a group. */
struct counts {
	uint64_t nr;
	uint64_t enabled_ns;
	uint64_t running_ns;
	uint64_t values[NR_EVENTS];
};

struct loop {
	const char *name;
	/* First so many pairs of instructions without a miss, then misses with pairs of instructions after each. */
	uint64_t pairs;
	uint64_t misses;
	uint64_t pairs_of_miss;
	int metric_steps; /* of 1/255, by which metrics may be off */
};

struct worker {
	const struct loop *loop;
	struct counts counts;
	long switches;
};

static const struct loop plain = { "no misses", 10000000, 0, 0, 1 };
static const struct loop missing = { "misses alone", 0, 300000, 1, 1 };
static const struct loop mixed = { "misses and others", 0, 100000, 150, 1 };
/* Of what changes, the kernel keeps 8 bits whenever the thread is switched away. */
static const struct loop changing = { "no misses at first", 2000000, 20000, 150, 4 };

static char *memory;
static pthread_barrier_t both_ready;
static bool all_well = true;

static __attribute__((noreturn)) void die(const char *what)
{
	fprintf(stderr, "topdown_group: %s: %s\n", what, strerror(errno));
	exit(1);
}

static void check(bool is_well, const char *what, const char *name)
{
	printf("%sok - %s: %s\n", is_well ? "" : "not ", name, what);
	all_well = all_well && is_well;
}

static int open_event(uint64_t config, uint64_t period, bool of_kernel, int leader)
{
	struct perf_event_attr attr = {
		.size = sizeof(attr),
		.type = PERF_TYPE_RAW,
		.config = config,
		.sample_period = period,
		.sample_type = PERF_SAMPLE_IP,
		.read_format = PERF_FORMAT_GROUP | PERF_FORMAT_TOTAL_TIME_ENABLED |
			       PERF_FORMAT_TOTAL_TIME_RUNNING,
		.exclude_kernel = !of_kernel,
		.exclude_user = of_kernel,
	};
	int fd = (int)syscall(SYS_perf_event_open, &attr, 0, -1, leader, PERF_FLAG_FD_CLOEXEC);

	if (fd < 0)
		die("perf_event_open");
	return fd;
}

/* Of this thread */
static void open_group(int fds[NR_EVENTS], bool of_kernel)
{
	for (int i = 0; i < NR_EVENTS; i++)
		fds[i] = open_event(configs[i], 0, of_kernel, i ? fds[SLOTS] : -1);
}

static void close_group(const int fds[NR_EVENTS])
{
	for (int i = NR_EVENTS - 1; i >= 0; i--)
		close(fds[i]);
}

static struct counts read_group(int leader)
{
	struct counts counts = { 0 };

	if (read(leader, &counts, sizeof(counts)) < 0)
		die("read");
	return counts;
}

static struct counts difference(struct counts after, const struct counts *before)
{
	after.enabled_ns -= before->enabled_ns;
	after.running_ns -= before->running_ns;
	for (int i = 0; i < NR_EVENTS; i++)
		after.values[i] -= before->values[i];
	return after;
}

/* Each line has the address of the next: no cache that throws the oldest out has it. */
static void make_chain(void)
{
	memory = aligned_alloc(HUGE_PAGE_BYTES, MEMORY_BYTES);
	if (!memory || madvise(memory, MEMORY_BYTES, MADV_HUGEPAGE))
		die("memory");
	for (size_t at = 0; at < MEMORY_BYTES; at += LINE_BYTES)
		*(void **)(memory + at) = memory + (at + LINE_BYTES) % MEMORY_BYTES;
}

static void run(const struct loop *loop)
{
	uint64_t pairs = loop->pairs, misses = loop->misses, left;
	void *at = memory;

	if (pairs)
		__asm__ volatile("1: dec %0\n\t"
				 "jnz 1b"
				 : "+r"(pairs)
				 :
				 : "cc");
	if (misses)
		__asm__ volatile("1: mov (%0), %0\n\t"
				 "mov %3, %2\n\t"
				 "2: dec %2\n\t"
				 "jnz 2b\n\t"
				 "dec %1\n\t"
				 "jnz 1b"
				 : "+r"(at), "+r"(misses), "=&r"(left)
				 : "r"(loop->pairs_of_miss)
				 : "cc", "memory");
}

static uint64_t instructions_of(const struct loop *loop)
{
	return 2 * loop->pairs + loop->misses * (4 + 2 * loop->pairs_of_miss);
}

static double truth(const struct loop *loop, int event)
{
	double slots = (double)instructions_of(loop) * slots_of_4[event] / 4;

	if (event == SLOTS || event == BE_BOUND)
		slots += (double)loop->misses * STALL_OF_MISS * SLOTS_OF_CYCLE;
	return slots;
}

/* A metric has 8 bits. */
static bool is_true(const struct counts *counts, const struct loop *loop, int event)
{
	double want = truth(loop, event), got = (double)counts->values[event];
	double slots = truth(loop, SLOTS), step = event == SLOTS ? 0 : slots / 255;

	printf("# %s: %s: %.0f, %.0f by the model; %.2f and %.2f %% of the slots\n", loop->name,
	       names[event], got, want, 100 * got / slots, 100 * want / slots);
	return fabs(got - want) <= WITHIN * want + loop->metric_steps * step;
}

static void check_counts(const struct counts *counts, const struct loop *loop, const char *what)
{
	bool is_well = counts->running_ns == counts->enabled_ns;

	for (int i = 0; i < NR_EVENTS; i++)
		is_well = is_true(counts, loop, i) && is_well;
	check(is_well, what, loop->name);
}

static struct counts count(const struct loop *loop, bool of_kernel)
{
	struct counts before, after;
	int fds[NR_EVENTS];

	open_group(fds, of_kernel);
	before = read_group(fds[SLOTS]);
	run(loop);
	after = read_group(fds[SLOTS]);
	close_group(fds);
	return difference(after, &before);
}

static void check_alone(const struct loop *loop)
{
	struct counts counts = count(loop, false);

	check_counts(&counts, loop, "slots and metrics are those of the model");
}

/* What interrupts the loop is little, and waits for memory more than a loop without misses does. */
static void check_sides(const struct loop *loop)
{
	struct counts counts = count(loop, true);
	double slots = (double)counts.values[SLOTS], bound = (double)counts.values[BE_BOUND];

	printf("# %s: %.0f slots of the kernel, of which %.0f are back-end bound\n", loop->name,
	       slots, bound);
	check(slots > 0 && slots < truth(loop, SLOTS) / 10 &&
		      bound / slots > 1.25 * truth(loop, BE_BOUND) / truth(loop, SLOTS),
	      "the kernel's are counted apart", loop->name);
}

/* Each by a counter of its own, and so without the error of 8 bits */
static void check_counters(const struct loop *loop)
{
	bool is_well = true;

	for (int i = 0; i < NR_EVENTS; i++) {
		double got, want = truth(loop, i);
		int fd;

		if (!counter_configs[i])
			continue;
		fd = open_event(counter_configs[i], 0, false, -1);
		run(loop);
		got = (double)read_group(fd).values[0];
		close(fd);
		printf("# %s: %s: %.0f, %.0f by the model\n", loop->name, names[i], got, want);
		is_well = is_well && fabs(got - want) < WITHIN_COUNTERS * want;
	}
	check(is_well, "general counters count the same slots", loop->name);
}

static void *work(void *argument)
{
	struct worker *worker = argument;
	struct rusage usage;

	pthread_barrier_wait(&both_ready);
	worker->counts = count(worker->loop, false);
	getrusage(RUSAGE_THREAD, &usage);
	worker->switches = usage.ru_nivcsw;
	return NULL;
}

/* The kernel saves and restores the counter and its metrics. */
static void check_in_turns(const struct loop *one, const struct loop *other)
{
	struct worker workers[] = { { .loop = one }, { .loop = other } };
	pthread_t threads[2];

	pthread_barrier_init(&both_ready, NULL, 2);
	for (int i = 0; i < 2; i++)
		if (pthread_create(&threads[i], NULL, work, &workers[i]))
			die("pthread_create");
	for (int i = 0; i < 2; i++) {
		pthread_join(threads[i], NULL);
		printf("# %s: switched away %ld times\n", workers[i].loop->name,
		       workers[i].switches);
		check(workers[i].switches > 1, "is switched away", workers[i].loop->name);
		check_counts(&workers[i].counts, workers[i].loop, "so they are beside another");
	}
}

/* Counter 3 overflows as others do. */
static void check_samples(const struct loop *loop)
{
	uint64_t period = (uint64_t)truth(loop, SLOTS) / 100, nr;
	int fd = open_event(configs[SLOTS], period, false, -1);
	struct perf_event_mmap_page *page = mmap(NULL, PAGE_BYTES + SAMPLES_BYTES,
						 PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);

	if (page == MAP_FAILED)
		die("mmap");
	run(loop);
	ioctl(fd, PERF_EVENT_IOC_DISABLE, 0);
	nr = page->data_head / (sizeof(struct perf_event_header) + sizeof(uint64_t));
	printf("# %s: %llu samples, each of %llu slots\n", loop->name, (unsigned long long)nr,
	       (unsigned long long)period);
	check(nr >= 98 && nr <= 102, "slots are sampled", loop->name);
	close(fd);
}

int main(void)
{
	make_chain();
	check_alone(&plain);
	check_alone(&missing);
	check_alone(&mixed);
	check_in_turns(&plain, &mixed);
	check_in_turns(&changing, &plain);
	check_sides(&plain);
	check_counters(&mixed);
	check_samples(&plain);
	check_samples(&mixed);
	return all_well ? 0 : 1;
}
