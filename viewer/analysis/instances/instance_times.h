/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What a thread's time was spent on in an interval, as an instance of a task: times that add up to its length; of its
 * useful time, what was counted; and what it was blocked on.
 *
 * Counts are of useful time: outside of wait spans. They are known where instructions and cycles were counted for as
 * good as all of it.
 */
#ifndef ANNOT_INSTANCE_TIMES_H
#define ANNOT_INSTANCE_TIMES_H

#include "analysis/base/wait_spans.h"
#include "analysis/events/window_events.h"

enum instance_time {
	INSTANCE_USEFUL, /* on a CPU, outside of wait spans */
	INSTANCE_STOLEN, /* on a CPU, in interrupts */
	INSTANCE_SPINNING, /* on a CPU, in wait spans */
	INSTANCE_PREEMPTED,
	INSTANCE_WAKEUP, /* woken, and not yet on a CPU */
	INSTANCE_BLOCKED,
	INSTANCE_UNKNOWN,
	NR_INSTANCE_TIMES,
};

#define INSTANCE_MOST_CAUSES 16

/* Sums: of one instance or of several. */
struct instance_times {
	size_t nr;
	double ns[NR_INSTANCE_TIMES];
	double moves; /* how often it came to another CPU */
	bool is_counted; /* the next three are known */
	double instructions;
	double cycles;
	double misses; /* of the last level that was counted */
	double instructions_variance; /* of what was shared by time */
	double cycles_variance;
	bool has_sibling; /* its CPUs share cores with others, as far as is known */
	double sibling_ns; /* of the time on CPUs outside of wait spans: that a sibling ran something, too */
	size_t nr_causes;
	struct {
		uint32_t
			cause; /* string id; TRACE_NO_STRING: not known, or one more than there is room for */
		double ns;
	} causes[INSTANCE_MOST_CAUSES]; /* of INSTANCE_BLOCKED */
};

#define NO_EVENT SIZE_MAX
#define INSTANCE_MOST_MODES 2

/* Which events of the model are counted in one mode: in user code, in the kernel, or in both. */
struct instance_mode {
	size_t instructions;
	size_t cycles;
	size_t misses; /* of the last level that is counted; NO_EVENT: none */
};

struct instance_reader {
	const struct model *model;
	struct wait_spans waits;
	struct window_events events;
	size_t nr_modes; /* none: instructions and cycles were not counted */
	struct instance_mode modes[INSTANCE_MOST_MODES];
	bool with_kernel; /* the kernel is counted, too: what a cycle takes is the clock's frequency */
};

/* instance_reader_free() frees it. */
struct instance_reader instance_reader_new(const struct model *model);
void instance_reader_free(struct instance_reader *reader);

/* Of @thread in [from_ns, to_ns). Cost: its rows there. */
struct instance_times instance_times_of(const struct instance_reader *reader, uint32_t thread,
					uint64_t from_ns, uint64_t to_ns);

/* Adds @times to @sum, which is all 0 at first. */
void instance_times_add(struct instance_times *sum, const struct instance_times *times);

/* All of it. */
double instance_times_wall_ns(const struct instance_times *times);

/* Of what was blocked, for @cause. */
double instance_times_blocked_ns(const struct instance_times *times, uint32_t cause);

#endif /* ANNOT_INSTANCE_TIMES_H */
