// SPDX-License-Identifier: GPL-2.0
/*
 * Formulas of metrics: values computed by hand, precedence as in C and as perf's, and what is wrong with wrong ones.
 */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "analysis/topdown/metric_expr.h"

#define A 8
#define B 2

static const double values[] = { A, B, 0, NAN };

static const char *const names[] = { "a", "B.1_two", "zero", "nan" };

static struct metric_expr twice; /* 2 * a */

static struct metric_name resolve(void *context, const char *name)
{
	(void)context;
	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		if (!strcmp(names[i], name))
			return (struct metric_name){ METRIC_NAME_VALUE, .value = i };
	}
	if (!strcmp(name, "#SMT_on"))
		return (struct metric_name){ METRIC_NAME_NUMBER, .number = 1 };
	if (!strcmp(name, "tma_twice"))
		return (struct metric_name){ METRIC_NAME_EXPR, .expr = &twice };
	/* What names may have in them. */
	if (!strcmp(name, "topdown-retiring") || !strcmp(name, "cpu/UOPS.ANY,cmask=1/"))
		return (struct metric_name){ METRIC_NAME_VALUE, .value = 0 };
	return (struct metric_name){ METRIC_NAME_UNKNOWN };
}

static double value_of(const char *text)
{
	struct metric_expr expr;
	char why[METRIC_WHY_BYTES] = "";
	double value;

	if (metric_expr_parse(text, resolve, NULL, &expr, why) != METRIC_PARSED)
		fail_msg("%s: %s", text, why);
	value = metric_expr_value(&expr, values);
	metric_expr_free(&expr);
	return value;
}

static void check(const char *text, double truth)
{
	double value = value_of(text);

	if (!(fabs(value - truth) < 1e-9))
		fail_msg("%s is %g, not %g", text, value, truth);
}

static void check_nan(const char *text)
{
	if (!isnan(value_of(text)))
		fail_msg("%s is %g", text, value_of(text));
}

static void check_wrong(const char *text, enum metric_parsed status, const char *truth)
{
	struct metric_expr expr;
	char why[METRIC_WHY_BYTES] = "";

	assert_int_equal(metric_expr_parse(text, resolve, NULL, &expr, why), status);
	assert_string_equal(why, truth);
	metric_expr_free(&expr);
}

static void test_values(void **state)
{
	(void)state;
	check("1", 1);
	check(" 1.5e3 ", 1500);
	check(".5", 0.5);
	check("a", 8);
	check("a + B.1_two * 3", 14);
	check("(a + B.1_two) * 3", 30);
	check("a - B.1_two - 1", 5);
	check("a / B.1_two / 2", 2);
	check("a % 3", 2);
	check("-a + 1", -7);
	check("2 * -3", -6);
	check("a - -1", 9);
	check("max(a, B.1_two) - min(a, B.1_two)", 6);
	check("max(0, min(1, 1 - a))", 0);
	check("1 < 2", 1);
	check("a > 8", 0);
	check("a > 7 & B.1_two < 3", 1);
	check("0 & 1 | 1", 1);
	check("1 ^ 1", 0);
	check("1 + 1 > 1", 1);
	check("d_ratio(a, B.1_two)", 4);
	check("d_ratio(a, zero)", 0);
}

static void test_choices(void **state)
{
	(void)state;
	check("1 if a > 1 else 2", 1);
	check("1 if zero else 2", 2);
	check("1 if zero else 2 if zero else 3", 3);
	check("a + 1 if a > B.1_two else 0", 9);
	check("10 * (a / 2 if #SMT_on else a)", 40);
	/* What is not taken may be unknown. */
	check("nan if zero else a", 8);
	check("a if 1 else a / zero", 8);
}

static void test_unknown(void **state)
{
	(void)state;
	check_nan("a / zero");
	check_nan("nan + 1");
	check_nan("max(nan, 1)");
	check_nan("min(1, nan)");
	check_nan("nan > 1");
	check_nan("1 if nan else 2");
	check_nan("a % zero");
}

static void test_names(void **state)
{
	char why[METRIC_WHY_BYTES];

	(void)state;
	check("topdown\\-retiring - 1", 7);
	check("cpu@UOPS.ANY\\,cmask\\=1@ / 2", 4);
	assert_int_equal(metric_expr_parse("2 * a", resolve, NULL, &twice, why), METRIC_PARSED);
	check("tma_twice - 1", 15);
	check("10 / tma_twice", 0.625);
	metric_expr_free(&twice);
}

static void test_wrong(void **state)
{
	char deep[400];

	(void)state;
	check_wrong("", METRIC_WRONG, "a number, a name or '(' is missing at its end");
	check_wrong("a +", METRIC_WRONG, "a number, a name or '(' is missing at its end");
	check_wrong("(a", METRIC_WRONG, "')' is missing at its end");
	check_wrong("min(a)", METRIC_WRONG, "',' is missing at ')'");
	check_wrong("a b", METRIC_WRONG, "an operator is missing at 'b'");
	check_wrong("1 if a", METRIC_WRONG, "'else' is missing at its end");
	check_wrong("1 + has_event(a)", METRIC_NO_NAME, "has_event()");
	check_wrong("a / * 2", METRIC_WRONG, "a number, a name or '(' is missing at '* 2'");
	check_wrong("a + uops.c", METRIC_NO_NAME, "uops.c");
	check_wrong("#has_pmem * 2", METRIC_NO_NAME, "#has_pmem");
	check_wrong("cpu@a", METRIC_WRONG, "a number, a name or '(' is missing at its end");
	memset(deep, '(', sizeof(deep) - 1);
	deep[sizeof(deep) - 1] = '\0';
	check_wrong(deep, METRIC_WRONG, "it is nested too deeply");
	memset(deep, '-', sizeof(deep) - 1);
	check_wrong(deep, METRIC_WRONG, "it is nested too deeply");
}

/* The stack holds what stands before each parenthesis. */
static void test_stack(void **state)
{
	char text[1000] = "";
	struct metric_expr expr;
	char why[METRIC_WHY_BYTES];

	(void)state;
	for (int i = 0; i < 30; i++)
		strcat(text, "1 + (");
	strcat(text, "1");
	for (int i = 0; i < 30; i++)
		strcat(text, ")");
	check(text, 31);
	text[0] = '\0';
	for (int i = 0; i < 60; i++)
		strcat(text, "1 + (");
	assert_int_equal(metric_expr_parse(text, resolve, NULL, &expr, why), METRIC_WRONG);
	metric_expr_free(&expr);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_values),	cmocka_unit_test(test_choices),
		cmocka_unit_test(test_unknown), cmocka_unit_test(test_names),
		cmocka_unit_test(test_wrong),	cmocka_unit_test(test_stack),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
