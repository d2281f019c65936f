// SPDX-License-Identifier: GPL-2.0
#include "cmd/words/fail_on.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "cli/value.h"
#include "model/window/filter.h"
#include "util/diag.h"
#include "util/text/nearest.h"
#include "util/xalloc.h"

#define LIMIT_BYTES 64

static const struct {
	const char *name;
	enum rule_subject subject;
	enum run_length length;
} figures[] = {
	{ "p50", RULE_TASK, RUN_P50 },
	{ "p90", RULE_TASK, RUN_P90 },
	{ "p95", RULE_TASK, RUN_P95 },
	{ "p99", RULE_TASK, RUN_P99 },
	{ "mean", RULE_TASK, RUN_MEAN },
	{ "max", RULE_TASK, RUN_MAX },
	{ "total", RULE_TASK, RUN_TOTAL },
	{ .name = "misses", .subject = RULE_MISSES },
	{ .name = "length", .subject = RULE_LENGTH },
	{ .name = "finding", .subject = RULE_FINDING },
};

static const char *skip_blanks(const char *text)
{
	return text + strspn(text, " \t");
}

/* What stands in parentheses, without the blanks around it. */
struct argument {
	const char *start; /* NULL: there are no parentheses */
	size_t length;
};

/* Names of tasks may have parentheses themselves, a limit does not. @text is moved behind them. */
static struct argument take_argument(const char **text)
{
	const char *start = skip_blanks(*text), *end = strrchr(start, ')');
	struct argument argument = { 0 };

	if (*start != '(' || !end)
		return argument;
	*text = end + 1;
	start = skip_blanks(start + 1);
	while (end > start && isblank((unsigned char)end[-1]))
		end--;
	return (struct argument){ start, (size_t)(end - start) };
}

static int take_figure(struct rule *rule, const char **text, const struct cli_value *value)
{
	size_t length = strspn(*text, "abcdefghijklmnopqrstuvwxyz0123456789");

	for (size_t i = 0; i < sizeof(figures) / sizeof(figures[0]); i++) {
		if (strlen(figures[i].name) != length || memcmp(figures[i].name, *text, length))
			continue;
		rule->subject = figures[i].subject;
		rule->length = figures[i].length;
		*text += length;
		return EXIT_OK;
	}
	return cli_value_error(value,
			       "begins with none of p50, p90, p95, p99, mean, max, total, misses, "
			       "finding and length");
}

static void complain_of_finding(const char *name, const char *const *names,
				const struct cli_value *value)
{
	const char *nearest = nearest_word(name, names);

	diag_error("%s: --%s '%s': no such finding: '%s'%s%s%s (annot explain lists all)",
		   value->command->name, value->option->name, value->text, name,
		   nearest ? "; did you mean '" : "", nearest ? nearest : "", nearest ? "'?" : "");
}

static int set_finding(struct rule *rule, const struct argument *argument,
		       const struct cli_value *value)
{
	const char *names[NR_FINDING_KINDS + 1] = { NULL };
	char *name = xstrndup(argument->start, argument->length);
	int status = EXIT_USAGE, kind = 0;

	for (int i = 0; i < NR_FINDING_KINDS; i++)
		names[i] = finding_kind_name((enum finding_kind)i);
	while (kind < NR_FINDING_KINDS && strcmp(names[kind], name))
		kind++;
	if (kind < NR_FINDING_KINDS)
		status = EXIT_OK;
	else
		complain_of_finding(name, names, value);
	rule->finding = (enum finding_kind)kind;
	free(name);
	return status;
}

static int take_subject(struct rule *rule, const char **text, const struct cli_value *value)
{
	struct argument argument = take_argument(text);

	if (rule->subject == RULE_LENGTH)
		return argument.start ?
			       cli_value_error(value,
					       "length is of the session, and has no parentheses") :
			       EXIT_OK;
	if (!argument.length)
		return cli_value_error(
			value, "what it is of must follow in parentheses, as in p95(solve)");
	if (rule->subject == RULE_FINDING)
		return set_finding(rule, &argument, value);
	rule->task = argument.start;
	rule->task_length = argument.length;
	return EXIT_OK;
}

static int take_comparison(struct rule *rule, const char **text, const struct cli_value *value)
{
	*text = skip_blanks(*text);
	if (**text != '<' && **text != '>')
		return cli_value_error(value, "one of >, >=, < and <= must follow the figure");
	rule->is_above = *(*text)++ == '>';
	rule->with_limit = **text == '=';
	*text += rule->with_limit;
	return EXIT_OK;
}

/* A number and "%", or nothing, behind it. */
static bool read_number(const char *text, const char *unit, double *number)
{
	size_t length = strspn(text, "0123456789.");
	char *end;

	*number = strtod(text, &end);
	return length && end == text + length && !strcmp(end, unit);
}

/* In the unit of the figure; false: it is none. */
static bool read_value(const struct rule *rule, const char *text, double *number)
{
	if (rule->subject == RULE_MISSES)
		return read_number(text, "", number);
	return filter_duration_parse(number, text);
}

/* Without its blanks: a sign, a number, and a unit. */
static bool read_limit(struct rule *rule, const char *text)
{
	bool has_sign = *text == '+' || *text == '-';
	const char *number = text + has_sign;

	rule->bound = has_sign ? RULE_DIFFERENCE : RULE_VALUE;
	if (read_number(number, "%", &rule->limit)) {
		rule->bound = RULE_SHARE;
		rule->limit /= 100;
	} else if (!read_value(rule, number, &rule->limit)) {
		return false;
	}
	if (*text == '-')
		rule->limit = -rule->limit;
	return true;
}

static int take_limit(struct rule *rule, const char *text, const struct cli_value *value)
{
	char limit[LIMIT_BYTES] = "";
	size_t nr = 0;

	for (; *text && nr + 1 < sizeof(limit); text++) {
		if (!isblank((unsigned char)*text))
			limit[nr++] = *text;
	}
	if (!*text && read_limit(rule, limit))
		return EXIT_OK;
	return cli_value_error(
		value,
		rule->subject == RULE_MISSES ?
			"the limit is not a number, or a change such as +5 %" :
			"the limit is not a time with its unit, such as 10ms, or a change such as "
			"+5 % or +2ms");
}

int fail_on_add(void *field, const struct cli_value *value)
{
	struct fail_on *fail_on = field;
	struct rule rule = { .text = value->text };
	const char *text = skip_blanks(value->text);

	_Static_assert(RULES_MOST == 32, "the message has the number");
	if (fail_on->nr == RULES_MOST)
		return cli_value_error(value, "more than 32 rules");
	if (take_figure(&rule, &text, value) || take_subject(&rule, &text, value) ||
	    take_comparison(&rule, &text, value) || take_limit(&rule, text, value))
		return EXIT_USAGE;
	fail_on->rules[fail_on->nr++] = rule;
	return EXIT_OK;
}

/* The names of all tasks of all runs, NULL at the end; some more than once. free() them. */
static const char **names_of_tasks(const struct runs *runs)
{
	const char **names = NULL;
	size_t nr = 0, capacity = 0;

	for (int side = 0; side < 2; side++) {
		for (size_t i = 0; i < runs->nr[side]; i++) {
			const struct run_figures *run = &runs->rows[side][i];

			for (size_t task = 0; task < run->nr_tasks; task++) {
				ARRAY_MAKE_ROOM(names, nr, capacity);
				names[nr++] = string_table_get(runs->names, run->tasks[task].name);
			}
		}
	}
	ARRAY_MAKE_ROOM(names, nr, capacity);
	names[nr] = NULL;
	return names;
}

static void complain_of_task(const struct rule *rule, const struct runs *runs)
{
	char *typed = xstrndup(rule->task, rule->task_length);
	const char **names = names_of_tasks(runs);
	const char *nearest = nearest_word(typed, names);

	diag_error("diff: --fail-on '%s': no trace has a task '%s'%s%s%s", rule->text, typed,
		   nearest ? "; did you mean '" : "", nearest ? nearest : "", nearest ? "'?" : "");
	free(names);
	free(typed);
}

bool fail_on_has_tasks(const struct fail_on *fail_on, const struct runs *runs)
{
	for (size_t i = 0; i < fail_on->nr; i++) {
		enum trace_span_kind kind;
		uint32_t name;

		if (!fail_on->rules[i].task ||
		    rule_find_task(&fail_on->rules[i], runs, &name, &kind))
			continue;
		complain_of_task(&fail_on->rules[i], runs);
		return false;
	}
	return true;
}
