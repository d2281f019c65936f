// SPDX-License-Identifier: GPL-2.0
#include "record/log/smaps.h"

#include <inttypes.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "util/xalloc.h"

#define HUGE_PAGE_SIZE "/sys/kernel/mm/transparent_hugepage/hpage_pmd_size"
#define LEAST_PAGE_BYTES 4096
#define MOST_KIB ((uint64_t)1 << 50) /* no mapping is as large, and sums of it are no less */

/* Lines "Rss:      1234 kB" that are added up. Pages of hugetlbfs are not in Rss. */
static const struct {
	const char *key;
	bool is_resident;
	bool is_huge;
} sums[] = {
	{ "Rss:", true, false },
	{ "AnonHugePages:", false, true },
	{ "ShmemPmdMapped:", false, true },
	{ "FilePmdMapped:", false, true },
	{ "Shared_Hugetlb:", true, true },
	{ "Private_Hugetlb:", true, true },
};

static bool read_kib(const char *line, const char *key, uint64_t *bytes)
{
	size_t length = strlen(key);
	uint64_t kib;

	if (strncmp(line, key, length) || sscanf(line + length, "%" SCNu64, &kib) != 1)
		return false;
	*bytes = (kib < MOST_KIB ? kib : MOST_KIB) * 1024;
	return true;
}

static void read_sum(struct mapping_pages *mapping, const char *line)
{
	uint64_t bytes;

	for (size_t i = 0; i < sizeof(sums) / sizeof(sums[0]); i++) {
		if (!read_kib(line, sums[i].key, &bytes))
			continue;
		mapping->resident_bytes += sums[i].is_resident ? bytes : 0;
		mapping->huge_bytes += sums[i].is_huge ? bytes : 0;
		return;
	}
	if (read_kib(line, "KernelPageSize:", &bytes))
		mapping->page_bytes = bytes;
}

/* The line in front of those of a mapping: as in /proc/PID/maps. */
static bool read_range(struct mapping_pages *mapping, const char *line)
{
	uint64_t start, end;

	if (sscanf(line, "%" SCNx64 "-%" SCNx64 " ", &start, &end) != 2 || end <= start)
		return false;
	*mapping = (struct mapping_pages){ .start = start, .length = end - start };
	return true;
}

/* Figures that contradict each other are not told: pages may come and go while they are counted. */
static void add_mapping(struct smaps *smaps, const struct mapping_pages *mapping,
			uint64_t huge_page_bytes)
{
	struct mapping_pages own = *mapping;

	if (!own.resident_bytes || own.resident_bytes > own.length ||
	    own.huge_bytes > own.resident_bytes || !own.page_bytes)
		return;
	own.huge_page_bytes = own.page_bytes < huge_page_bytes ? huge_page_bytes : own.page_bytes;
	ARRAY_MAKE_ROOM(smaps->mappings, smaps->nr, smaps->capacity);
	smaps->mappings[smaps->nr++] = own;
}

void smaps_read(struct smaps *smaps, FILE *in, uint64_t huge_page_bytes)
{
	struct mapping_pages mapping = { 0 }, next;
	size_t size = 0, nr_read = 0;
	char *line = NULL;

	while (getline(&line, &size, in) > 0) {
		if (!read_range(&next, line)) {
			read_sum(&mapping, line);
			continue;
		}
		add_mapping(smaps, &mapping, huge_page_bytes);
		mapping = next;
		if (++nr_read > SMAPS_MOST_MAPPINGS)
			break;
	}
	if (nr_read <= SMAPS_MOST_MAPPINGS)
		add_mapping(smaps, &mapping, huge_page_bytes);
	free(line);
}

bool smaps_is_small_enough(FILE *statm, uint64_t page_bytes)
{
	uint64_t pages;

	return fscanf(statm, "%*u %" SCNu64, &pages) == 1 && pages <= SMAPS_MOST_BYTES / page_bytes;
}

static bool may_be_read(pid_t tgid)
{
	char path[32];
	bool may;
	FILE *in;

	snprintf(path, sizeof(path), "/proc/%d/statm", tgid);
	in = fopen(path, "re");
	if (!in)
		return false;
	may = smaps_is_small_enough(in, (uint64_t)getpagesize());
	fclose(in);
	return may;
}

void smaps_of_process(struct smaps *smaps, pid_t tgid, uint64_t huge_page_bytes)
{
	char path[32];
	FILE *in;

	if (!may_be_read(tgid))
		return;
	snprintf(path, sizeof(path), "/proc/%d/smaps", tgid);
	in = fopen(path, "re");
	if (!in)
		return;
	smaps_read(smaps, in, huge_page_bytes);
	fclose(in);
}

static int compare_memory(const void *a, const void *b)
{
	const struct mapping_pages *first = a, *second = b;

	if (first->resident_bytes != second->resident_bytes)
		return first->resident_bytes > second->resident_bytes ? -1 : 1;
	return first->start < second->start ? -1 : first->start > second->start;
}

static int compare_addresses(const void *a, const void *b)
{
	const struct mapping_pages *first = a, *second = b;

	return first->start < second->start ? -1 : first->start > second->start;
}

void smaps_keep_largest(struct smaps *smaps, size_t nr)
{
	if (smaps->nr <= nr)
		return;
	qsort(smaps->mappings, smaps->nr, sizeof(*smaps->mappings), compare_memory);
	smaps->nr = nr;
	qsort(smaps->mappings, smaps->nr, sizeof(*smaps->mappings), compare_addresses);
}

void smaps_free(struct smaps *smaps)
{
	free(smaps->mappings);
	*smaps = (struct smaps){ 0 };
}

uint64_t smaps_huge_page_bytes(void)
{
	FILE *in = fopen(HUGE_PAGE_SIZE, "re");
	uint64_t bytes = 0;

	if (!in)
		return 0;
	if (fscanf(in, "%" SCNu64, &bytes) != 1 || bytes < LEAST_PAGE_BYTES)
		bytes = 0;
	fclose(in);
	return bytes;
}
