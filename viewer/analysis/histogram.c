// SPDX-License-Identifier: GPL-2.0
#include "analysis/histogram.h"

uint64_t histogram_edge_ns(size_t edge)
{
	static const uint64_t steps[] = { 1, 2, 5 };
	uint64_t decade_ns = 1000;

	for (size_t i = 0; i < edge / 3; i++)
		decade_ns *= 10;
	return steps[edge % 3] * decade_ns;
}

void histogram_add(struct histogram *histogram, uint64_t ns)
{
	size_t at = 0;

	while (at < HISTOGRAM_EDGES && ns >= histogram_edge_ns(at))
		at++;
	histogram->counts[at]++;
}
