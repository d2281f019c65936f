/* SPDX-License-Identifier: GPL-2.0 */
/*
 * How often times of which length occurred, in steps of 1, 2, 5 a decade from 1 us to 10 s.
 */
#ifndef ANNOT_HISTOGRAM_H
#define ANNOT_HISTOGRAM_H

#include <stddef.h>
#include <stdint.h>

#define HISTOGRAM_EDGES 22

/* counts[i] is of times from edge i - 1 on that are below edge i; the first and last have one edge. */
struct histogram {
	uint64_t counts[HISTOGRAM_EDGES + 1];
};

/* 1000, 2000, 5000, ... 10000000000 */
uint64_t histogram_edge_ns(size_t edge);

void histogram_add(struct histogram *histogram, uint64_t ns);

#endif /* ANNOT_HISTOGRAM_H */
