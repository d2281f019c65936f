/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A summary of the whole trace, gathered from its windows: what a page needs before it reads any
 * window.
 */
#ifndef ANNOT_PAGE_SUMMARY_H
#define ANNOT_PAGE_SUMMARY_H

#include "model/model.h"

#define SUMMARY_ERRORS 4096 /* the kernel's errors are below it */

struct thread_summary {
	int depth; /* levels of spans */
	uint64_t nr_spans;
	int kernel_depth; /* levels of what it does in the kernel */
	uint64_t nr_kernel_slices;
	uint64_t nr_marks; /* without counters */
	int main_cpu; /* where it ran for more than half of its CPU time, if there is one */
	uint64_t lead_ns; /* 0: it never ran */
	uint64_t stolen_ns; /* by interrupts */
};

struct cpu_summary {
	bool has_idle; /* it has idle states */
	uint32_t most_khz; /* 0: no frequencies */
};

struct series_summary {
	uint32_t thread;
	uint32_t name; /* string id */
	uint64_t nr;
	int64_t min; /* minimum of all values and 0, because charts begin at 0 */
	int64_t max;
};

struct window_summary {
	uint64_t start_ns;
	uint64_t nr_rows;
	uint64_t nr_annotations; /* rows that are spans or marks */
	bool is_left_out; /* dropped to limit the page's size */
};

struct row_counts {
	uint64_t slices;
	uint64_t gaps;
	uint64_t states;
	uint64_t spans;
	uint64_t marks;
	uint64_t kernel_slices;
	uint64_t migrations;
	uint64_t wakeups;
	uint64_t samples;
	uint64_t slice_counts;
	uint64_t interrupts;
	uint64_t trace_events;
};

/* Zero-initialise; summary_free(). */
struct page_summary {
	uint32_t nr_strings; /* so many of the trace's; 0: all of them */
	struct row_counts counts;
	size_t nr_threads;
	struct thread_summary *threads;
	size_t nr_cpus;
	struct cpu_summary *cpus;
	size_t nr_names;
	uint64_t *nr_spans_of; /* by string id * 2 + kind */
	size_t nr_mark_names;
	uint64_t *nr_marks_of; /* by string id; includes counters */
	size_t nr_kernel_names;
	uint64_t *nr_kernel_slices_of; /* by string id */
	bool has_error[SUMMARY_ERRORS]; /* system calls returned -i */
	size_t nr_event_names;
	uint64_t *nr_events_of; /* by string id */
	size_t nr_event_cpus;
	uint64_t *nr_events_on; /* by CPU */
	size_t nr_event_threads;
	uint64_t *nr_events_in; /* by thread */
	size_t nr_series;
	struct series_summary *series; /* in order of first appearance */
	size_t nr_windows;
	struct window_summary *windows;
	void *series_tree;
};

/* Adds a window that starts at @start_ns. */
void summary_add_window(struct page_summary *summary, const struct model *window,
			uint64_t start_ns);
void summary_add_rest(struct page_summary *summary, const struct model *rest);
void summary_free(struct page_summary *summary);

#endif /* ANNOT_PAGE_SUMMARY_H */
