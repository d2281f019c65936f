/* SPDX-License-Identifier: GPL-2.0 */
/* What truth.c notes and truth_json.c writes. */
#ifndef WORKLOADS_TRUTH_LOG_H
#define WORKLOADS_TRUTH_LOG_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/types.h>

#include "truth.h"

#define MAX_ANNOTATIONS 1024
#define MAX_SPANS 512
#define MAX_MOVES 64
#define MAX_DEPTH 8

struct truth_annotation {
	char letter; /* B W E I C, as in the device's text format */
	bool has_value;
	const char *name; /* the same address in a parent and its children */
	int64_t value;
};

struct truth_span {
	struct truth_annotation begin;
	unsigned int depth;
	uint64_t start_ns;
	uint64_t end_ns;
	uint64_t start_cpu_ns;
	uint64_t cpu_ns;
	int64_t start_count;
	int64_t count; /* -1: not known */
};

struct truth_move {
	int from;
	int to;
	uint64_t before_ns;
	uint64_t after_ns;
};

struct truth_thread {
	char name[16];
	pid_t tid;
	pid_t tgid;
	uint64_t start_ns;
	uint64_t end_ns;
	uint64_t cpu_ns;
	int64_t schedstat_run_ns;
	int count_fd; /* -1: none */
	int count_error; /* why there is none */
	int64_t count; /* -1: not known */
	long voluntary_switches;
	long involuntary_switches;
	unsigned int nr_annotations;
	struct truth_annotation annotations[MAX_ANNOTATIONS];
	unsigned int nr_spans;
	struct truth_span spans[MAX_SPANS];
	unsigned int depth;
	unsigned int open[MAX_DEPTH];
	unsigned int nr_moves;
	struct truth_move moves[MAX_MOVES];
};

struct truth {
	uint64_t start_ns;
	const char *event; /* NULL: none is counted */
	void (*write_details)(FILE *out);
	unsigned int nr_threads;
	struct truth_thread threads[];
};

#endif /* WORKLOADS_TRUTH_LOG_H */
