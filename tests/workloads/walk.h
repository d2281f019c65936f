/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Walks through memory, one load a step: each load brings the address of the next one, so that
 * neither the compiler nor the CPU can do them in another order, or ahead of time.
 */
#ifndef WORKLOADS_WALK_H
#define WORKLOADS_WALK_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#define LINE_BYTES 64
#define WALK_SEED 88172645463325252u

/* The next number after @state, which starts as WALK_SEED: the same numbers in each run. */
uint64_t walk_random(uint64_t *state);

/* Memory in small pages, all of them there already; the truth calls it @name, which is not copied. */
char *walk_map(const char *name, size_t nr_bytes);

/*
 * Memory in huge pages, if there are some: then what is no larger than one is in one piece, and fills
 * a cache evenly that goes by physical addresses.
 */
char *walk_map_huge(const char *name, size_t nr_bytes);

/*
 * Makes one cycle of the @nr places from @start on, @stride_bytes from one to the next: in their
 * order, or in one that no prefetcher guesses and that is the same in each run.
 */
void walk_link_in_order(char *start, size_t nr, size_t stride_bytes);
void walk_link_at_random(char *start, size_t nr, size_t stride_bytes);

/* Returns where it ends, to go on from there. */
void *walk(void *at, uint64_t nr_steps);

/*
 * For truth_add_details():
 *
 *	load{start, end}	addresses of the load instruction of walk()
 *	buffers[]: name, start, end
 */
void walk_write_details(FILE *out);

#endif /* WORKLOADS_WALK_H */
