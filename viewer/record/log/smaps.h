/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Reads /proc/PID/smaps: in which pages a process has its memory.
 */
#ifndef ANNOT_RECORD_LOG_SMAPS_H
#define ANNOT_RECORD_LOG_SMAPS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/types.h>

/* [start, start + length) of a process. */
struct mapping_pages {
	uint64_t start;
	uint64_t length;
	uint64_t resident_bytes; /* in memory */
	uint64_t huge_bytes; /* of these, in huge pages */
	uint64_t page_bytes;
	uint64_t huge_page_bytes;
};

/* Mappings by address. */
struct smaps {
	size_t nr;
	size_t capacity;
	struct mapping_pages *mappings;
};

/* More mappings than a process that is not made for it has: the others are not read. */
#define SMAPS_MOST_MAPPINGS 4096

/*
 * What may be in memory of a process that is read: for each GiB of small pages it takes the kernel about 20 ms, during which
 * the process cannot change its mappings. Huge pages take next to nothing, but nobody knows before.
 */
#define SMAPS_MOST_BYTES ((uint64_t)32 << 30)

/*
 * Adds those mappings that have memory. @huge_page_bytes: of pages that the kernel makes huge itself. What is no such
 * text is left out.
 */
void smaps_read(struct smaps *smaps, FILE *in, uint64_t huge_page_bytes);

/* The same of a process; nothing, if it has ended, is too large, or may not be looked at. */
void smaps_of_process(struct smaps *smaps, pid_t tgid, uint64_t huge_page_bytes);

/* By /proc/PID/statm. */
bool smaps_is_small_enough(FILE *statm, uint64_t page_bytes);

/* Leaves the @nr with most memory. */
void smaps_keep_largest(struct smaps *smaps, size_t nr);
void smaps_free(struct smaps *smaps);

/* The size of a huge page of memory that is no hugetlbfs; 0: the kernel has none. */
uint64_t smaps_huge_page_bytes(void);

#endif /* ANNOT_RECORD_LOG_SMAPS_H */
