/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Where the samples of an event fell: in which function, line, task, thread, on which CPU, at which
 * data, in which object. The greatest share first.
 */
#ifndef ANNOT_RANKING_H
#define ANNOT_RANKING_H

#include "analysis/memory/block_sample.h"
#include "analysis/memory/page_share.h"

#define RANKING_MAX_LABELS 6

enum ranking_key {
	RANK_BY_SYMBOL,
	RANK_BY_LINE,
	RANK_BY_TASK, /* the innermost span's: so each sample is of one row */
	RANK_BY_THREAD,
	RANK_BY_CPU,
	/* Of data that has a name, the cache line of 64 bytes; else the page of 4096. */
	RANK_BY_ADDRESS,
	/* Whose data it is (symbols/data_owner.h), by task and thread. */
	RANK_BY_OBJECT,
	NR_RANKING_KEYS,
};

struct ranking_row {
	uint32_t labels[RANKING_MAX_LABELS]; /* string ids; what each is, ranking_labels() says */
	uint64_t nr_samples;
	double count; /* estimated: the sum of the samples' periods */
	double variance; /* the squares of the periods */
	uint64_t nr_missed; /* samples whose data came from beyond L1, as they tell */
	uint64_t nr_latencies; /* samples that tell how long the access took */
	double latency_cycles; /* sum of those */
	/* By object: those that touched it, in samples of any event; 0: it is no object. */
	size_t nr_threads;
	struct page_share pages; /* by object: in which pages it is */
	struct block_estimate like_it; /* by object: of a sampled block */
};

struct ranking {
	size_t event; /* of the model */
	enum ranking_key key;
	struct ranking_row all; /* without labels */
	uint64_t nr_left_out; /* samples of threads of no interest */
	bool tells_misses; /* some samples tell where their data came from */
	size_t nr;
	struct ranking_row *rows;
};

struct ranking_options {
	enum ranking_key key;
	/* Samples of threads that are not of the session, and of none, too. */
	bool all_threads;
};

/* Whether rows tell of latencies, threads, pages and sampled blocks. */
bool ranking_has_sharing(enum ranking_key key);

/* "symbol", "line", ...; NULL behind the last. */
const char *const *ranking_keys(void);

/* What the labels of a row are, NULL behind the last: "symbol", "object", NULL. */
const char *const *ranking_labels(enum ranking_key key);

/*
 * One ranking for each of the model's events, those that were not sampled being empty. Returns
 * NULL after one line on stderr if the trace is damaged. ranking_free() frees them.
 */
struct ranking *ranking_compute(const struct model *model, const struct ranking_options *options);
void ranking_free(const struct model *model, struct ranking *rankings);

#endif /* ANNOT_RANKING_H */
