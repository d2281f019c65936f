/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A directory with files as tracefs has them, and what would be recorded of its one event: pages of
 * which each number is known. Whatever cannot be made ends the test.
 */
#ifndef TESTS_MADE_TRACEFS_H
#define TESTS_MADE_TRACEFS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "dat/dat.h"

#define MADE_PAGE_BYTES 4096u
#define MADE_PAGE_EVENTS 255u
#define MADE_NR_CPUS 3

/* Files below @dir: formats, clocks, names of threads, but no printk_formats. */
void made_tracefs(const char *dir);

/* What DIR/tracing holds becomes the file DIR/NAME. */
struct dat_plan made_plan(const char *dir, const char *name, int version, const char *compression);

/* What was recorded of a CPU, in DIR/cpuN; those of 0 pages have a file, too. */
struct dat_cpu made_cpu(const char *dir, int cpu, uint64_t nr_pages);

/* As the first, which takes all the room that is left on the file system: how many pages. */
struct dat_cpu made_cpu_to_the_full(const char *dir, int cpu);

void made_page(int cpu, uint64_t page, uint8_t bytes[MADE_PAGE_BYTES]);

/* The number in the @nr-th event of a CPU: as one at random. */
uint32_t made_number(int cpu, uint64_t nr);

/* What a trace holds of made CPUs. */
struct made_read {
	uint64_t nr_events[MADE_NR_CPUS];
	bool truncated;
	bool cpus_guessed;
};

/* Checks each event of DIR/NAME. Returns 0, or -1 when it cannot be read. */
int made_read(const char *dir, const char *name, struct made_read *read);

/* The kernel's symbols in DIR/NAME: free() them. */
char *made_kallsyms(const char *dir, const char *name);

/* All that is printed to stderr until told_end(), which returns it: free() it. */
void told_begin(void);
char *told_end(void);

/* One line was told, with both in it. */
void expect_one_line(const char *one, const char *other);

#endif /* TESTS_MADE_TRACEFS_H */
