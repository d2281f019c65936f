// SPDX-License-Identifier: GPL-2.0
/*
 * Usage: faults [-c CPU] [-a DEVICE] PAGES
 *
 * Touches PAGES pages of memory that nobody has touched, and twice as many from a library that it
 * loads only then; each touch is one page fault. With -a, it writes to DEVICE (/dev/annot/cpu0) where
 * the spans "here" and "later" begin and end, in which there are no other faults. Prints, as
 * key=value,
 *
 *	pid			who did it: a child, which is bound to CPU and did nothing elsewhere
 *	here, later		how many faults in the program and in the library
 *	here_start, here_end	the addresses of the instructions that fault there, hexadecimal;
 *	later_start, later_end	the same in the library
 *	counted			page faults of the child in all, as a perf event of its own counts
 *				them; with -c, on that CPU
 */
#include <dlfcn.h>
#include <fcntl.h>
#include <linux/perf_event.h>
#include <libgen.h>
#include <limits.h>
#include <sched.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "faults.h"

void touch_here(char *pages, size_t nr, size_t page_bytes, struct faults_code *code);

FAULTS_DEFINE_TOUCH(touch_here)

static int die(const char *what)
{
	perror(what);
	exit(1);
}

static void annotate(int device, const char *line)
{
	ssize_t length = (ssize_t)strlen(line);

	if (device >= 0 && write(device, line, (size_t)length) != length)
		die("annotation");
}

static void touch(const char *name, faults_touch touch_pages, size_t nr, int device)
{
	char begin[32], end[] = "E\n";
	size_t page_bytes = (size_t)getpagesize();
	struct faults_code code;
	char *pages = mmap(NULL, nr * page_bytes, PROT_READ | PROT_WRITE,
			   MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	if (pages == MAP_FAILED)
		die("mmap");
	/* One fault a page, not one for 2 MiB. Kernels without huge pages do not know the word. */
	madvise(pages, nr * page_bytes, MADV_NOHUGEPAGE);
	/* So that the code itself is there. */
	touch_pages(pages, 0, page_bytes, &code);
	snprintf(begin, sizeof(begin), "B %s\n", name);
	annotate(device, begin);
	touch_pages(pages, nr, page_bytes, &code);
	annotate(device, end);
	printf("%s=%zu\n%s_start=%lx\n%s_end=%lx\n", name, nr, name, (unsigned long)code.start,
	       name, (unsigned long)code.end);
}

/* It is in the directory of the program. */
static faults_touch load_touch_later(void)
{
	char program[PATH_MAX] = "", path[PATH_MAX + 32];
	void *library;

	if (readlink("/proc/self/exe", program, sizeof(program) - 1) < 0)
		die("/proc/self/exe");
	snprintf(path, sizeof(path), "%s/" FAULTS_LIBRARY, dirname(program));
	library = dlopen(path, RTLD_NOW);
	if (!library)
		die(dlerror());
	return (faults_touch)dlsym(library, "touch_later");
}

static void work(size_t nr, int cpu, const char *device_path)
{
	int device = device_path ? open(device_path, O_WRONLY) : -1;
	cpu_set_t set;

	if (device_path && device < 0)
		die(device_path);

	CPU_ZERO(&set);
	CPU_SET(cpu, &set);
	if (cpu >= 0 && sched_setaffinity(0, sizeof(set), &set))
		die("sched_setaffinity");
	printf("pid=%d\n", getpid());
	touch("here", touch_here, nr, device);
	touch("later", load_touch_later(), 2 * nr, device);
	exit(fflush(stdout) ? 1 : 0);
}

/* Counts what children do from now on. */
static int open_counter(int cpu)
{
	struct perf_event_attr attr = {
		.type = PERF_TYPE_SOFTWARE,
		.size = sizeof(attr),
		.config = PERF_COUNT_SW_PAGE_FAULTS,
		.inherit = 1,
	};

	return (int)syscall(SYS_perf_event_open, &attr, 0, cpu, -1, PERF_FLAG_FD_CLOEXEC);
}

static uint64_t count(int counter)
{
	uint64_t value;

	if (read(counter, &value, sizeof(value)) != sizeof(value))
		die("perf event");
	return value;
}

int main(int argc, char **argv)
{
	const char *device = NULL;
	int cpu = -1, counter, option, status;
	uint64_t before;
	pid_t child;

	while ((option = getopt(argc, argv, "c:a:")) != -1) {
		switch (option) {
		case 'c':
			cpu = atoi(optarg);
			break;
		case 'a':
			device = optarg;
			break;
		default:
			return 2;
		}
	}
	if (optind + 1 != argc)
		return 2;
	counter = open_counter(cpu);
	if (counter < 0)
		die("perf_event_open");
	before = count(counter);
	child = fork();
	if (!child)
		work(strtoul(argv[optind], NULL, 10), cpu, device);
	if (waitpid(child, &status, 0) != child || status)
		return 1;
	printf("counted=%llu\n", (unsigned long long)(count(counter) - before));
	return 0;
}
