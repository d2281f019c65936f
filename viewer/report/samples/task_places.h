/* SPDX-License-Identifier: GPL-2.0 */
/*
 * How sentences name where samples of a task fell: its lines of source, or else functions, and whose data was accessed.
 */
#ifndef ANNOT_TASK_PLACES_H
#define ANNOT_TASK_PLACES_H

#include "analysis/tasks/task_stats.h"
#include "analysis/topdown/finding_places.h"
#include "report/analyses.h"
#include "symbols/symbols.h"

/* Which events count: of those, the one with most samples in the task is told. */
enum task_places_of {
	PLACES_OF_MISSES, /* misses of a memory; samples of instructions (IBS) that missed one */
	PLACES_OF_TIME, /* cycles, or time on a CPU */
	PLACES_OF_EVENT, /* the one that is given */
};

struct task_places {
	/*
	 * "l1_cache_miss at sum.c:31 (61 %), sum.c:40 (22 %); of grid (80 %)": three of each at most, with their shares, by the
	 * samples' periods; what has less than 5 % is not named. "": there are fewer than 10 samples, or no names.
	 */
	char text[420];
};

struct task_places_choice {
	uint32_t
		task; /* of @stats, in all its threads and what is inside it; NO_TASK: the session */
	enum task_places_of of;
	size_t event; /* of PLACES_OF_EVENT */
};

/* Interns strings: nobody else may use the trace then. @symbols: NULL: there are no names. Cost: one pass over the samples. */
struct task_places task_places_of(const struct model *model, const struct task_stats *stats,
				  struct symbols *symbols, const struct task_places_choice *choice);

/*
 * What struct finding_places asks. @context: the analyses. Of a finding of one event, its samples; of memory, those of misses; else those
 * of time. Of walks through page tables also in which pages the data is (report/samples/task_pages.h).
 */
void task_places_say(const void *context, const struct places_question *question, char *text,
		     size_t size);

#endif /* ANNOT_TASK_PLACES_H */
