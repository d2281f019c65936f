/* SPDX-License-Identifier: GPL-2.0 */
/*
 * How many bytes of each line that is fetched a program uses, where it goes through arrays of structures and needs a few fields of
 * each.
 *
 * Of an array, samples tell which fields of its elements are accessed, by the types of debug information: the width of
 * an access is that of its field. As elements lie one behind the other, that gives which bytes of which lines are used,
 * if one element is used like the other; lines without such bytes are not fetched. A field that was not sampled may still be
 * used now and then: of n samples, one with 3 / n of the accesses or more would be missing in at most 5 of 100 cases (1 - (1 -
 * 3 / n)^n). So arrays with fewer than LINE_USE_LEAST_SAMPLES have no figure.
 *
 * Only samples of all loads, or all stores, or all instructions count: misses are of the field that comes first in its line.
 */
#ifndef ANNOT_LINE_USE_H
#define ANNOT_LINE_USE_H

#include "model/model.h"
#include "symbols/file/symbol_location.h"

#define LINE_USE_LEAST_SAMPLES 100

struct line_use {
	uint32_t array; /* string ids: "points", "grid.cells" ... */
	uint32_t file; /* ... its file ... */
	uint32_t fields; /* ... and ".x 71 %, .y 29 %": those with most samples, so many as fit */
	uint64_t element_bytes;
	uint64_t used_bytes; /* of these */
	uint32_t line_bytes;
	double used_line_bytes; /* the mean of lines that are fetched */
	uint64_t nr_samples;
	double unseen_share; /* so rarely, another field may be accessed */
	bool has_loads; /* samples of these: else nothing is known of them */
	bool has_stores;
};

struct line_uses {
	size_t nr;
	struct line_use *rows; /* those with most samples first */
};

struct line_use_builder;

struct line_use_builder *line_use_begin(const struct model *model);
/* @location: of the sample's data, with its field. */
void line_use_add(struct line_use_builder *builder, size_t sample,
		  const struct symbol_location *location);
/* Frees the builder. Cost: O(n log n) over samples. free() the rows. */
struct line_uses line_use_end(struct line_use_builder *builder);

#endif /* ANNOT_LINE_USE_H */
