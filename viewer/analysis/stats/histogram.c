// SPDX-License-Identifier: GPL-2.0
#include "analysis/stats/histogram.h"

#define DECADE(ns) 1 * (ns), 2 * (ns), 5 * (ns)

static const uint64_t edges_ns[HISTOGRAM_EDGES] = {
	DECADE(1000ull),     DECADE(10000ull),	   DECADE(100000ull),	  DECADE(1000000ull),
	DECADE(10000000ull), DECADE(100000000ull), DECADE(1000000000ull), 10000000000ull,
};

uint64_t histogram_edge_ns(size_t edge)
{
	return edges_ns[edge];
}

void histogram_add(struct histogram *histogram, uint64_t ns)
{
	size_t at = 0;

	while (at < HISTOGRAM_EDGES && ns >= edges_ns[at])
		at++;
	histogram->counts[at]++;
}
