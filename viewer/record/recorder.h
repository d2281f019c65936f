/* SPDX-License-Identifier: GPL-2.0 */
/*
 * trace-cmd as a child of ours, in a session of its own: what the terminal or the program's
 * signals do does not reach it, and what happens to it does not reach the program.
 */
#ifndef ANNOT_RECORD_RECORDER_H
#define ANNOT_RECORD_RECORDER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

/* Which of the module's events are recorded. */
enum recorder_annot {
	RECORDER_ANNOT_NONE, /* the module is not there */
	RECORDER_ANNOT_ALL, /* it knows no batches */
	RECORDER_ANNOT_BATCHED,
	RECORDER_ANNOT_ONE_BY_ONE,
};

struct recorder_options {
	const char *output;
	const char *clock;
	long buffer_kb; /* per CPU */
	enum recorder_annot annot;
	bool samples; /* of the PMU; not with RECORDER_ANNOT_NONE or _ALL */
	bool counts;
	const char **extra_events; /* as trace-cmd's -e takes them; NULL: end */
};

struct recorder {
	pid_t pid; /* 0: ended and waited for */
	int status; /* as waitpid() gives it, once ended */
	int output_fd; /* what it said, on stdout and stderr */
};

/* Starts trace-cmd. Returns -1 after one line on stderr. */
int recorder_start(struct recorder *recorder, const struct recorder_options *options);

/* Do its helpers, one a CPU, read? It turns tracing on before; asked to end then, it loses data. */
bool recorder_is_ready(const struct recorder *recorder, const char *output);

/* Has it ended? Does not wait. */
bool recorder_ended(struct recorder *recorder);

/* Asks it to write its file and to end; may be said more than once. */
void recorder_ask_to_end(const struct recorder *recorder);

/* Ends what is left of it, recording or not. */
void recorder_destroy(struct recorder *recorder);

/* Did it end well? If not, @why says in one line what it said itself, or how it ended. */
bool recorder_succeeded(const struct recorder *recorder, char *why, size_t size);

/* What is in the files it gathers each CPU's events in, until it joins them into @output. */
uint64_t recorder_bytes_so_far(const char *output);

/* Removes those files: of a start that failed, or of a recording that was not finished. */
void recorder_remove_leftovers(const char *output);

/* As trace-cmd's -e takes them; NULL: end. */
const char *const *recorder_annot_events(enum recorder_annot annot);
const char *const *recorder_pmu_events(bool samples, bool counts);

/* Makes one line of what trace-cmd printed before it died: its own words; "" if there are none. */
void recorder_explain(const char *printed, char *why, size_t size);

#endif /* ANNOT_RECORD_RECORDER_H */
