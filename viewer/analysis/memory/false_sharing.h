/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Cache lines of one process that several threads use on several CPUs, and write to.
 *
 * Of each line, all samples with addresses are looked at, of any event. A sample is a store if its
 * data source says so, or that it locks the line to change it, or its event's name has "store" in it. Threads take turns if samples that
 * follow each other within 10 ms are of different CPUs; as many changes are needed as a quarter of
 * what threads in random order would make.
 *
 * Of samples of instructions (AMD's IBS), which tell of each access whether it missed, loads that hit the first-level cache are
 * no sign that the line moves: they only tell which bytes are used. Of such a line at least 4 samples must have missed.
 *
 * A load that found the line modified in another CPU's cache shows that one of the others stores, too, though no store was
 * sampled: of an instruction that loads, adds and stores, Linux tells AMD's sample as a load. Where to is not known: the others
 * are taken to store wherever they use the line.
 *
 * It is false sharing if the line has at least 16 samples, two threads on two CPUs with at least 4
 * each take turns, one of them stores, and no byte (in groups of 8) that one stores to is one that
 * the other has used: what is used by both is shared truly.
 *
 * Time lost: the misses of the line's samples (sample_misses_number()) by what it costs to take a line from another core, in the
 * thread that has most of them. If no samples tell that (miss_costs.h), it is miss_cost_ns(), but at least
 * miss_taken_line_cost_ns(). If only other events were sampled, or it is not known how
 * many misses a sample stands for, it is not known.
 */
#ifndef ANNOT_FALSE_SHARING_H
#define ANNOT_FALSE_SHARING_H

#include "analysis/memory/line_accesses.h"
#include "analysis/memory/miss_costs.h"
#include "analysis/memory/sample_misses.h"

#define SHARED_MOST_THREADS 8

struct shared_thread {
	uint32_t thread;
	int16_t cpu; /* of its first sample of the line */
	uint64_t nr_samples;
	uint64_t nr_stores;
	uint64_t nr_modified; /* loads that found it modified in another CPU's cache */
	uint64_t used; /* bit i: bytes i * 8 to i * 8 + 7 of the line */
	uint64_t stored;
	double miss_ns;
};

struct shared_line {
	uint64_t address;
	int32_t tgid;
	size_t sample; /* the first */
	size_t last_sample;
	uint64_t nr_samples; /* without loads that hit L1 */
	uint64_t nr_stores;
	uint64_t nr_modified; /* as of its threads */
	bool tells_misses; /* some of its samples tell whether they missed L1 ... */
	uint64_t nr_missed; /* ... and so many of these did */
	uint64_t nr_turns; /* samples on another CPU than the one before */
	size_t nr_threads;
	struct shared_thread threads[SHARED_MOST_THREADS]; /* the first to use it */
	bool is_false_sharing;
	size_t first_access; /* if so, who accesses what in it: these rows of accesses */
	size_t nr_accesses;
	double lost_ns;
};

struct false_sharing {
	bool known; /* there are samples with addresses */
	uint32_t line_bytes;
	struct miss_cost cost; /* of a line that is taken from another core */
	size_t nr;
	struct shared_line
		*lines; /* of several CPUs, with stores; false sharing first, then by samples */
	struct line_accesses accesses; /* of lines that are shared falsely, by their threads */
};

/* @taken_line: what such a one costs. @is_stores: of each event, whether it happens at stores. Never fails. Cost: sorting the samples. */
struct false_sharing *false_sharing_compute(const struct model *model,
					    const struct sample_misses *misses,
					    const struct miss_cost *taken_line,
					    const bool *is_stores);
void false_sharing_free(struct false_sharing *sharing);

#endif /* ANNOT_FALSE_SHARING_H */
