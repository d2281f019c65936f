/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Formulas of metrics, as MetricExpr of the kernel's pmu-events and of intel/perfmon writes them: numbers, names, + - * / %, < >,
 * & | ^, "a if condition else b", min(), max(), d_ratio(), parentheses. A name is of an event, of another metric, or of a
 * constant (#SMT_on). In a name, what stands behind a backslash is a letter of it, and so is all between two '@'.
 */
#ifndef ANNOT_METRIC_EXPR_H
#define ANNOT_METRIC_EXPR_H

#include <stdbool.h>
#include <stddef.h>

#define METRIC_NAME_BYTES 128
#define METRIC_WHY_BYTES 256

struct metric_op;

struct metric_expr {
	size_t nr;
	size_t capacity;
	struct metric_op *ops; /* for a machine with a stack */
};

enum metric_name_kind {
	METRIC_NAME_UNKNOWN,
	METRIC_NAME_VALUE,
	METRIC_NAME_NUMBER,
	METRIC_NAME_EXPR,
};

/* What a name means. */
struct metric_name {
	enum metric_name_kind kind;
	size_t value; /* index into the values that the formula is computed from */
	double number;
	const struct metric_expr *expr; /* of another metric */
};

typedef struct metric_name (*metric_resolve)(void *context, const char *name);

enum metric_parsed {
	METRIC_PARSED,
	METRIC_WRONG, /* no formula */
	METRIC_NO_NAME, /* one of its names is METRIC_NAME_UNKNOWN, or a function that is not known; what is behind is not read */
};

/*
 * @why, of METRIC_WHY_BYTES, gets a line unless METRIC_PARSED is returned: where the formula is wrong, or the unknown name.
 * metric_expr_free() frees @expr, whatever is returned.
 */
enum metric_parsed metric_expr_parse(const char *text, metric_resolve resolve, void *context,
				     struct metric_expr *expr, char *why);
void metric_expr_free(struct metric_expr *expr);

/* NAN: it divides by zero, or a value is NAN. */
double metric_expr_value(const struct metric_expr *expr, const double *values);

/* Calls @see for each value that the formula uses, possibly more than once. */
void metric_expr_uses(const struct metric_expr *expr, void (*see)(void *context, size_t value),
		      void *context);

/*
 * Of a formula in postfix notation: a number, a value, or an operation on what is on the stack. Operations are called as formulas
 * write them, and "neg" and "if".
 */
struct metric_step {
	const char *operation; /* NULL: a number or a value */
	bool is_value;
	double number;
	size_t value;
};

void metric_expr_each(const struct metric_expr *expr,
		      void (*see)(void *context, const struct metric_step *step), void *context);

#endif /* ANNOT_METRIC_EXPR_H */
