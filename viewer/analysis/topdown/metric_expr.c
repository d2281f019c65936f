// SPDX-License-Identifier: GPL-2.0
#include "analysis/topdown/metric_expr.h"

#include <ctype.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "util/xalloc.h"

#define MOST_DEPTH 48 /* of the stack */
#define MOST_NESTING 64 /* of parentheses */
#define MOST_OPS 4096 /* with the formulas of the metrics that it names */

enum op_kind {
	OP_NUMBER,
	OP_VALUE,
	OP_NEGATE,
	OP_ADD,
	OP_SUBTRACT,
	OP_MULTIPLY,
	OP_DIVIDE,
	OP_MODULO,
	OP_LESS,
	OP_GREATER,
	OP_AND,
	OP_OR,
	OP_XOR,
	OP_MIN,
	OP_MAX,
	OP_RATIO, /* as division, but 0 where that has no value */
	OP_SELECT, /* of value, condition, other value */
};

struct metric_op {
	enum op_kind kind;
	double number;
	size_t value;
};

struct parser {
	const char *text;
	const char *at;
	metric_resolve resolve;
	void *context;
	struct metric_expr *expr;
	size_t depth;
	size_t nesting;
	enum metric_parsed status;
	char *why;
};

static void parse_choice(struct parser *parser);

static void __attribute__((format(printf, 3, 4)))
fail(struct parser *parser, enum metric_parsed status, const char *format, ...)
{
	va_list args;

	if (parser->status != METRIC_PARSED)
		return;
	parser->status = status;
	va_start(args, format);
	vsnprintf(parser->why, METRIC_WHY_BYTES, format, args);
	va_end(args);
}

static void fail_here(struct parser *parser, const char *what)
{
	if (*parser->at)
		fail(parser, METRIC_WRONG, "%s at '%.20s'", what, parser->at);
	else
		fail(parser, METRIC_WRONG, "%s at its end", what);
}

static void skip_blanks(struct parser *parser)
{
	while (isspace((unsigned char)*parser->at))
		parser->at++;
}

static void add_op(struct parser *parser, struct metric_op op)
{
	struct metric_expr *expr = parser->expr;

	if (parser->status != METRIC_PARSED)
		return;
	if (expr->nr == MOST_OPS) {
		fail(parser, METRIC_WRONG, "it is too long");
		return;
	}
	ARRAY_MAKE_ROOM(expr->ops, expr->nr, expr->capacity);
	expr->ops[expr->nr++] = op;
}

/* An operation that takes @takes values off the stack, and puts one on it. */
static void add(struct parser *parser, enum op_kind kind, size_t takes)
{
	parser->depth = parser->depth + 1 - takes;
	if (parser->depth > MOST_DEPTH)
		fail(parser, METRIC_WRONG, "it is nested too deeply");
	add_op(parser, (struct metric_op){ .kind = kind });
}

static void add_number(struct parser *parser, double number)
{
	add(parser, OP_NUMBER, 0);
	if (parser->status == METRIC_PARSED)
		parser->expr->ops[parser->expr->nr - 1].number = number;
}

static size_t depth_of(const struct metric_expr *expr);

static void add_expr(struct parser *parser, const struct metric_expr *expr)
{
	if (parser->depth + depth_of(expr) > MOST_DEPTH)
		fail(parser, METRIC_WRONG, "it is nested too deeply");
	for (size_t i = 0; i < expr->nr; i++)
		add_op(parser, expr->ops[i]);
	parser->depth++;
}

/* What follows, if it is the sign @sign. */
static bool take(struct parser *parser, char sign)
{
	skip_blanks(parser);
	if (*parser->at != sign)
		return false;
	parser->at++;
	return true;
}

static bool is_of_name(char letter)
{
	return isalnum((unsigned char)letter) || strchr("_.:#", letter);
}

/* The word @word, and no longer one. */
static bool take_word(struct parser *parser, const char *word)
{
	size_t bytes = strlen(word);

	skip_blanks(parser);
	if (strncmp(parser->at, word, bytes) ||
	    (parser->at[bytes] && is_of_name(parser->at[bytes])))
		return false;
	parser->at += bytes;
	return true;
}

static void expect(struct parser *parser, char sign)
{
	char what[] = "',' is missing";

	what[1] = sign;
	if (!take(parser, sign))
		fail_here(parser, what);
}

/* Takes a name off the text; what makes letters of others is not part of it. */
static bool take_name(struct parser *parser, char *name)
{
	bool is_quoted = false;
	size_t bytes = 0;

	skip_blanks(parser);
	while (*parser->at && bytes + 1 < METRIC_NAME_BYTES) {
		char letter = *parser->at;

		if (letter == '@') {
			is_quoted = !is_quoted;
			letter = '/';
		} else if (letter == '\\' && parser->at[1]) {
			letter = *++parser->at;
		} else if (!is_quoted && !is_of_name(letter)) {
			break;
		}
		name[bytes++] = letter;
		parser->at++;
	}
	name[bytes] = '\0';
	return bytes && !is_quoted && bytes + 1 < METRIC_NAME_BYTES;
}

static void parse_name(struct parser *parser, const char *name)
{
	struct metric_name meaning = parser->resolve(parser->context, name);

	switch (meaning.kind) {
	case METRIC_NAME_UNKNOWN:
		fail(parser, METRIC_NO_NAME, "%s", name);
		break;
	case METRIC_NAME_VALUE:
		add(parser, OP_VALUE, 0);
		if (parser->status == METRIC_PARSED)
			parser->expr->ops[parser->expr->nr - 1].value = meaning.value;
		break;
	case METRIC_NAME_NUMBER:
		add_number(parser, meaning.number);
		break;
	case METRIC_NAME_EXPR:
		add_expr(parser, meaning.expr);
		break;
	}
}

static void parse_call(struct parser *parser, enum op_kind kind)
{
	parse_choice(parser);
	expect(parser, ',');
	parse_choice(parser);
	expect(parser, ')');
	add(parser, kind, 2);
}

static void parse_word(struct parser *parser)
{
	char name[METRIC_NAME_BYTES];

	if (!take_name(parser, name)) {
		fail_here(parser, "a number, a name or '(' is missing");
		return;
	}
	if (!take(parser, '('))
		parse_name(parser, name);
	else if (!strcmp(name, "min"))
		parse_call(parser, OP_MIN);
	else if (!strcmp(name, "max"))
		parse_call(parser, OP_MAX);
	else if (!strcmp(name, "d_ratio"))
		parse_call(parser, OP_RATIO);
	else
		fail(parser, METRIC_NO_NAME, "%s()", name);
}

/* "1", "0.5", "1e9": what does not go on as a name. */
static bool take_number(struct parser *parser)
{
	char *end;
	double number;

	skip_blanks(parser);
	if (!isdigit((unsigned char)*parser->at) && *parser->at != '.')
		return false;
	number = strtod(parser->at, &end);
	if (end == parser->at || (*end && is_of_name(*end)))
		return false;
	parser->at = end;
	add_number(parser, number);
	return true;
}

static void parse_unit(struct parser *parser)
{
	if (parser->status != METRIC_PARSED)
		return;
	if (++parser->nesting > MOST_NESTING) {
		fail(parser, METRIC_WRONG, "it is nested too deeply");
	} else if (take(parser, '-')) {
		parse_unit(parser);
		add(parser, OP_NEGATE, 1);
	} else if (take(parser, '(')) {
		parse_choice(parser);
		expect(parser, ')');
	} else if (!take_number(parser)) {
		parse_word(parser);
	}
	parser->nesting--;
}

/* Operators of one rank; ranks bind the tighter the later they stand. */
struct rank {
	const char *signs;
	enum op_kind kinds[3];
};

static const struct rank ranks[] = {
	{ "|", { OP_OR } },
	{ "^", { OP_XOR } },
	{ "&", { OP_AND } },
	{ "<>", { OP_LESS, OP_GREATER } },
	{ "+-", { OP_ADD, OP_SUBTRACT } },
	{ "*/%", { OP_MULTIPLY, OP_DIVIDE, OP_MODULO } },
};

#define NR_RANKS (sizeof(ranks) / sizeof(ranks[0]))

static void parse_rank(struct parser *parser, size_t rank)
{
	if (rank == NR_RANKS) {
		parse_unit(parser);
		return;
	}
	parse_rank(parser, rank + 1);
	while (parser->status == METRIC_PARSED) {
		const char *sign;

		skip_blanks(parser);
		sign = *parser->at ? strchr(ranks[rank].signs, *parser->at) : NULL;
		if (!sign)
			return;
		parser->at++;
		parse_rank(parser, rank + 1);
		add(parser, ranks[rank].kinds[sign - ranks[rank].signs], 2);
	}
}

static void parse_choice(struct parser *parser)
{
	if (++parser->nesting > MOST_NESTING)
		fail(parser, METRIC_WRONG, "it is nested too deeply");
	if (parser->status == METRIC_PARSED)
		parse_rank(parser, 0);
	if (parser->status == METRIC_PARSED && take_word(parser, "if")) {
		parse_rank(parser, 0);
		if (take_word(parser, "else"))
			parse_choice(parser);
		else
			fail_here(parser, "'else' is missing");
		add(parser, OP_SELECT, 3);
	}
	parser->nesting--;
}

enum metric_parsed metric_expr_parse(const char *text, metric_resolve resolve, void *context,
				     struct metric_expr *expr, char *why)
{
	struct parser parser = {
		.text = text,
		.at = text,
		.resolve = resolve,
		.context = context,
		.expr = expr,
		.status = METRIC_PARSED,
		.why = why,
	};

	*expr = (struct metric_expr){ 0 };
	parse_choice(&parser);
	skip_blanks(&parser);
	if (*parser.at)
		fail_here(&parser, "an operator is missing");
	return parser.status;
}

void metric_expr_free(struct metric_expr *expr)
{
	free(expr->ops);
	*expr = (struct metric_expr){ 0 };
}

static size_t taken_by(enum op_kind kind)
{
	switch (kind) {
	case OP_NUMBER:
	case OP_VALUE:
		return 0;
	case OP_NEGATE:
		return 1;
	case OP_SELECT:
		return 3;
	default:
		return 2;
	}
}

/* How much of the stack it needs. */
static size_t depth_of(const struct metric_expr *expr)
{
	size_t depth = 0, most = 0;

	for (size_t i = 0; i < expr->nr; i++) {
		depth = depth + 1 - taken_by(expr->ops[i].kind);
		most = depth > most ? depth : most;
	}
	return most;
}

static double divide(double value, double by)
{
	return by == 0 ? NAN : value / by;
}

static double ratio_or_0(double value, double by)
{
	return by == 0 ? 0 : value / by;
}

/* fmin() and fmax() take the other one of NAN; what depends on what is not known is not known. */
static double lesser(double one, double other)
{
	return isnan(one) || isnan(other) ? NAN : fmin(one, other);
}

static double greater(double one, double other)
{
	return isnan(one) || isnan(other) ? NAN : fmax(one, other);
}

static double apply(enum op_kind kind, double one, double other)
{
	bool first = one != 0, second = other != 0;

	switch (kind) {
	case OP_ADD:
		return one + other;
	case OP_SUBTRACT:
		return one - other;
	case OP_MULTIPLY:
		return one * other;
	case OP_DIVIDE:
		return divide(one, other);
	case OP_MODULO:
		return other == 0 ? NAN : fmod(one, other);
	case OP_MIN:
		return lesser(one, other);
	case OP_MAX:
		return greater(one, other);
	case OP_RATIO:
		return ratio_or_0(one, other);
	default:
		break;
	}
	if (isnan(one) || isnan(other))
		return NAN;
	switch (kind) {
	case OP_LESS:
		return one < other;
	case OP_GREATER:
		return one > other;
	case OP_AND:
		return first && second;
	case OP_OR:
		return first || second;
	default:
		return first != second;
	}
}

static double choose(const double *three)
{
	if (isnan(three[1]))
		return NAN;
	return three[1] != 0 ? three[0] : three[2];
}

double metric_expr_value(const struct metric_expr *expr, const double *values)
{
	double stack[MOST_DEPTH + 1] = { 0 };
	size_t depth = 0;

	for (size_t i = 0; i < expr->nr; i++) {
		const struct metric_op *op = &expr->ops[i];
		double result;

		depth -= taken_by(op->kind);
		switch (op->kind) {
		case OP_NUMBER:
			result = op->number;
			break;
		case OP_VALUE:
			result = values[op->value];
			break;
		case OP_NEGATE:
			result = -stack[depth];
			break;
		case OP_SELECT:
			result = choose(&stack[depth]);
			break;
		default:
			result = apply(op->kind, stack[depth], stack[depth + 1]);
			break;
		}
		stack[depth++] = result;
	}
	return depth ? stack[0] : NAN;
}

void metric_expr_uses(const struct metric_expr *expr, void (*see)(void *context, size_t value),
		      void *context)
{
	for (size_t i = 0; i < expr->nr; i++) {
		if (expr->ops[i].kind == OP_VALUE)
			see(context, expr->ops[i].value);
	}
}

static const char *name_of(enum op_kind kind)
{
	static const char *const names[] = {
		[OP_NUMBER] = NULL,	[OP_VALUE] = NULL,   [OP_NEGATE] = "neg",
		[OP_ADD] = "+",		[OP_SUBTRACT] = "-", [OP_MULTIPLY] = "*",
		[OP_DIVIDE] = "/",	[OP_MODULO] = "%",   [OP_LESS] = "<",
		[OP_GREATER] = ">",	[OP_AND] = "&",	     [OP_OR] = "|",
		[OP_XOR] = "^",		[OP_MIN] = "min",    [OP_MAX] = "max",
		[OP_RATIO] = "d_ratio", [OP_SELECT] = "if",
	};

	return names[kind];
}

void metric_expr_each(const struct metric_expr *expr,
		      void (*see)(void *context, const struct metric_step *step), void *context)
{
	for (size_t i = 0; i < expr->nr; i++) {
		const struct metric_op *op = &expr->ops[i];
		struct metric_step step = { name_of(op->kind), op->kind == OP_VALUE, op->number,
					    op->value };

		see(context, &step);
	}
}
