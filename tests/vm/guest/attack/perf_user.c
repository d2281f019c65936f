// SPDX-License-Identifier: GPL-2.0
/*
 * Usage: perf_user TYPE CONFIG PERIOD COMMAND [ARGUMENT...]
 *
 * Another user of the PMU, as perf would be: counts an event on all CPUs by perf_event_open(2)
 * while COMMAND runs, samples it if PERIOD is not 0, and prints for each CPU what came of it:
 *
 *	cpu=N start_ns=N end_ns=N between=N count=N samples=N lost=N first=ADDRESS last=ADDRESS
 *
 * The addresses are those of the first and the last sample. The event is counted between two times
 * (CLOCK_MONOTONIC), which are taken on the CPU itself, soon after a switch and without one meanwhile; so
 * what its slices between these times counted is the same, but for little. The count is that of all
 * the time, as are samples. The exit status is COMMAND's.
 */
#include <errno.h>
#include <linux/perf_event.h>
#include <sched.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "switches.h"

#define MAX_CPUS 8
#define PAGE_BYTES 4096
#define DATA_BYTES ((size_t)256 * PAGE_BYTES)

struct point {
	uint64_t at_ns;
	uint64_t count;
};

struct sampler {
	int fd;
	struct point start;
	struct point end;
	struct perf_event_mmap_page *page;
	uint64_t nr_samples;
	uint64_t nr_lost;
	uint64_t first;
	uint64_t last;
};

static struct sampler samplers[MAX_CPUS];

static __attribute__((noreturn)) void die(const char *what)
{
	fprintf(stderr, "perf_user: %s: %s\n", what, strerror(errno));
	exit(125);
}

static void open_sampler(struct sampler *sampler, int cpu, char **argv)
{
	struct perf_event_attr attr = {
		.size = sizeof(attr),
		.type = (uint32_t)strtoul(argv[1], NULL, 0),
		.config = strtoull(argv[2], NULL, 0),
		.sample_period = strtoull(argv[3], NULL, 0),
		.sample_type = PERF_SAMPLE_ADDR,
		.disabled = 1,
	};

	sampler->fd = (int)syscall(SYS_perf_event_open, &attr, -1, cpu, -1, PERF_FLAG_FD_CLOEXEC);
	if (sampler->fd < 0)
		die("perf_event_open");
	sampler->page = mmap(NULL, PAGE_BYTES + DATA_BYTES, PROT_READ | PROT_WRITE, MAP_SHARED,
			     sampler->fd, 0);
	if (sampler->page == MAP_FAILED)
		die("mmap");
}

static uint64_t word_at(const struct sampler *sampler, uint64_t at)
{
	const char *data = (const char *)sampler->page + PAGE_BYTES;

	return *(const uint64_t *)(data + at % DATA_BYTES);
}

/* All records are made of whole words, and so are in one piece, word by word. */
static void take_records(struct sampler *sampler)
{
	uint64_t head = __atomic_load_n(&sampler->page->data_head, __ATOMIC_ACQUIRE);
	uint64_t tail = sampler->page->data_tail;

	while (tail < head) {
		uint64_t word = word_at(sampler, tail);
		struct perf_event_header header;

		memcpy(&header, &word, sizeof(header));
		if (header.type == PERF_RECORD_SAMPLE) {
			sampler->last = word_at(sampler, tail + sizeof(header));
			if (!sampler->nr_samples++)
				sampler->first = sampler->last;
		} else if (header.type == PERF_RECORD_LOST) {
			sampler->nr_lost += word_at(sampler, tail + sizeof(header) + 8);
		}
		tail += header.size;
	}
	__atomic_store_n(&sampler->page->data_tail, tail, __ATOMIC_RELEASE);
}

static uint64_t now_ns(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (uint64_t)now.tv_sec * 1000000000 + (uint64_t)now.tv_nsec;
}

static void go_to(int cpu)
{
	cpu_set_t cpus;

	CPU_ZERO(&cpus);
	CPU_SET(cpu, &cpus);
	if (sched_setaffinity(0, sizeof(cpus), &cpus))
		die("sched_setaffinity");
	leave_cpu();
}

static uint64_t count_of(const struct sampler *sampler)
{
	uint64_t count;

	if (read(sampler->fd, &count, sizeof(count)) != sizeof(count))
		die("read");
	return count;
}

/* Who runs in between, and what it counts, would be on one side by its time and on the other by the count. */
static void take_point(const struct sampler *sampler, struct point *point)
{
	long before;

	do {
		before = nr_switches();
		point->at_ns = now_ns();
		point->count = count_of(sampler);
	} while (nr_switches() != before);
}

static void start_all(int nr_cpus)
{
	int cpu;

	for (cpu = 0; cpu < nr_cpus; cpu++) {
		go_to(cpu);
		ioctl(samplers[cpu].fd, PERF_EVENT_IOC_ENABLE, 0);
		take_point(&samplers[cpu], &samplers[cpu].start);
		leave_cpu();
	}
}

static void stop_all(int nr_cpus)
{
	int cpu;

	for (cpu = 0; cpu < nr_cpus; cpu++) {
		go_to(cpu);
		take_point(&samplers[cpu], &samplers[cpu].end);
		ioctl(samplers[cpu].fd, PERF_EVENT_IOC_DISABLE, 0);
	}
}

static void take_until_exit(pid_t child, int nr_cpus, int *status)
{
	int cpu;

	while (waitpid(child, status, WNOHANG) == 0) {
		for (cpu = 0; cpu < nr_cpus; cpu++)
			take_records(&samplers[cpu]);
		usleep(10000);
	}
}

static void tell(int cpu)
{
	struct sampler *sampler = &samplers[cpu];

	take_records(sampler);
	printf("cpu=%d start_ns=%llu end_ns=%llu between=%llu ", cpu,
	       (unsigned long long)sampler->start.at_ns, (unsigned long long)sampler->end.at_ns,
	       (unsigned long long)(sampler->end.count - sampler->start.count));
	printf("count=%llu samples=%llu lost=%llu first=%llu last=%llu\n",
	       (unsigned long long)count_of(sampler), (unsigned long long)sampler->nr_samples,
	       (unsigned long long)sampler->nr_lost, (unsigned long long)sampler->first,
	       (unsigned long long)sampler->last);
}

int main(int argc, char **argv)
{
	int nr_cpus = (int)sysconf(_SC_NPROCESSORS_ONLN), cpu, status;
	cpu_set_t all_cpus;
	pid_t child;

	if (argc < 5 || nr_cpus > MAX_CPUS) {
		fputs("usage: perf_user TYPE CONFIG PERIOD COMMAND [ARGUMENT...]\n", stderr);
		return 125;
	}
	for (cpu = 0; cpu < nr_cpus; cpu++)
		open_sampler(&samplers[cpu], cpu, argv);
	sched_getaffinity(0, sizeof(all_cpus), &all_cpus);
	start_all(nr_cpus);
	sched_setaffinity(0, sizeof(all_cpus), &all_cpus);
	child = fork();
	if (child < 0)
		die("fork");
	if (!child) {
		execvp(argv[4], argv + 4);
		die(argv[4]);
	}
	take_until_exit(child, nr_cpus, &status);
	stop_all(nr_cpus);
	for (cpu = 0; cpu < nr_cpus; cpu++)
		tell(cpu);
	return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}
