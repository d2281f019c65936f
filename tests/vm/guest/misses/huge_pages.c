// SPDX-License-Identifier: GPL-2.0
/*
 * Loads and stores in memory of which it knows in which pages it is: transparent huge ones, some of them, none, and those
 * of hugetlbfs. It writes into the file that it is given
 *
 *	NAME BYTES HUGE
 *
 * of each: how much of it is in memory, and in huge pages, as the kernel tells it itself. Then it tells lies about them, as
 * any program can that may write to trace_marker.
 */
#include <fcntl.h>
#include <inttypes.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include <annot/annot.h>

#define HUGE_BYTES ((size_t)2 << 20)
#define OBJECT_BYTES (2 * HUGE_BYTES)
#define PAGE_BYTES 4096
#define STRIDE 64
#define NR_ROUNDS 4

#define POLL_US 100000
#define MOST_POLLS 3000 /* five minutes */

char table[OBJECT_BYTES];

static void complain(const char *what)
{
	perror(what);
	exit(1);
}

/* At a huge page's begin, with nothing beside it that the kernel may take for the same mapping. */
static char *map_memory(int advice, int flags)
{
	char *area = mmap(NULL, OBJECT_BYTES + 2 * HUGE_BYTES, PROT_NONE,
			  MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
	uintptr_t start = ((uintptr_t)area + HUGE_BYTES) / HUGE_BYTES * HUGE_BYTES;
	char *memory;

	if (area == MAP_FAILED)
		complain("mmap");
	memory = mmap((void *)start, OBJECT_BYTES, PROT_READ | PROT_WRITE,
		      MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED | flags, -1, 0);
	if (memory == MAP_FAILED)
		complain("mmap");
	if (advice && madvise(memory, OBJECT_BYTES, advice))
		complain("madvise");
	memset(memory, 1, OBJECT_BYTES);
	return memory;
}

/* One page less: then the huge page around it must be split. */
static const char *split_one(char *memory)
{
	char *page = memory + HUGE_BYTES + PAGE_BYTES;

	if (madvise(page, PAGE_BYTES, MADV_DONTNEED))
		complain("madvise");
	return page;
}

static uint64_t kib_in(const char *line, const char *key)
{
	size_t length = strlen(key);

	return strncmp(line, key, length) ? 0 : strtoull(line + length, NULL, 10);
}

/* By the kernel, of the mapping around. */
static void say(FILE *out, const char *name, const char *memory)
{
	uint64_t start, end, rss = 0, huge = 0, hugetlb = 0;
	FILE *smaps = fopen("/proc/self/smaps", "r");
	char line[1024];
	int is_here = 0;

	while (smaps && fgets(line, sizeof(line), smaps)) {
		if (sscanf(line, "%" SCNx64 "-%" SCNx64 " ", &start, &end) == 2)
			is_here = (uintptr_t)memory >= start && (uintptr_t)memory < end;
		if (!is_here)
			continue;
		rss += kib_in(line, "Rss:");
		huge += kib_in(line, "AnonHugePages:");
		hugetlb += kib_in(line, "Private_Hugetlb:");
	}
	if (smaps)
		fclose(smaps);
	fprintf(out, "%s %" PRIu64 " %" PRIu64 "\n", name, (rss + hugetlb) * 1024,
		(huge + hugetlb) * 1024);
}

/* That @memory is in other pages than it is. Returns whether that is told. */
static int lie_about(const char *memory, int is_huge)
{
	static const char place[] = "annot|cpu|0|0|0|0|";
	const char *directory = getenv("ANNOT_TRACEFS");
	char path[256], line[128];
	int fd, is_told;

	snprintf(path, sizeof(path), "%s/trace_marker",
		 directory ? directory : "/sys/kernel/tracing");
	fd = open(path, O_WRONLY);
	if (fd < 0)
		complain(path);
	snprintf(line, sizeof(line), "annot|pages|%d|%lx|%zx|%zu|%zu|4096|%zu|0", getpid(),
		 (unsigned long)memory, OBJECT_BYTES, OBJECT_BYTES, is_huge ? 0 : OBJECT_BYTES,
		 HUGE_BYTES);
	is_told = write(fd, place, strlen(place)) > 0 && write(fd, line, strlen(line)) > 0;
	close(fd);
	return is_told;
}

/* But not where a page is missing: it would come back. */
static void walk(const char *task, char *memory, const char *missing)
{
	annot_begin(task);
	for (int round = 0; round < NR_ROUNDS; round++) {
		for (char *at = memory; at < memory + OBJECT_BYTES; at += STRIDE) {
			if (at < missing || at >= missing + PAGE_BYTES)
				++*(volatile char *)at;
		}
	}
	annot_end();
}

/* Of the recording, at which annot reads the process a last time. */
static void wait_for_end(void)
{
	const char *directory = getenv("ANNOT_TRACEFS");
	char path[256], is_on = '1';

	snprintf(path, sizeof(path), "%s/tracing_on",
		 directory ? directory : "/sys/kernel/tracing");
	for (int i = 0; i < MOST_POLLS && is_on == '1'; i++) {
		int fd = open(path, O_RDONLY);

		if (fd < 0 || read(fd, &is_on, 1) != 1)
			is_on = '0';
		if (fd >= 0)
			close(fd);
		usleep(POLL_US);
	}
}

int main(int argc, char **argv)
{
	FILE *out = argc > 1 ? fopen(argv[1], "w") : NULL;
	struct {
		const char *name;
		char *memory;
		int is_huge;
	} objects[] = {
		{ "advised", map_memory(MADV_HUGEPAGE, 0), 1 },
		{ "split", map_memory(MADV_HUGEPAGE, 0), 1 },
		{ "small", map_memory(MADV_NOHUGEPAGE, 0), 0 },
		{ "hugetlb", map_memory(0, MAP_HUGETLB), 1 },
		{ "table", table, 0 },
	};
	const char *missing;
	int nr_lies = 0;

	if (!out)
		return 1;
	madvise(table, sizeof(table), MADV_NOHUGEPAGE);
	memset(table, 1, sizeof(table));
	missing = split_one(objects[1].memory);
	/* The last one has a name already. */
	for (int i = 0; i < 4; i++)
		annot_object(objects[i].name, objects[i].memory, OBJECT_BYTES);
	for (int i = 0; i < 5; i++) {
		say(out, objects[i].name, objects[i].memory);
		nr_lies += lie_about(objects[i].memory, objects[i].is_huge);
	}
	for (int i = 0; i < 5; i++)
		walk(objects[i].name, objects[i].memory, missing);
	for (int i = 0; i < 5; i++)
		nr_lies += lie_about(objects[i].memory, objects[i].is_huge);
	fprintf(out, "lies %d 0\n", nr_lies);
	fclose(out);
	wait_for_end();
	return 0;
}
