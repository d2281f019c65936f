/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Rules that the runs after a change must keep: a figure of theirs, or how it changed, has a limit.
 *
 * A rule fails if the figure is beyond its limit. Where the rule is about a change, and would not fail without any, the change must
 * also exceed what runs differ from each other by: Welch's test (welch_test.h), adjusted for the number of such rules (holm.h),
 * gives RUNS_MOST_P at most. So a change that is none fails a gate of any number of rules in 5 of 100 cases. With one run a side it
 * is not known how much runs differ, and the figure alone decides.
 *
 * Of a figure that a side does not have, the result is unknown, which is no pass.
 */
#ifndef ANNOT_RULES_H
#define ANNOT_RULES_H

#include "analysis/runs/runs_value.h"

#define RULES_MOST 32

enum rule_subject {
	RULE_LENGTH, /* of the session */
	RULE_TASK, /* how long its instances take */
	RULE_MISSES, /* of a task: per instance */
	RULE_FINDING, /* time lost to the worst of its kind */
};

enum rule_bound {
	RULE_VALUE, /* of the figure after */
	RULE_DIFFERENCE, /* to the figure before */
	RULE_SHARE, /* its change, as a share of the figure before */
};

struct rule {
	const char *text; /* as the user wrote it */
	enum rule_subject subject;
	enum run_length length; /* of RULE_TASK */
	enum finding_kind finding; /* of RULE_FINDING */
	const char *task; /* its name: the first task_length bytes */
	size_t task_length;
	bool is_above; /* it fails above the limit; else below */
	bool with_limit; /* it fails at the limit, too */
	enum rule_bound bound;
	double limit; /* ns, misses, or a share */
};

enum rule_outcome {
	RULE_OK,
	RULE_FAILS,
	RULE_UNKNOWN,
};

struct rule_result {
	const struct rule *rule;
	enum rule_outcome outcome;
	struct runs_value value;
	double figure; /* what the limit is of; INFINITY: a share of 0 before */
	bool needs_test; /* its change must exceed the variation from run to run */
	bool is_within; /* it is beyond the limit, but not by more than that */
};

/* What the rule's task is called in runs; false: none has it. Of work, if there is one. */
bool rule_find_task(const struct rule *rule, const struct runs *runs, uint32_t *name,
		    enum trace_span_kind *kind);

/* Judges all @nr of @rules, into @results. Tasks that no run has are unknown. */
void rules_judge(const struct rule *rules, size_t nr, const struct runs *runs,
		 struct rule_result *results);

/* Whether each of the results is RULE_OK. */
bool rules_are_kept(const struct rule_result *results, size_t nr);

#endif /* ANNOT_RULES_H */
