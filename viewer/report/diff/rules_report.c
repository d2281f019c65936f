// SPDX-License-Identifier: GPL-2.0
#include "report/diff/rules_report.h"

#include <math.h>
#include <stdlib.h>

#include "report/diff/diff_page.h"
#include "util/text/figure.h"
#include "util/text/text.h"

static const char *outcome_word(enum rule_outcome outcome)
{
	static const char *const words[] = {
		[RULE_OK] = "ok",
		[RULE_FAILS] = "FAIL",
		[RULE_UNKNOWN] = "unknown",
	};

	return words[outcome];
}

static struct figure figure_of(const struct rule *rule, double value)
{
	return rule->subject == RULE_MISSES ? figure_number(value) :
					      figure_ns((uint64_t)llround(value), " ");
}

static void print_change(const struct rule_result *result, double change, FILE *out)
{
	if (result->rule->bound == RULE_SHARE)
		fprintf(out, "%+.1f %%", 100 * change);
	else if (result->rule->subject == RULE_MISSES)
		fprintf(out, "%+.3g", change);
	else
		fputs(figure_change_ns(llround(change)).text, out);
}

/* Whether the test is of what the limit is of: of no ratio, it is of the difference. */
static bool has_interval_of(const struct rule_result *result)
{
	const struct welch_test *test = &result->value.test;

	if (result->rule->bound == RULE_VALUE || !test->is_tested)
		return false;
	return test->has_ratio || result->rule->bound == RULE_DIFFERENCE;
}

/* Of what a change was tested by. */
static void print_test(const struct rule_result *result, FILE *out)
{
	const struct welch_test *test = &result->value.test;

	if (!test->is_tested) {
		fputs("; how much runs differ is not known", out);
		return;
	}
	if (has_interval_of(result)) {
		fputs("; interval ", out);
		print_change(result, test->low, out);
		fputs(" to ", out);
		print_change(result, test->high, out);
	}
	if (result->needs_test)
		fprintf(out, "; p %.2g", result->value.adjusted_p);
	if (result->is_within)
		fputs(": within the variation from run to run", out);
}

static void print_unknown(const struct rule_result *result, FILE *out)
{
	bool before = runs_value_is_known(&result->value, 0);
	bool after = runs_value_is_known(&result->value, 1);

	fprintf(out, "not in any run %s", before ? "after" : after ? "before" : "at all");
}

static void print_figures(const struct rule_result *result, FILE *out)
{
	const struct runs_value *value = &result->value;

	if (result->outcome == RULE_UNKNOWN) {
		print_unknown(result, out);
		return;
	}
	if (result->rule->bound == RULE_VALUE) {
		fputs(figure_of(result->rule, result->figure).text, out);
		return;
	}
	print_change(result, result->figure, out);
	fprintf(out, " (%s, was %s", figure_of(result->rule, value->samples[1].mean).text,
		figure_of(result->rule, value->samples[0].mean).text);
	print_test(result, out);
	fputc(')', out);
}

void rules_report_text(const struct rules_report *rules, FILE *out)
{
	int columns = 0;

	if (!rules->nr)
		return;
	for (size_t i = 0; i < rules->nr; i++)
		columns = text_widest(columns, rules->results[i].rule->text, LINE_COLUMNS);
	fputc('\n', out);
	for (size_t i = 0; i < rules->nr; i++) {
		fprintf(out, "%-7s  ", outcome_word(rules->results[i].outcome));
		text_print_name(out, rules->results[i].rule->text, -1, columns);
		fputs("  ", out);
		print_figures(&rules->results[i], out);
		fputc('\n', out);
	}
}

/* Of what its limit is of. */
static const char *unit_of(const struct rule *rule)
{
	if (rule->bound == RULE_SHARE)
		return "share";
	return rule->subject == RULE_MISSES ? "count" : "ns";
}

static void write_result(struct json *json, const struct rule_result *result)
{
	static const char *const outcomes[] = {
		[RULE_OK] = "ok",
		[RULE_FAILS] = "fail",
		[RULE_UNKNOWN] = "unknown",
	};
	const struct runs_value *value = &result->value;
	bool has_interval = has_interval_of(result);

	json_begin_object(json);
	json_key_string(json, "rule", result->rule->text);
	json_key_string(json, "result", outcomes[result->outcome]);
	json_key_u64(json, "before_runs", value->samples[0].nr);
	json_key_u64(json, "after_runs", value->samples[1].nr);
	json_key_known_double(json, "before", value->samples[0].nr, value->samples[0].mean);
	json_key_known_double(json, "after", value->samples[1].nr, value->samples[1].mean);
	json_key_string(json, "unit", unit_of(result->rule));
	json_key_known_double(json, "limit", true, result->rule->limit);
	json_key_known_double(json, "figure", result->outcome != RULE_UNKNOWN, result->figure);
	json_key_known_double(json, "low", has_interval, value->test.low);
	json_key_known_double(json, "high", has_interval, value->test.high);
	json_key_known_double(json, "adjusted_p_value", result->needs_test, value->adjusted_p);
	json_key_bool(json, "within_variation", result->is_within);
	json_end_object(json);
}

void rules_report_json(const struct rules_report *rules, struct json *json)
{
	if (!rules->nr)
		return;
	json_key(json, "rules");
	json_begin_array(json);
	for (size_t i = 0; i < rules->nr; i++)
		write_result(json, &rules->results[i]);
	json_end_array(json);
}

static void write_row(const struct rule_result *result, FILE *out)
{
	char *figures = NULL;
	size_t nr_bytes;
	FILE *text = open_memstream(&figures, &nr_bytes);

	if (text) {
		print_figures(result, text);
		fclose(text);
	}
	fprintf(out, "<tr><td%s>%s</td>",
		result->outcome == RULE_OK ? "" : diff_page_class(true, false),
		outcome_word(result->outcome));
	diff_page_cell(result->rule->text, out);
	diff_page_cell(figures ? figures : "", out);
	fputs("</tr>\n", out);
	free(figures);
}

void rules_report_html(const struct rules_report *rules, FILE *out)
{
	if (!rules->nr)
		return;
	fputs("<h2>Rules</h2>\n<div class=\"scroll\"><table><tbody>\n", out);
	for (size_t i = 0; i < rules->nr; i++)
		write_row(&rules->results[i], out);
	fputs("</tbody></table></div>\n", out);
}
