/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Rules as annot diff --fail-on has them:
 *	p50|p90|p95|p99|mean|max|total|misses(TASK)|finding(KIND)|length  >|>=|<|<=  [+|-]VALUE[%|ns|us|ms|s]
 * with blanks in between wherever one likes. A sign, or a %, is of a change.
 */
#ifndef ANNOT_CMD_FAIL_ON_H
#define ANNOT_CMD_FAIL_ON_H

#include "analysis/runs/rules.h"
#include "cli/command.h"

struct fail_on {
	size_t nr;
	struct rule rules[RULES_MOST];
};

/* For cli_option.set: the field is a struct fail_on, to which a rule is added. */
int fail_on_add(void *field, const struct cli_value *value);

/* Whether each task of a rule is in one of @runs. If not, prints one line on stderr, with the name that was probably meant. */
bool fail_on_has_tasks(const struct fail_on *fail_on, const struct runs *runs);

#endif /* ANNOT_CMD_FAIL_ON_H */
