/* SPDX-License-Identifier: GPL-2.0 */
/*
 * How a sentence tells whether the data that a task uses most lies in huge pages.
 */
#ifndef ANNOT_TASK_PAGES_H
#define ANNOT_TASK_PAGES_H

#include "analysis/tasks/task_stats.h"
#include "symbols/symbols.h"

struct task_pages {
	/*
	 * "[heap]: 1.2 GiB, none of it in huge pages: madvise(MADV_HUGEPAGE)"; where half of it and more is, "98 % of it in huge
	 * pages already". The bytes are those in memory of its largest mapping. The advice is left out where it is of no use:
	 * of files, of a mapping that is smaller than a huge page, and where the kernel has none. "": there are fewer than 10 samples of
	 * which it is known.
	 */
	char text[160];
};

/*
 * Of the samples of @task (NO_TASK: the session) that tell an address: those of misses of the TLB, or else all. Interns
 * strings: nobody else may use the trace then. @symbols: NULL: there are no names.
 */
struct task_pages task_pages_of(const struct model *model, const struct task_stats *stats,
				struct symbols *symbols, uint32_t task);

#endif /* ANNOT_TASK_PAGES_H */
