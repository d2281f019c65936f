// SPDX-License-Identifier: GPL-2.0
/*
 * What is measured in a guest.
 *
 *	pmu_load touch N		touches N fresh pages, prints "FIRST LAST FAULTS" (addresses
 *					in hexadecimal, all faults of the thread until then)
 *	pmu_load touch-in-kernel N	the same, but the kernel touches them, in read()
 *	pmu_load churn			touches fresh pages until it is killed
 *	pmu_load perf			opens and closes events of perf's until it is killed
 */
#include <errno.h>
#include <fcntl.h>
#include <linux/perf_event.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#define PAGE_BYTES 4096

static __attribute__((noreturn)) void die(const char *what)
{
	fprintf(stderr, "pmu_load: %s: %s\n", what, strerror(errno));
	exit(1);
}

static char *map_pages(size_t bytes)
{
	char *pages = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	if (pages == MAP_FAILED)
		die("mmap");
	madvise(pages, bytes, MADV_NOHUGEPAGE);
	return pages;
}

static void touch_pages(char *pages, size_t nr, bool in_kernel)
{
	int fd = in_kernel ? open("/dev/zero", O_RDONLY | O_CLOEXEC) : -1;

	for (size_t i = 0; i < nr; i++) {
		if (!in_kernel)
			((volatile char *)pages)[i * PAGE_BYTES] = 1;
		else if (read(fd, pages + i * PAGE_BYTES, 1) != 1)
			die("/dev/zero");
	}
	close(fd);
}

static int touch(size_t nr, bool in_kernel)
{
	char *pages = map_pages(nr * PAGE_BYTES);
	static char text[128] = "touched before";
	struct rusage usage;
	int length;

	/* What the last steps need, once before. */
	getrusage(RUSAGE_SELF, &usage);
	snprintf(text, sizeof(text), "%lx %lx %ld\n", (long)pages, (long)pages, usage.ru_minflt);
	touch_pages(pages, nr, in_kernel);
	getrusage(RUSAGE_SELF, &usage);
	length = snprintf(text, sizeof(text), "%lx %lx %ld\n", (long)pages,
			  (long)(pages + nr * PAGE_BYTES - 1), usage.ru_minflt + usage.ru_majflt);
	if (write(STDOUT_FILENO, text, (size_t)length) != length)
		die("write");
	_exit(0);
}

static __attribute__((noreturn)) void churn(void)
{
	size_t nr = 20;
	char *pages;

	for (;;) {
		pages = map_pages(nr * PAGE_BYTES);
		touch_pages(pages, nr, false);
		munmap(pages, nr * PAGE_BYTES);
		usleep(5000);
	}
}

static int open_perf_event(uint64_t config, uint64_t period, pid_t pid, int cpu)
{
	struct perf_event_attr attr = {
		.type = PERF_TYPE_SOFTWARE,
		.size = sizeof(attr),
		.config = config,
		.sample_period = period,
		.sample_type = PERF_SAMPLE_IP | PERF_SAMPLE_TID,
	};
	int fd = (int)syscall(SYS_perf_event_open, &attr, pid, cpu, -1, PERF_FLAG_FD_CLOEXEC);

	if (fd < 0)
		die("perf_event_open");
	return fd;
}

static __attribute__((noreturn)) void use_perf(void)
{
	int of_cpu, of_thread;

	for (;;) {
		of_cpu = open_perf_event(PERF_COUNT_SW_PAGE_FAULTS, 10, -1, 0);
		of_thread = open_perf_event(PERF_COUNT_SW_CPU_CLOCK, 100000, 0, -1);
		usleep(5000);
		close(of_cpu);
		close(of_thread);
	}
}

int main(int argc, char **argv)
{
	if (argc == 3 && !strcmp(argv[1], "touch"))
		return touch(strtoul(argv[2], NULL, 0), false);
	if (argc == 3 && !strcmp(argv[1], "touch-in-kernel"))
		return touch(strtoul(argv[2], NULL, 0), true);
	if (argc == 2 && !strcmp(argv[1], "churn"))
		churn();
	if (argc == 2 && !strcmp(argv[1], "perf"))
		use_perf();
	fprintf(stderr, "usage: see pmu_load.c\n");
	return 2;
}
