/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What a workload really did, by its own clocks, to hold a trace against.
 *
 * A thread annotates through the functions below; they pass it on to annot/annot.h and note it.
 * A span's clocks are read inside of it: after its begin, before its end. Each thread has a log of
 * its own, in memory that is shared with the children of fork().
 */
#ifndef WORKLOADS_TRUTH_H
#define WORKLOADS_TRUTH_H

#include <stdint.h>
#include <stdio.h>

struct truth;
struct truth_thread;

/* Room for @nr_threads threads. Never freed. */
struct truth *truth_create(unsigned int nr_threads);

/*
 * Each thread that begins from now on counts this event (count.h). Its spans then have counts:
 * between the clocks' reading, so without that of annotating.
 */
void truth_count_event(struct truth *truth, const char *event);

/* @write: writes further members of the JSON object, without a comma before or after them. */
void truth_add_details(struct truth *truth, void (*write)(FILE *out));

/* Thread number @index begins, or ends; to be called by it. @name must be a literal, or last. */
struct truth_thread *truth_thread_begin(struct truth *truth, unsigned int index, const char *name);
void truth_thread_end(struct truth_thread *thread);

/* Annotations. Names are not copied. */
void truth_begin(struct truth_thread *thread, const char *name, int64_t value);
void truth_wait_begin(struct truth_thread *thread, const char *name);
void truth_end(struct truth_thread *thread);
void truth_mark(struct truth_thread *thread, const char *name, int64_t value);
void truth_counter(struct truth_thread *thread, const char *name, int64_t value);

/* Binds the calling thread, which is bound to one CPU, to another; marks and notes it. */
void truth_move(struct truth_thread *thread, int to_cpu);

/*
 * Writes the truth as JSON to @path. Keys, times in nanoseconds:
 *
 *	program, pid, clock, annot_status, cpus[], start_ns, end_ns, annotations
 *	counted: the event, or null; whatever the program adds
 *	threads[]: tid, tgid, name, start_ns, end_ns, cpu_ns, schedstat_run_ns (null: not known),
 *		voluntary_switches, involuntary_switches, count (in all), count_error (errno, or 0),
 *		annotations{begin, wait_begin, end, mark, counter},
 *		sequence[]: each annotation in order, as a line of the device's text format,
 *		spans[]: name, kind (work, wait), depth, value (null: none), start_ns, end_ns, cpu_ns,
 *			count (null: not known),
 *		moves[]: from, to, before_ns, after_ns
 *	tasks[]: name, kind, instances, threads, wall_ns, cpu_ns, and over the threads that have it,
 *		by their CPU time in it: load_balance (avg / max), imbalance_time_ns (max - avg),
 *		imbalance_pct ((max - avg) / max * P / (P - 1) * 100; null for one thread)
 *	moves{total, matrix[]: from, to, count}
 */
void truth_write(const struct truth *truth, const char *path);

#endif /* WORKLOADS_TRUTH_H */
