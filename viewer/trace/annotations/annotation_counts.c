// SPDX-License-Identifier: GPL-2.0
#include "trace/annotations/annotation_counts.h"

void annotation_counts_add_lost(struct trace_annotation_counts *counts,
				enum trace_annotation_loss why, uint64_t nr)
{
	counts->nr_lost += nr;
	counts->nr_lost_by_reason[why] += nr;
}

void annotation_counts_add_unreadable(struct trace_annotation_counts *counts)
{
	annotation_counts_add_lost(counts, TRACE_ANNOTATION_UNREADABLE, 1);
}

uint64_t annotation_counts_time(uint64_t time_ns, uint64_t ago_ns,
				struct trace_annotation_counts *counts)
{
	if (ago_ns <= time_ns)
		return time_ns - ago_ns;
	counts->nr_altered++;
	return time_ns;
}
